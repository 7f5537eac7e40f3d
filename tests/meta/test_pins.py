"""What `.ci/run` installs is pinned, each in a version that the package accepts."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement


def test_every_requirement_has_a_pin(root: Path) -> None:
    stated = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    project = stated["project"]
    texts = [*stated["build-system"]["requires"], *project["dependencies"]]
    texts += [text for extra in project["optional-dependencies"].values() for text in extra]
    needed = [one for one in map(Requirement, texts) if one.name != project["name"]]
    lines = (root / ".ci" / "pins.txt").read_text("utf-8").splitlines()
    pins = dict(re.findall(r"^([a-z0-9.-]+)==([^\s;]+)", "\n".join(lines), re.MULTILINE))
    assert {
        one.name: pins.get(one.name) for one in needed if pins.get(one.name, "0") not in one.specifier
    } == {}
