"""Rule 2: modules of the same name have the same public names and arguments, the reference with ctx first."""

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


def relative(target: type | Callable[..., object], package: ModuleType) -> str | None:
    """Return the module of a class or function below a package, None where both packages share it."""
    prefix = f"{package.__name__}."
    return target.__module__.removeprefix(prefix) if target.__module__.startswith(prefix) else None


def offered(package: ModuleType) -> dict[str, object]:
    """Return the functions and classes that a package offers, the function of its own name included."""
    found = {name: getattr(package, name) for name in (*package.__all__, "rkde")}
    return {name: one for name, one in found.items() if inspect.isfunction(one) or inspect.isclass(one)}


def stands_elsewhere(reference: str, fast: str) -> bool:
    """Tell whether `fast` is neither the same place nor inside it: a file may be mirrored by a folder."""
    return not f"{fast}.".startswith(f"{reference}.")


def public_methods(owner: type) -> dict[str, object]:
    """Return the public methods that a class defines itself."""
    found = {
        name: member.__func__ if isinstance(member, staticmethod | classmethod) else member
        for name, member in vars(owner).items()
    }
    return {
        name: member
        for name, member in found.items()
        if not name.startswith("_") and inspect.isfunction(member) and member.__module__ == owner.__module__
    }


def parameters(function: Callable[..., object]) -> dict[str, bool]:
    """Return the parameters in order, each with whether it can be given by position; self is left out."""
    found = inspect.signature(function).parameters
    return {name: value.kind in BY_POSITION for name, value in found.items() if name not in SELF}


def signature_differences(where: str, reference: Mapping[str, bool], fast: Mapping[str, bool]) -> list[str]:
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
    return wrong + differences(where, public_methods(reference), public_methods(fast))


def differences(where: str, reference: Mapping[str, object], fast: Mapping[str, object]) -> list[str]:
    """Compare two groups of public names: each name is on both sides, with the same arguments."""
    wrong = [f"{where}.{name}: only in reference" for name in reference.keys() - fast.keys()]
    wrong += [f"{where}.{name}: only in fast" for name in fast.keys() - reference.keys()]
    for name in reference.keys() & fast.keys():
        ours, theirs, place = reference[name], fast[name], f"{where}.{name}"
        if isinstance(ours, type) and isinstance(theirs, type):
            wrong += differences_of_classes(place, ours, theirs)
        elif callable(ours) and callable(theirs):
            wrong += signature_differences(place, parameters(ours), parameters(theirs))
    return sorted(wrong)


def unexcused(found: list[str], excuses: Mapping[str, str]) -> list[str]:
    """Return the differences that no exception names; an exception covers everything below its place."""
    return [line for line in found if not any(_covers(place, line) for place in excuses)]


def _covers(place: str, line: str) -> bool:
    where = line.partition(":")[0]
    name = where.partition("(")[0]
    return fnmatchcase(where, place) or fnmatchcase(name, place) or fnmatchcase(name, f"{place}.*")


def rooms(package: ModuleType) -> set[str]:
    """Return the folders and files directly in a package, by name."""
    return {info.name for info in pkgutil.iter_modules(package.__path__)}


def all_differences() -> list[str]:
    """Compare the two packages: their rooms, then place and arguments of every name that both offer."""
    ours, theirs = rooms(rkde.reference), rooms(rkde.fast)
    wrong = [f"{name}: only in reference" for name in ours - theirs]
    wrong += [f"{name}: only in fast" for name in theirs - ours]
    reference, fast = offered(rkde.reference), offered(rkde.fast)
    for name in reference.keys() & fast.keys():
        here, there = relative(reference[name], rkde.reference), relative(fast[name], rkde.fast)
        if here is None or there is None:
            continue
        if stands_elsewhere(here, there):
            wrong.append(f"{here}.{name}: in fast it stands in {there}")
        room = here.partition(".")[0]
        wrong += differences(room, {name: reference[name]}, {name: fast[name]})
    return sorted(wrong)


@pytest.fixture(scope="module")
def tables(root: Path) -> dict[str, dict[str, str]]:
    """The exceptions: places in modules, and names that one of the packages offers."""
    return tomllib.loads((root / "tests" / "meta" / "mirror_exceptions.toml").read_text("utf-8"))


def test_the_two_surfaces_are_the_same_but_for_exceptions_that_are_needed(
    tables: dict[str, dict[str, str]],
) -> None:
    found, excuses = all_differences(), tables["exceptions"]
    assert not unexcused(found, excuses)
    assert not [place for place in excuses if not any(_covers(place, line) for line in found)]
    assert all(reason.strip() for excused in tables.values() for reason in excused.values())


def test_the_same_names_are_offered_by_both_packages(tables: dict[str, dict[str, str]]) -> None:
    assert set(rkde.reference.__all__) ^ set(rkde.fast.__all__) == tables["offered"].keys()


def test_places_are_compared() -> None:
    assert not stands_elsewhere("losses", "losses.robust")
    assert not stands_elsewhere("solvers.kirwls", "solvers.kirwls")
    assert stands_elsewhere("losses", "losses_of_others")
    assert stands_elsewhere("solvers.kirwls", "solvers.iteration")


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
    assert public_methods(SimpleNamespace) == {}
