"""From the coefficients of derivatives to what is reported of them, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._influence import Coefficients, Mask, NewPoints, Site
from rkde.fast._influence_norm import L2Norms
from rkde.fast._influence_site import Tables
from rkde.fast._memory import require
from rkde.fast.inputs import Floats
from rkde.fast.results import Influence

_FLOAT_BYTES: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """An `Influence` in the making; what no block fills in is exactly 0, the influence where phi(r') = 0."""

    if_coef: Floats
    if_coef_new: Floats
    at_new: Floats
    l2_norm: Floats
    condition: Floats

    @classmethod
    def of(cls, tables: Tables) -> Draft:
        """Return one of zeros."""
        count = tables.count
        return cls(
            np.zeros((count, len(tables.rows.rows))),
            np.zeros(count),
            np.zeros(count),
            np.zeros(count),
            np.ones(count),
        )

    def fill(
        self,
        block: slice,
        chosen: Mask,
        site: Site,
        new: NewPoints,
        found: Coefficients,
        norms: L2Norms,
        apart_new: Floats,
    ) -> None:
        """Write down the derivatives of the chosen points of a block.

        Parameters
        ----------
        block : slice
            Of the contaminating points.
        chosen : ndarray of bool
            Those that `new`, `found` and `apart_new` are about.
        site : Site
        new : NewPoints
        found : Coefficients
        norms : L2Norms
        apart_new : ndarray, shape (number of chosen points, n)
            1 minus the self-convolution between them and the rows.
        """
        places = np.arange(block.start, block.stop)[chosen]
        if len(places) == block.stop - block.start:
            found.fill(site.weights, self.if_coef[block])
        else:
            rows = np.empty((len(places), len(site.weights)))
            found.fill(site.weights, rows)
            self.if_coef[places] = rows
        self.if_coef_new[places] = found.new
        self.condition[places] = found.condition
        # The coefficients have sum 0, so IF(x', x') is -1/2 their mean of D'_i: no digit is lost.
        at_rows = np.einsum("ij,ij->i", found.pulls, new.distances[:, found.active])
        self.at_new[places] = (found.mass * new.mean_distances - at_rows) / 2
        self.l2_norm[places] = np.sqrt(norms.squares(found, apart_new))

    def finish(
        self, tables: Tables, site: Site, from_below: Influence | None, *, one_sided: bool
    ) -> Influence:
        """Return the result, with the influence at the queries."""
        at_queries = np.empty((tables.count, len(tables.queries.rows)))
        for part in tables.query_blocks():
            at_queries[:, part] = self._at_queries(tables, site, part)
        for values in (self.if_coef, self.if_coef_new, self.at_new, self.l2_norm, at_queries):
            values.flags.writeable = False
        return Influence(
            if_coef=self.if_coef,
            if_coef_new=self.if_coef_new,
            influence=at_queries,
            if_at_new=self.at_new,
            if_l2_norm=self.l2_norm,
            one_sided=one_sided,
            from_below=from_below,
            condition=float(self.condition.max(initial=1.0)),
        )

    def _at_queries(self, tables: Tables, site: Site, part: slice) -> Floats:
        queries = tables.queries.part(part.start, part.stop)
        profile = tables.profile(tables.rows, queries)
        at_new = tables.profile(tables.x_new, queries)
        # Since the coefficients have sum 0, a constant may be subtracted; 1 where most values are near it.
        near = site.weights @ profile > 1 / 2
        if near.any():
            chosen = tables.queries.part(part.start, part.stop)
            profile[:, near] = -tables.complement(tables.rows, chosen)[:, near]
            at_new[:, near] = -tables.complement(tables.x_new, chosen)[:, near]
        return np.asarray(self.if_coef @ profile + self.if_coef_new[:, np.newaxis] * at_new)


def require_results(tables: Tables, limit: int, *, sides: int) -> None:
    """Refuse results that do not fit.

    Parameters
    ----------
    tables : Tables
    limit : int
        Bytes.
    sides : int
        1, or 2 where there are derivatives from below, too.

    Raises
    ------
    MemoryLimit
    """
    needed = _FLOAT_BYTES * sides * tables.count * (len(tables.rows.rows) + len(tables.queries.rows))
    require(
        needed,
        limit,
        purpose=f"the influence of {tables.count} points on {len(tables.rows.rows)} rows",
        where="x_new",
        remedy="pass fewer points at a time, or raise memory_limit",
    )
