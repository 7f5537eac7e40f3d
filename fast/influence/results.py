"""What the influence function returns."""

from __future__ import annotations

from dataclasses import dataclass

from rkde.fast._float64 import Floats
from rkde.fast._resources import counted, summary_html, summary_text


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """The influence function of an estimate at m contaminating points (section 5), in units of tau^2.

    Attributes
    ----------
    if_coef : ndarray, shape (m, n)
        alpha_i of Theorem 5, without unit; each row sums to -alpha'.
    if_coef_new : ndarray, shape (m,)
        alpha', without unit.
    influence : ndarray, shape (m, q)
        IF(x, x') at each query x, in tau^2; q = 0 without queries.
    if_at_new : ndarray, shape (m,)
        alpha(x') = IF(x', x') of section 6.2.1, in tau^2.
    if_l2_norm : ndarray, shape (m,)
        beta(x') of section 6.2.1 in units of the L2 norm of one kernel.
    one_sided : bool
        Whether a residual lies on a kink of the loss; the fields then hold the derivative for s going to 0
        from above.
    from_below : Influence or None
        The same for s going to 0 from below, where `one_sided`; its own `from_below` is None.
    condition : float
        Condition number of n times the Hessian of J, the largest of those that were solved with; 1 where
        nothing was solved.

    Examples
    --------
    >>> from rkde.fast import Gaussian, Quadratic, influence
    >>> found = influence([[0.0], [1.0]], Gaussian(1.0), Quadratic(), [0.5, 0.5], [[3.0]], [[3.0]])
    >>> found.if_coef, found.if_coef_new
    (array([[-0.5, -0.5]]), array([1.]))
    >>> found.influence.shape, found.one_sided
    ((1, 1), False)
    """

    if_coef: Floats
    if_coef_new: Floats
    influence: Floats
    if_at_new: Floats
    if_l2_norm: Floats
    one_sided: bool
    from_below: Influence | None
    condition: float

    def __repr__(self) -> str:
        """Say in a few lines what came out; `dataclasses.asdict` holds everything."""
        return summary_text(*_summary(self))

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        return summary_html(*_summary(self))


def _summary(found: Influence) -> tuple[str, list[tuple[str, str]]]:
    """Return title and lines."""
    m, n = found.if_coef.shape
    places = counted(m, "contaminating point")
    title = f"influence of {places} on an estimate of {counted(n, 'row')}"
    sides = "from above and from below, at a kink of the loss" if found.one_sided else "two-sided"
    return title, [
        ("at the point itself", _range(found.if_at_new, "tau^2")),
        ("L2 norm", _range(found.if_l2_norm, "times that of one kernel")),
        ("queries", str(found.influence.shape[1])),
        ("derivative", sides),
        ("condition", f"{found.condition:.3g}"),
    ]


def _range(values: Floats, unit: str) -> str:
    if not len(values):
        return "none"
    low, high = float(values.min()), float(values.max())
    return f"{low:.4g} {unit}" if low == high else f"{low:.4g} to {high:.4g} {unit}"
