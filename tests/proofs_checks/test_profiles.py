"""`rkde verify` names the profile under which the claims run."""

import importlib
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner
from hypothesis import settings

from rkde.cli import cli
from rkde.proofs_checks import strategies


@pytest.mark.parametrize(("options", "profile"), [((), "quick"), (("--thorough",), "thorough")])
def test_the_claims_run_under_the_profile_that_was_asked_for(
    options: tuple[str, ...], profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def claims(asked: str) -> None:
        raise click.ClickException(f"asked for {asked}")

    module = importlib.import_module("rkde.cli.verify")
    monkeypatch.setattr(module, "vectors_in_process", lambda *_: None)
    monkeypatch.setattr(module, "claims", claims)
    assert f"asked for {profile}" in CliRunner().invoke(cli, ["verify", *options]).output


@pytest.mark.parametrize(
    ("profile", "expected"), [("quick", [1, 2]), ("ci", [1, 2, 3]), ("thorough", [1, 2, 3])]
)
def test_costly_cases_are_selected_in_the_quick_profile_only(
    profile: str, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    default = settings.get_profile(profile)
    monkeypatch.setattr(strategies, "settings", SimpleNamespace(default=default))
    assert strategies.selected([1, 2, 3], 2) == expected
