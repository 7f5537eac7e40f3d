"""Mistakes in Theorem 5 as either package computes it, for the faults of several families."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults._fault import Plant, replaced

Made = Callable[..., Any]

_SYSTEM: Final = "theorem_5_system"
_COEFFICIENTS: Final = "theorem_5_coefficients"


def q_without_a_power(package: str) -> Plant:
    """Divide q by r^2 where Theorem 5 divides by r^3."""
    if package == "fast":
        return replaced(
            f"rkde.fast.influence.theorem5.{_SYSTEM}",
            lambda right: (
                lambda operator, active, norms, q, *rest: right(operator, active, norms, q * norms, *rest)
            ),
        )
    return replaced(
        f"rkde.reference.influence.theorem5.{_SYSTEM}",
        lambda right: (
            lambda ctx, point, q: right(
                ctx, point, [entry * norm for entry, norm in zip(q, point.norms, strict=True)]
            )
        ),
    )


def q_ignored(package: str) -> Plant:
    """Solve with Q = 0, as for the quadratic loss."""
    if package == "fast":
        return replaced(
            f"rkde.fast.influence.theorem5.{_SYSTEM}",
            lambda right: (
                lambda operator, active, norms, q, *rest: right(operator, active, norms, 0 * q, *rest)
            ),
        )
    return replaced(
        f"rkde.reference.influence.theorem5.{_SYSTEM}",
        lambda right: lambda ctx, point, q: right(ctx, point, [0 * entry for entry in q]),
    )


def alpha_new_changed(package: str, change: Callable[[Any, int], Any]) -> Plant:
    """Put ``change(alpha', n)`` in the place of alpha'."""
    if package == "fast":

        def make(right: Made) -> Made:
            def wrong(site: Any, *rest: Any) -> Any:
                found = right(site, *rest)
                return replace(found, new=change(found.new, len(site.weights)))

            return wrong

        return replaced(f"rkde.fast.influence.theorem5.{_COEFFICIENTS}", make)

    def remake(right: Made) -> Made:
        def wrong(ctx: Any, point: Any, *rest: Any) -> Any:
            found = right(ctx, point, *rest)
            return replace(found, alpha_new=change(found.alpha_new, len(point.weights)))

        return wrong

    return replaced(f"rkde.reference.influence.theorem5.{_COEFFICIENTS}", remake)
