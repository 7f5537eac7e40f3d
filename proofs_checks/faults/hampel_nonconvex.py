"""Planted faults of the claims about Hampel's objective."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.pieces import Piece


def _rising(right: Callable[..., Sequence[Piece[Any]]]) -> Callable[..., Sequence[Piece[Any]]]:
    def hampel(t: Any, *arguments: Any) -> Sequence[Piece[Any]]:
        *others, last = right(t, *arguments)
        return *others, replace(last, rho=last.rho + t)

    return hampel


FAULTS: Final = (
    Fault(
        name="the loss of the example is Huber's",
        claims=("hampel_nonconvex.argmin",),
        plant=restated(
            "hampel_nonconvex", 'LossSpec("hampel", (0.3, 0.6, 1.2))', 'LossSpec("huber", (0.3,))'
        ),
        caught_by=("check_enclosed_values", "check_two_limits"),
    ),
    Fault(
        name="Hampel's rho goes on rising beyond c",
        claims=("hampel_nonconvex.theory_covers_experiments",),
        plant=replaced("rkde.proofs_checks.pieces.hampel", _rising),
        caught_by=("check_rho_is_flat_beyond_c",),
    ),
)
