"""Rule 4: each loss and kernel has declared facts, and each declared fact has a loss or kernel."""

import inspect
from collections.abc import Mapping
from types import ModuleType

import pytest

import rkde.fast.kernels
import rkde.fast.losses
import rkde.reference.kernels
import rkde.reference.losses
from rkde.facts import KERNEL_FACTS, LOSS_FACTS

PAIRS = (
    (rkde.fast.kernels, KERNEL_FACTS),
    (rkde.reference.kernels, KERNEL_FACTS),
    (rkde.fast.losses, LOSS_FACTS),
    (rkde.reference.losses, LOSS_FACTS),
)


def named_classes(module: ModuleType) -> dict[str, type]:
    """Return the public concrete classes of a module by the name that they declare."""
    return {
        cls.name: cls
        for label, cls in inspect.getmembers(module, inspect.isclass)
        if f"{cls.__module__}.".startswith(f"{module.__name__}.")
        and not label.startswith("_")
        and not getattr(cls, "_is_protocol", False)
        and isinstance(getattr(cls, "name", None), str)
    }


def disagreements(classes: Mapping[str, type], facts: Mapping[str, object]) -> list[str]:
    """Return the names on one side only, and the classes whose facts are not the declared ones."""
    wrong = [f"{name}: no facts" for name in classes.keys() - facts.keys()]
    wrong += [f"{name}: no class" for name in facts.keys() - classes.keys()]
    wrong += [
        f"{name}: other facts"
        for name in classes.keys() & facts.keys()
        if getattr(classes[name], "facts", None) is not facts[name]
    ]
    return sorted(wrong)


@pytest.mark.parametrize(("module", "facts"), PAIRS, ids=lambda part: getattr(part, "__name__", ""))
def test_classes_and_facts_belong_together(module: ModuleType, facts: Mapping[str, object]) -> None:
    assert not disagreements(named_classes(module), facts)


def test_disagreements_are_seen() -> None:
    good = type("Good", (), {"name": "good", "facts": LOSS_FACTS["huber"]})
    stale = type("Stale", (), {"name": "stale", "facts": LOSS_FACTS["hampel"]})
    lonely = type("Lonely", (), {"name": "lonely"})
    facts = {"good": LOSS_FACTS["huber"], "stale": LOSS_FACTS["huber"], "gone": LOSS_FACTS["huber"]}
    classes = {"good": good, "stale": stale, "lonely": lonely}
    assert disagreements(classes, facts) == ["gone: no class", "lonely: no facts", "stale: other facts"]
