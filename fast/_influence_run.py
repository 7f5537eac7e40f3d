"""The derivatives at all contaminating points, block by block, with the systems of one factorization."""

from __future__ import annotations

from rkde.fast._influence_norm import L2Norms
from rkde.fast._influence_report import Draft, require_results
from rkde.fast._influence_site import Tables, stationary_site
from rkde.fast._kinks import (
    ABOVE,
    BELOW,
    Systems,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.fast._loss import Loss
from rkde.fast.inputs import Floats
from rkde.fast.operators import KernelOperator
from rkde.fast.results import Influence


def influence_at(
    operator: KernelOperator, tables: Tables, loss: Loss, weights: Floats, memory_limit: int
) -> Influence:
    """Return the influence of all contaminating points.

    Parameters
    ----------
    operator : KernelOperator
        Of X and the kernel.
    tables : Tables
        The points.
    loss : Loss
        The loss.
    weights : ndarray, shape (n,)
        Of sum 1.
    memory_limit : int
        Bytes.

    Returns
    -------
    Influence

    Raises
    ------
    InvalidInput, AllWeightsZero, NotDifferentiable, SingularSystem, MemoryLimit
        As `rkde.fast.influence`.
    """
    site = stationary_site(operator, loss, weights)
    kinked = kinked_locations(loss, site)
    sides = (ABOVE, BELOW) if kinked else (ABOVE,)
    require_results(tables, memory_limit, sides=len(sides))
    drafts = [Draft.of(tables) for _ in sides]
    prepared: tuple[Systems, L2Norms] | None = None
    for block in tables.blocks():
        new = tables.new_points(loss, site, block)
        moving = new.phi > 0
        if not moving.any():
            continue
        if prepared is None:
            systems = systems_by_pattern(loss, site, kinked, tables.count)
            prepared = systems, L2Norms(tables.kernel, tables.rows, site.weights, systems.active)
        systems, norms = prepared
        part = new.part(moving)
        apart_new = norms.to_points(tables.x_new.part(block.start, block.stop))
        apart_new = apart_new if moving.all() else apart_new[moving]
        for side, draft in zip(sides, drafts, strict=True):
            found = one_sided_coefficients(loss, site, part, systems, side)
            draft.fill(block, moving, site, part, found, norms, apart_new)
    below = drafts[1].finish(tables, site, None, one_sided=True) if kinked else None
    return drafts[0].finish(tables, site, below, one_sided=bool(kinked))
