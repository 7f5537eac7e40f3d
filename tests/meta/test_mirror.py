"""Rule 2: modules of the same name have the same public names and arguments, the reference with ctx first."""

import importlib
import inspect
import pkgutil
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import rkde.fast
import rkde.reference

CONTEXT = "ctx"
SELF = ("self", "cls")
BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def module_names(package: ModuleType) -> set[str]:
    """Return the public modules of a package, sub-packages with their modules, by dotted relative name."""
    prefix = f"{package.__name__}."
    return {
        info.name.removeprefix(prefix)
        for info in pkgutil.walk_packages(package.__path__, prefix)
        if not any(part.startswith("_") for part in info.name.split("."))
    }


def public_members(owner: ModuleType | type) -> dict[str, object]:
    """Return the public functions and classes that a module or class defines itself."""
    home = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    members = {}
    for name, member in vars(owner).items():
        target = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        is_code = inspect.isfunction(target) or (inspect.isclass(target) and isinstance(owner, ModuleType))
        if not name.startswith("_") and is_code and target.__module__ == home:
            members[name] = target
    return members


def parameters(function: Callable[..., object]) -> dict[str, bool]:
    """Return the parameters in order, each with whether it can be given by position; self is left out."""
    found = inspect.signature(function).parameters
    return {name: value.kind in BY_POSITION for name, value in found.items() if name not in SELF}


def differences_of_signatures(
    where: str, reference: Mapping[str, bool], fast: Mapping[str, bool]
) -> list[str]:
    """Compare two functions: ctx first in the reference, then the same names; fast may add keywords."""
    names = list(reference)
    if names[:1] != [CONTEXT]:
        return [f"{where}: the first argument of the reference is not {CONTEXT}"]
    shared = [name for name in fast if name in reference]
    extra = [name for name in fast if name not in reference]
    wrong = [f"{where}({name}): only in fast, and not keyword-only" for name in extra if fast[name]]
    if shared != names[1:]:
        wrong.append(f"{where}: reference has {names[1:]}, fast has {list(fast)}")
    wrong += [f"{where}({name}): by keyword in one only" for name in shared if fast[name] != reference[name]]
    return wrong


def differences_of_classes(where: str, reference: type, fast: type) -> list[str]:
    """Compare two classes: constructors without ctx, and methods like functions."""
    ours, theirs = parameters(reference), parameters(fast)
    wrong = [f"{where}({name}): only in fast" for name in theirs if name not in ours]
    if list(ours) != [name for name in theirs if name in ours]:
        wrong.append(f"{where}: constructors take {list(ours)} and {list(theirs)}")
    return wrong + differences(where, public_members(reference), public_members(fast))


def differences(where: str, reference: Mapping[str, object], fast: Mapping[str, object]) -> list[str]:
    """Compare two groups of public names: each name is on both sides, with the same arguments."""
    wrong = [f"{where}.{name}: only in reference" for name in reference.keys() - fast.keys()]
    wrong += [f"{where}.{name}: only in fast" for name in fast.keys() - reference.keys()]
    for name in reference.keys() & fast.keys():
        ours, theirs, place = reference[name], fast[name], f"{where}.{name}"
        if isinstance(ours, type) and isinstance(theirs, type):
            wrong += differences_of_classes(place, ours, theirs)
        elif callable(ours) and callable(theirs):
            wrong += differences_of_signatures(place, parameters(ours), parameters(theirs))
    return sorted(wrong)


def unexcused(found: list[str], excuses: Mapping[str, str]) -> list[str]:
    """Return the differences that no exception names; an exception covers everything below its place."""
    return [line for line in found if not any(_covers(place, line) for place in excuses)]


def _covers(place: str, line: str) -> bool:
    where = line.partition(":")[0]
    name = where.partition("(")[0]
    return fnmatchcase(where, place) or fnmatchcase(name, place) or fnmatchcase(name, f"{place}.*")


def all_differences() -> list[str]:
    """Compare the two packages, module by module."""
    reference, fast = module_names(rkde.reference), module_names(rkde.fast)
    wrong = [f"{name}: only in reference" for name in reference - fast]
    wrong += [f"{name}: only in fast" for name in fast - reference]
    for name in reference & fast:
        pair = [importlib.import_module(f"rkde.{side}.{name}") for side in ("reference", "fast")]
        wrong += differences(name, *map(public_members, pair))
    return sorted(wrong)


def tables_of_excuses(root: Path) -> dict[str, dict[str, str]]:
    """Read the exceptions: places in modules, and names that one of the packages offers."""
    return tomllib.loads((root / "tests" / "meta" / "mirror_exceptions.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def excuses(root: Path) -> dict[str, str]:
    return tables_of_excuses(root)["exceptions"]


def test_the_two_surfaces_are_the_same(excuses: dict[str, str]) -> None:
    assert not unexcused(all_differences(), excuses)


def test_every_exception_is_needed_and_has_a_reason(excuses: dict[str, str]) -> None:
    found = all_differences()
    assert not [place for place in excuses if not any(_covers(place, line) for line in found)]
    assert all(reason.strip() for reason in excuses.values())


def test_the_same_names_are_offered_by_both_packages(root: Path) -> None:
    excused = tables_of_excuses(root)["offered"]
    assert set(rkde.reference.__all__) ^ set(rkde.fast.__all__) == excused.keys()
    assert all(reason.strip() for reason in excused.values())


def test_differences_are_seen() -> None:
    def same(ctx, x, *, cap=1): ...
    def same_fast(x, *, cap=1, threads=None): ...
    def renamed(ctx, x): ...
    def renamed_fast(y): ...
    def bare(x): ...
    def extra(ctx, x): ...
    def extra_fast(x, threads): ...

    ours = {"same": same, "renamed": renamed, "bare": bare, "extra": extra, "gone": same}
    theirs = {"same": same_fast, "renamed": renamed_fast, "bare": bare, "extra": extra_fast, "new": bare}
    assert [line.partition(":")[0] for line in differences("m", ours, theirs)] == [
        "m.bare",
        "m.extra(threads)",
        "m.gone",
        "m.new",
        "m.renamed(y)",
        "m.renamed",
    ]


def test_differences_of_classes_are_seen() -> None:
    class Ours:
        def __init__(self, a): ...
        def rho(self, ctx, t): ...

    class Theirs:
        def __init__(self, b): ...
        def rho(self, t): ...
        def psi(self, t): ...

    found = differences("m", {"Loss": Ours}, {"Loss": Theirs})
    assert [line.partition(":")[0] for line in found] == ["m.Loss(b)", "m.Loss.psi", "m.Loss"]
    assert unexcused(found, {"m.Loss.psi": "why"}) == [found[0], found[2]]
    assert unexcused(found, {"*(b)": "why"}) == found[1:]
    assert unexcused(found, {"m.Loss": "why"}) == []
    assert unexcused(found, {"m.*.psi": "why"}) == [found[0], found[2]]
    assert unexcused(["m.Losses: only in fast"], {"m.Loss": "why"}) == ["m.Losses: only in fast"]
    assert public_members(SimpleNamespace) == {}
