"""Rule 3: what the reference offers says where in the paper its formula stands, or that it is ours."""

import ast
import inspect
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import rkde.reference

PLACE = re.compile(
    r"\b(?:eq\.|(?:eqn|sec|ssec|sssec|thm|lemma|fig|tab):\w)|\(A[1-5]\)"
    r"|\b(?:equations?|sections?|theorem|lemma|assumptions?|appendix|table|figure)\b|\bnot in the paper\b",
    re.IGNORECASE,
)
NOT_IN_THE_PAPER = "not in the paper"
# Modules that hold no formula: the handling of numbers, and records.
WITHOUT_FORMULAS = frozenset({"rkde.reference.numbers.context", "rkde.reference.solvers.results"})


def offered(package: object) -> dict[str, object]:
    """Return the functions and classes that a package defines and offers, where formulas stand."""
    members = {name: getattr(package, name) for name in getattr(package, "__all__", ())}
    return {
        name: member
        for name, member in members.items()
        if (inspect.isfunction(member) or inspect.isclass(member))
        and member.__module__.startswith("rkde.reference.")
        and member.__module__ not in WITHOUT_FORMULAS
        and not getattr(member, "_is_protocol", False)
    }


def without_place(members: Mapping[str, object]) -> list[str]:
    """Return what names no place in the paper; a method may leave it to its class."""
    found = []
    for name, member in members.items():
        outer = inspect.getdoc(member) or ""
        if not PLACE.search(outer):
            found.append(name)
        if inspect.isclass(member) and not PLACE.search(outer):
            for inner, method in vars(member).items():
                is_public = inspect.isfunction(method) and not inner.startswith("_")
                found += [f"{name}.{inner}"] * (is_public and not PLACE.search(inspect.getdoc(method) or ""))
    return found


def first_line(path: Path) -> str:
    """Return the first line of a file's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return text.partition("\n")[0]


def files_without_place(reference: Path) -> list[str]:
    """Return the files whose first line names no place; a room outside the paper speaks for its files."""
    doors = list(reference.glob("*/__init__.py"))
    outside = [door.parent for door in doors if NOT_IN_THE_PAPER in first_line(door).lower()]
    return sorted(
        str(path.relative_to(reference))
        for path in reference.rglob("*.py")
        if path.name != "__init__.py" and path.parent not in outside and not PLACE.search(first_line(path))
    )


def test_each_file_of_the_reference_says_at_once_where_it_belongs(root: Path) -> None:
    assert not files_without_place(root / "reference")


def test_files_without_a_place_are_seen(tmp_path: Path) -> None:
    for room, door in (("solvers", "Solvers, section 4."), ("numbers", "Not in the paper: numbers.")):
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(f'"""{door}"""', "utf-8")
        (tmp_path / room / "lost.py").write_text('"""Something useful.\n\nSection 4."""', "utf-8")
        (tmp_path / room / "placed.py").write_text('"""Equation (8)."""', "utf-8")
    assert files_without_place(tmp_path) == [str(Path("solvers", "lost.py"))]


def test_each_formula_of_the_reference_names_its_place_in_the_paper() -> None:
    members = offered(rkde.reference)
    assert {"kirwls_step", "objective", "Hampel"} <= members.keys()
    assert not without_place(members)


@pytest.mark.parametrize(
    "text",
    ["Equation (7).", "Eq. (4)", "`eqn:huber`", "section 6.1.2", "Theorem 5", "by (A4)", "Not in the paper."],
)
def test_places_are_recognised(text: str) -> None:
    assert PLACE.search(text)


def test_functions_without_a_place_are_seen() -> None:
    def placed(ctx):
        """Do equation (3)."""

    def lost(ctx):
        """Do an intersection of sets, equally."""

    class Huber:
        """A loss, section 2."""

        def rho(self, ctx, t):
            """Return the loss."""

    class Lost:
        """A loss."""

        def rho(self, ctx, t):
            """Return it: Theorem 4."""

        def psi(self, ctx, t):
            """Return its derivative."""

    members = {"placed": placed, "lost": lost, "Huber": Huber, "Lost": Lost}
    assert without_place(members) == ["lost", "Lost", "Lost.psi"]
