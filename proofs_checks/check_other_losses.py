"""Claims that other losses satisfy (A1) to (A5) too (section 2), and what the quadratic loss does."""

import sympy
import z3

from rkde.proofs_checks import bridge
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import LossSpec
from rkde.proofs_checks.symbolic import is_zero

PSEUDO_HUBER = Claim(
    id="other_losses.pseudo_huber",
    label="sec:rkde (many other losses)",
    section="2",
    statement=(
        "The pseudo-Huber loss rho(t) = sqrt(1 + t^2) - 1 satisfies (A1) to (A5) and is strictly convex; "
        "phi = (1 + t^2)^(-1/2)."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="psi = t phi < 1, 0 < phi <= 1, |phi'| = t phi^3 <= 1, and psi' = phi^3 > 0.",
    source=Source.PRINTED,
)
CAUCHY = Claim(
    id="other_losses.cauchy",
    label="sec:rkde (many other losses)",
    section="2",
    statement="Cauchy's loss rho(t) = log(1 + t^2)/2 satisfies (A1) to (A5); phi = 1/(1 + t^2) decreases.",
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="psi = t/(1 + t^2) <= 1/2, 0 < phi <= 1, |phi'| = 2t/(1 + t^2)^2 <= 1.",
    source=Source.PRINTED,
)
WELSCH = Claim(
    id="other_losses.welsch",
    label="sec:rkde (many other losses)",
    section="2",
    statement=(
        "Welsch's loss rho(t) = 1 - exp(-t^2/2) satisfies (A1) to (A5), is bounded, and has a phi that is "
        "positive everywhere."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="phi = exp(-t^2/2), and psi = -phi' = t phi <= t/(1 + t^2/2) <= 1 by exp(s) >= 1 + s.",
    source=Source.PRINTED,
)
QUADRATIC = Claim(
    id="other_losses.quadratic",
    label="fig:rho_psi, sec:rkde",
    section="2",
    statement=(
        "The quadratic loss has phi = 1 constant, as Figure 1 shows; it satisfies (A1) to (A3) and (A5), "
        "and (A4) fails because psi is unbounded."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="rho = t^2/2, psi = t, which tends to infinity, and phi = 1.",
    source=Source.PRINTED,
)


def _check_beginning(rho: sympy.Expr, phi: sympy.Expr, t: sympy.Expr) -> None:
    """Check rho(0) = 0, rho/t -> 0, phi -> 1 at 0, and rho' = t phi: (A1), (A2) and continuity off 0."""
    assert is_zero(rho.subs(t, 0))
    assert is_zero(sympy.limit(rho / t, t, 0, "+"))
    assert is_zero(sympy.limit(phi, t, 0, "+") - 1)
    assert is_zero(rho.diff(t) - t * phi)


@evidence(PSEUDO_HUBER, level=Level.PROVED)
def check_pseudo_huber() -> None:
    """Differentiate symbolically; decide the bounds with y = sqrt(1 + t^2) as an unknown."""
    (t,) = sympy.symbols("t,", positive=True)
    phi = 1 / sympy.sqrt(1 + t**2)
    _check_beginning(sympy.sqrt(1 + t**2) - 1, phi, t)
    assert is_zero(phi.diff(t) + t * phi**3)
    assert is_zero((t * phi).diff(t) - phi**3)
    x, y = z3.Reals("t y")
    known = [x >= 0, y > 0, y * y == 1 + x * x]
    assert not has_model(*known, z3.Or(x > y, y < 1, x > y * y * y))


@evidence(CAUCHY, level=Level.PROVED)
def check_cauchy() -> None:
    """Differentiate symbolically; decide the bounds over the reals. A bound of 2/5 on psi is refuted."""
    (t,) = sympy.symbols("t,", positive=True)
    phi = 1 / (1 + t**2)
    _check_beginning(sympy.log(1 + t**2) / 2, phi, t)
    assert is_zero(phi.diff(t) + 2 * t * phi**2)
    x = z3.Real("t")
    square = 1 + x * x
    assert not has_model(x >= 0, z3.Or(2 * x > square, 2 * x > square * square))
    assert has_model(x >= 0, 5 * x > 2 * square)


@evidence(WELSCH, level=Level.PROVED)
def check_welsch() -> None:
    """Differentiate symbolically; exp(s) >= 1 + s turns the bound into one over the reals."""
    t, s = sympy.symbols("t s", positive=True)
    phi = sympy.exp(-(t**2) / 2)
    _check_beginning(1 - phi, phi, t)
    assert is_zero(phi.diff(t) + t * phi)
    assert is_zero(sympy.limit(phi, t, sympy.oo))
    # exp(s) - 1 - s is 0 at 0 and has the derivative exp(s) - 1 > 0.
    growth = sympy.exp(s) - 1 - s
    assert is_zero(growth.subs(s, 0))
    assert is_zero(growth.diff(s).diff(s) - sympy.exp(s))
    assert is_zero(growth.diff(s).subs(s, 0))
    x = z3.Real("t")
    assert not has_model(x >= 0, x > 1 + x * x / 2)


@evidence(QUADRATIC, level=Level.PROVED)
def check_quadratic() -> None:
    """Let psi tend to infinity while phi is constant."""
    (t,) = sympy.symbols("t,", positive=True)
    _check_beginning(t**2 / 2, sympy.Integer(1), t)
    assert sympy.limit((t**2 / 2).diff(t), t, sympy.oo) == sympy.oo


@evidence(QUADRATIC, level=Level.TESTED, corroborates=True)
def check_quadratic_in_both_implementations() -> None:
    """Evaluate phi of both packages at four arguments: 1."""
    spec, ctx, arguments = LossSpec("quadratic"), bridge.context(), [0.0, 0.25, 1.0, 1e6]
    assert [bridge.reference_loss(spec).phi(ctx, x) for x in arguments] == [1] * len(arguments)
    assert bridge.fast_loss(spec).phi(arguments).tolist() == [1.0] * len(arguments)
