"""The layout: packages, links, and one copy of each module."""

import os
import runpy
import tomllib
from pathlib import Path

import pytest

LINKS = ("reference", "fast", "proofs_checks")
SKIPPED = frozenset({"__pycache__"})


def packages_below(folder: Path, package: str) -> set[str]:
    """Return the dotted names of the folders that hold an __init__.py, links not followed."""
    found: set[str] = set()
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in SKIPPED and not Path(where, name).is_symlink()]
        if "__init__.py" in names:
            found.add(".".join([package, *Path(where).relative_to(folder).parts]))
    return found


def python_without_package(folder: Path) -> list[str]:
    """Return the Python files in a folder that is no package: an installation would leave them out."""
    return sorted(
        path.name
        for path in folder.rglob("*.py")
        if not (path.parent / "__init__.py").exists() and SKIPPED.isdisjoint(path.parts)
    )


def wrong_links(folder: Path, targets: dict[str, str]) -> list[str]:
    """Return the links that lead anywhere but to their relative target."""
    return [
        name
        for name, target in targets.items()
        if not (folder / name).is_symlink() or (folder / name).readlink().as_posix() != target
    ]


def test_the_packages_list_names_every_package(root: Path) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = packages_below(root / "src" / "rkde", "rkde")
    for name in LINKS:
        folders |= packages_below(root / name, f"rkde.{name}")
    assert settings["packages"] == sorted(folders)
    assert settings["package-dir"] == {"": "src", **{f"rkde.{name}": name for name in LINKS}}


def test_every_module_belongs_to_a_package(root: Path) -> None:
    assert not [name for folder in LINKS for name in python_without_package(root / folder)]


def test_the_links_are_relative_and_right(root: Path) -> None:
    parent = root / "src" / "rkde"
    if not any((parent / name).is_symlink() for name in LINKS):
        pytest.skip("this checkout has no symbolic links; installations do not need them")
    assert not wrong_links(parent, {name: f"../../{name}" for name in LINKS})


def test_no_folder_of_the_root_shadows_the_package(root: Path) -> None:
    assert not (root / "rkde").exists()


def test_the_checks_see_bad_samples(tmp_path: Path) -> None:
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    (tmp_path / "__init__.py").touch()
    (tmp_path / "inner" / "__init__.py").touch()
    (tmp_path / "inner" / "deep" / "lost.py").touch()
    assert packages_below(tmp_path, "rkde.x") == {"rkde.x", "rkde.x.inner"}
    assert python_without_package(tmp_path) == ["lost.py"]
    assert wrong_links(tmp_path, {"inner": "../../inner"}) == ["inner"]


def test_a_second_copy_of_a_module_is_seen(root: Path) -> None:
    second_copies = runpy.run_path(str(root / "tests" / "conftest.py"))["second_copies"]
    assert second_copies(["rkde.fast", "fast.losses", "reference", "fastapi"]) == {"fast.losses", "reference"}
