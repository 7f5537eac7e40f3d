"""What a planted fault is, and how an object is replaced wherever the fast package holds it."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

Check = Callable[[], object]


@dataclass(frozen=True)
class Fault:
    """One mistake, how it is planted, and tests with their arguments that fail with it and pass without."""

    name: str
    mistake: str
    plant: Callable[[pytest.MonkeyPatch], None]
    caught_by: tuple[Check, ...]

    def __repr__(self) -> str:
        return self.name


def name_of(check: Check) -> str:
    """The test's file and name, as pytest prints them."""
    function: Any = check.func if isinstance(check, partial) else check
    return f"{function.__module__.replace('.', '/')}.py::{function.__name__}"


def replace_everywhere(patch: pytest.MonkeyPatch, original: object, replacement: object) -> None:
    """Replace an object in every module of the fast package that holds it under some name."""
    found = False
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".fast")[0] == "rkde":
            for attribute, value in list(vars(module).items()):
                if value is original:
                    patch.setattr(module, attribute, replacement)
                    found = True
    assert found, f"{original!r} is not where the fault expects it"
