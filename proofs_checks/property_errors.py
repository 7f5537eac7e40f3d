"""The error that a package's influence coefficients may have, at a case of the six properties."""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext

from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks import property_measures as measures
from rkde.proofs_checks.property_cases import Case
from rkde.proofs_checks.property_runs import Derivative, Package
from rkde.reference.numbers import Number


def influence_error(
    ctx: MPContext,
    case: Case,
    package: Package,
    weights: Sequence[Number],
    found: Derivative,
    condition: float,
) -> float:
    """Bound the sum of the errors of a package's coefficients, at the condition that the reference finds."""
    norms = [float(norm) for norm in measures.Point.at(ctx, case, weights).norms]
    factor = tolerances.cancellation(norms, [float(weight) for weight in weights])
    digits = None if package.is_fast else bridge.DIGITS
    sizes = [float(entry) for entry in found.coefficients]
    return tolerances.influence_error(sizes, case.dim, condition, factor, digits)
