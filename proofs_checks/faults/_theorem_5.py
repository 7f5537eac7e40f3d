"""Mistakes in Theorem 5 that several files plant: where they are planted, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

_Made = Callable[..., Any]

FAST_SYSTEM: Final = "rkde.fast.influence.theorem5.theorem_5_system"
SYSTEM: Final = "rkde.reference.influence.theorem5.theorem_5_system"
FAST_COEFFICIENTS: Final = "rkde.fast.influence.theorem5.theorem_5_coefficients"
COEFFICIENTS: Final = "rkde.reference.influence.theorem5.theorem_5_coefficients"
CENTRING: Final = "rkde.reference.influence.theorem5.p_times"
SWEEP: Final = "rkde.reference.influence.theorem5.pt_times"


def fast_negative(right: _Made) -> _Made:
    """Turn the sign of q in the fast code's system."""
    return lambda operator, active, norms, q, *rest: right(operator, active, norms, -q, *rest)


def fast_times_the_norm(right: _Made) -> _Made:
    """Put Q = q/r^2 for q/r^3 in the fast code's system."""
    return lambda operator, active, norms, q, *rest: right(operator, active, norms, q * norms, *rest)


def negative(right: _Made) -> _Made:
    """Turn the sign of q in the reference's system."""
    return lambda ctx, point, q: right(ctx, point, [-entry for entry in q])


def times_the_norm(right: _Made) -> _Made:
    """Put Q = q/r^2 for q/r^3 in the reference's system."""
    return lambda ctx, point, q: right(ctx, point, [e * r for e, r in zip(q, point.norms, strict=True)])


def exchanged_in_the_centring(_: _Made) -> _Made:
    """Put v - w (1'v) for v - 1 (w'v)."""
    return lambda ctx, w, v: [entry - w_i * ctx.fsum(v) for entry, w_i in zip(v, w, strict=True)]


def exchanged_in_the_sweep(_: _Made) -> _Made:
    """Put v - 1 (w'v) for v - w (1'v)."""
    return lambda ctx, w, v: [entry - ctx.fdot(w, v) for entry in v]


def without_n(right: _Made) -> _Made:
    """Leave out the factor n of alpha', in either package."""

    def coefficients(*given: Any) -> Any:
        found = right(*given)
        (point,) = (entry for entry in given if hasattr(entry, "weights"))
        alpha_new = "alpha_new" if hasattr(found, "alpha_new") else "new"
        return replace(found, **{alpha_new: getattr(found, alpha_new) / len(point.weights)})

    return coefficients
