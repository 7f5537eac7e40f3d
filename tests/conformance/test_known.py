"""Lists of known failures: how they are read, compared with a run and rewritten."""

from pathlib import Path

import pytest

from rkde.conformance import KnownFailuresError, Outcome, balance, read_known, rewrite_known
from rkde.conformance.known import UNEXPLAINED
from rkde.conformance.running import CaseResult

TEXT = """\
# Ours.

step/a  J is divided by n twice: https://example.org/issues/1
step/b
# Theirs.
\tloss/c \t # the paper's misprint \t
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A list of three failures."""
    found = tmp_path / "known.txt"
    found.write_text(TEXT, "utf-8")
    return found


ALL = ("step/a", "step/b", "loss/c", "auc/d")


def ended(**outcomes: Outcome) -> list[CaseResult]:
    names = {name[-1]: name for name in ALL}
    found = [(names[letter], outcome) for letter, outcome in outcomes.items()]
    return [CaseResult(name, name.partition("/")[0], outcome, None, "", 0.0) for name, outcome in found]


def test_a_line_is_a_case_and_its_reason(path: Path) -> None:
    assert read_known(path) == {
        "step/a": "J is divided by n twice: https://example.org/issues/1",
        "step/b": UNEXPLAINED,
        "loss/c": "the paper's misprint",
    }


def test_a_list_that_fits_holds(path: Path) -> None:
    run = ended(a=Outcome.FAILED, b=Outcome.NOT_RUN, c=Outcome.UNSUPPORTED, d=Outcome.PASSED)
    found = balance(read_known(path), run, ALL)
    assert found.holds
    assert found.listed == 3


@pytest.mark.parametrize("bad", [Outcome.FAILED, Outcome.NOT_RUN])
def test_what_is_not_listed_does_not_hold(path: Path, bad: Outcome) -> None:
    found = balance(read_known(path), ended(a=Outcome.FAILED, d=bad), ALL)
    assert (found.unlisted, found.holds) == (("auc/d",), False)


def test_neither_does_a_listed_case_that_passed_nor_one_that_is_none(path: Path) -> None:
    found = balance(read_known(path), ended(a=Outcome.PASSED), [name for name in ALL if name != "loss/c"])
    assert (found.unlisted, found.passed, found.unknown) == ((), ("step/a",), ("loss/c",))
    assert not found.holds


def test_a_rewritten_list_fits_and_keeps_comments_and_reasons(path: Path) -> None:
    run = ended(a=Outcome.PASSED, b=Outcome.FAILED, c=Outcome.FAILED, d=Outcome.FAILED)
    rewrite_known(path, balance(read_known(path), run, ALL))
    assert balance(read_known(path), run, ALL).holds
    assert path.read_text("utf-8").splitlines() == [
        "# Ours.",
        "",
        "step/b",
        "# Theirs.",
        "\tloss/c \t # the paper's misprint \t",
        f"auc/d  {UNEXPLAINED}",
    ]


@pytest.mark.parametrize(
    ("content", "part"), [(b"step/a x\nstep/a y\n", "line 2 lists step/a again"), (b"\xff\n", "decode")]
)
def test_a_list_that_cannot_be_read_is_told(tmp_path: Path, content: bytes, part: str) -> None:
    path = tmp_path / "known.txt"
    path.write_bytes(content)
    with pytest.raises(KnownFailuresError, match=part):
        read_known(path)


@pytest.mark.parametrize("reason", ["a\u2028b", "a\x0bb"], ids=ascii)
def test_only_line_feeds_end_a_line_and_a_mark_at_the_beginning_is_none(path: Path, reason: str) -> None:
    path.write_text(f"# Ours.\nstep/a  {reason}\n", "utf-8-sig")
    assert read_known(path) == {"step/a": reason}
    rewrite_known(path, balance(read_known(path), ended(a=Outcome.FAILED), ALL))
    assert path.read_text("utf-8") == f"# Ours.\nstep/a  {reason}\n"


def test_a_rewritten_list_keeps_the_names_of_other_vectors_and_its_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    run = ended(a=Outcome.FAILED, b=Outcome.PASSED)
    rewrite_known(link, balance(read_known(link), run, ("step/a", "step/b")))
    assert link.is_symlink()
    assert read_known(path).keys() == {"step/a", "loss/c"}
