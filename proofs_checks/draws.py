"""Checks that must hold at every draw: none may be thrown away, and the number that held is told."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st

from rkde.proofs_checks import strategies
from rkde.proofs_checks.strategies import KERNEL_NAMES, LOSS_NAMES, KernelName, LossName

# Hypothesis keeps the settings of a test under this name, where whoever plants faults finds and changes them.
_SETTINGS: Final = "_hypothesis_internal_use_settings"
_Drawn = TypeVar("_Drawn")


@dataclass(frozen=True, slots=True)
class Pair:
    """A kernel and a loss by name."""

    kernel: KernelName
    loss: LossName

    def __str__(self) -> str:
        return f"{self.kernel}, {self.loss}"


PAIRS: Final = tuple(Pair(kernel, loss) for kernel in KERNEL_NAMES for loss in LOSS_NAMES)


def at_every_draw(
    strategy: Callable[[Pair], st.SearchStrategy[_Drawn]],
    share: float,
    pairs: Sequence[Pair] = PAIRS,
    kept: Mapping[Pair, Sequence[_Drawn]] = MappingProxyType({}),
) -> Callable[[Callable[[_Drawn], None]], Callable[[Pair], None]]:
    """Make a check of a body that takes one draw: for each pair, a share of the profile's examples.

    The check fails if a draw does not reach the end of the body, as one that is rejected, or if there are
    fewer than that, and prints how many there were. Inputs that are `kept` are always tried, and first.
    """

    def decorate(body: Callable[[_Drawn], None]) -> Callable[[Pair], None]:
        def check(pair: Pair) -> None:
            chosen: settings = getattr(check, _SETTINGS)
            name = f"{body.__name__}_{pair.kernel}_{pair.loss}"
            begun, held = run_draws(body, strategy(pair), chosen, name=name, kept=kept.get(pair, ()))
            # The count is what a reader of the claim wants to see, so it goes to standard output.
            print(f"{body.__name__}, {pair}: {held} draws")  # noqa: T201
            assert held == begun >= chosen.max_examples

        for attribute in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(check, attribute, getattr(body, attribute))
        setattr(check, _SETTINGS, strategies.examples(share))
        marked: Callable[[Pair], None] = pytest.mark.parametrize("pair", pairs, ids=str)(check)
        return marked

    return decorate


def run_draws(
    body: Callable[[_Drawn], None],
    strategy: st.SearchStrategy[_Drawn],
    chosen: settings,
    *,
    name: str,
    kept: Sequence[_Drawn] = (),
) -> tuple[int, int]:
    """Run a body under Hypothesis; return the number of draws, and of those at which it came to its end."""
    begun = held = 0

    def counted(drawn: _Drawn) -> None:
        nonlocal begun, held
        begun += 1
        body(drawn)
        held += 1

    counted.__name__ = name
    test = given(drawn=strategy)(chosen(counted))
    for drawn in kept:
        test = example(drawn=drawn)(test)
    if chosen.derandomize:  # each name has draws of its own, the same ones every time
        test = seed(zlib.crc32(name.encode()))(test)
    test()
    return begun, held
