"""What a planted fault is, the two ways to plant one, and the tables of faults."""

import importlib
import inspect
import math
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import rkde.fast
import rkde.reference
from rkde.proofs_checks.claim import CHECK_PREFIX
from rkde.proofs_checks.faults import wrong as makers
from rkde.vocabulary import Stationarity, Status

PACKAGE: Final = "rkde.proofs_checks"
_FOLDER: Final = Path(__file__).resolve().parent
# What the expressions in the tables may use, beside the makers of ``wrong.py``.
_NAMES: Final = {"Stationarity": Stationarity, "Status": Status, "math": math, "np": np, "rkde": rkde}


class FaultKind(StrEnum):
    """What a fault breaks: the code under test, or what the checks themselves say."""

    FAST = "fast"
    REFERENCE = "reference"
    HELPER = "helper of the checks"
    STATEMENT = "statement of the check"


@dataclass(frozen=True, slots=True)
class Plant:
    """Breaks something of one kind through a `pytest.MonkeyPatch`."""

    kind: FaultKind
    apply: Callable[[pytest.MonkeyPatch], None]

    def __call__(self, patch: pytest.MonkeyPatch) -> None:
        """Plant the fault."""
        self.apply(patch)


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake, the claims it offends, and the checks that must notice it.

    Attributes
    ----------
    name : str
        The mistake in one line, unique among all faults.
    claims : tuple of str
        Identifiers of the claims whose checks must notice.
    plant : callable
        Breaks the code or the statement through a `pytest.MonkeyPatch`.
    caught_by : tuple of str
        Names of checks, each of which must fail; without a dot they belong to the family of the first claim.
    """

    name: str
    claims: tuple[str, ...]
    plant: Plant
    caught_by: tuple[str, ...]

    @property
    def kind(self) -> FaultKind:
        """What the fault breaks."""
        return self.plant.kind

    @property
    def checks(self) -> tuple[str, ...]:
        """Return the detectors as ``family.check_name``."""
        family = self.claims[0].partition(".")[0]
        return tuple(name if "." in name else f"{family}.{name}" for name in self.caught_by)


def check_module(family: str) -> ModuleType:
    """Import a file of checks by its family; while a fault is planted this may be its mutant."""
    return importlib.import_module(f"{PACKAGE}.{CHECK_PREFIX}{family}")


def restated(family: str, old: str, new: str) -> Plant:
    """Make a plant that compiles ``check_<family>.py`` with one passage of its text changed."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        module = check_module(family)
        path = Path(str(module.__file__))
        source = path.read_text(encoding="utf-8")
        if source.count(old) != 1:
            raise LookupError(f"{path.name} must contain the text once, got {source.count(old)} times: {old}")
        mutant = ModuleType(module.__name__)
        mutant.__file__ = str(path)
        mutant.__package__ = PACKAGE
        exec(compile(source.replace(old, new), str(path), "exec"), mutant.__dict__)  # noqa: S102 - our file
        patch.setitem(sys.modules, module.__name__, mutant)

    return Plant(FaultKind.STATEMENT, plant)


def replaced(path: str, make: Callable[[Any], Any]) -> Plant:
    """Make a plant that puts ``make(right)`` in place of the function or method at a dotted path.

    A method is replaced in its class, a function or a list of numbers in every module of the package that
    holds that very object.
    """

    def plant(patch: pytest.MonkeyPatch) -> None:
        owner, attribute = owner_of(path)
        right = inspect.getattr_static(owner, attribute)
        wrong = make(right)
        if not isinstance(owner, ModuleType):
            patch.setattr(owner, attribute, wrong)
            return
        for module in [module for name, module in sys.modules.items() if name.partition(".")[0] == "rkde"]:
            for name, value in list(vars(module).items()):
                if value is right:
                    patch.setattr(module, name, wrong)

    return Plant(_kind(path), plant)


def _kind(path: str) -> FaultKind:
    """Say by the place of the object what a fault in it breaks."""
    kinds = {"fast": FaultKind.FAST, "reference": FaultKind.REFERENCE}
    return kinds.get(path.split(".")[1], FaultKind.HELPER)


def owner_of(path: str) -> tuple[object, str]:
    """Return the module or class that holds the last name of a path, and that name."""
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            owner: object = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:-1]:
            owner = getattr(owner, part)
        if not hasattr(owner, parts[-1]):
            break
        return owner, parts[-1]
    raise LookupError(f"nothing is found at {path}")


@dataclass(frozen=True, slots=True)
class FaultTable:
    """The faults of one file, and the reasons why checks or packages have none."""

    faults: tuple[Fault, ...]
    unplanted: dict[str, str]
    one_sided: dict[str, str]


@cache
def fault_tables() -> tuple[FaultTable, ...]:
    """Read every table of faults, in the order of the files."""
    return tuple(fault_table(path) for path in sorted(_FOLDER.glob("*.toml")))


def fault_table(path: Path) -> FaultTable:
    """Read one table of faults."""
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    reasons = [written.pop(name, {}) for name in ("unplanted", "one_sided")]
    entries = written.pop("faults")
    return FaultTable(tuple(_fault(path.stem, **(written | entry)) for entry in entries), *reasons)


def _fault(family: str, name: str, claims: list[str], caught_by: list[str], **mistake: str) -> Fault:
    if mistake.keys() == {"at", "wrong"}:
        plant = replaced(mistake["at"], _made_by(mistake["wrong"]))
    elif mistake.keys() == {"old", "new"}:
        plant = restated(family, mistake["old"], mistake["new"])
    else:
        raise LookupError(
            f"{name}: a fault must have `at` and `wrong`, or `old` and `new`; add or remove keys"
        )
    return Fault(name, tuple(claims), plant, tuple(caught_by))


def _made_by(text: str) -> Callable[[Any], Any]:
    """Return the function that evaluates an expression in which `right` is its argument."""
    return lambda right: eval(text.strip(), {**vars(makers), **_NAMES, "right": right})  # noqa: S307 - our file
