"""Claims about the Gateaux differential of J: Lemma 1 and its proof (sections 3 and 8.1)."""

import sympy
import z3

from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero

NECESSARY = Claim(
    id="gateaux.necessary",
    label="sec:representer (optimality)",
    section="3",
    statement="Where the differential of T exists, it vanishes in every direction at a global minimum of T.",
    hypotheses=("the differential exists",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "With slope s < 0 along h and a remainder of at most |s| step/2 for small steps, T is lower after "
        "such a step; with slope s > 0 take -h. The condition is not sufficient: t^3 at 0."
    ),
    necessity=(("the differential exists", "check_a_minimum_without_differential"),),
    source=Source.PRINTED,
)
OFF_THE_POINT = Claim(
    id="gateaux.off_the_point",
    label="lemma:v_mu, eqn:V, eqn:deriv_rho1, enq:deriv_rho, ssec:proof_lemma_v_mu",
    section="8.1",
    statement=(
        "Where Phi(x) differs from g + alpha h, the derivative of rho(|Phi(x) - g - alpha h|) in alpha is "
        "phi(|.|) times -<Phi(x) - g - alpha h, h>; the mean over the rows is -<V(g), h>."
    ),
    hypotheses=("rho is differentiable off 0", "a1, for the mean over the rows"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Chain rule through the square of the norm, for an arbitrary function rho; two coordinates hold the "
        "plane of Phi(x) - g and h. The mean is linear, for every number of rows."
    ),
    source=Source.PRINTED,
)
AT_THE_POINT = Claim(
    id="gateaux.at_the_point",
    label="lemma:v_mu, eqn:deriv_rho2",
    section="8.1",
    statement=(
        "Where Phi(x) = g + alpha h, the derivative is the limit of rho(|delta| |h|)/delta, which is 0 by "
        "(A1), from both sides."
    ),
    hypotheses=("a1", "a2"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="If h != 0, its size is |h| rho(u)/u with u = |delta| |h|, which tends to 0; if h = 0, it is 0.",
    necessity=(("a1", "check_absolute_loss_has_no_differential"),),
    source=Source.PRINTED,
)
SIGN = Claim(
    id="gateaux.increment_sign",
    label="eqn:deriv_rho2",
    section="8.1",
    statement=(
        "|delta h| = |delta| |h|: the third line must read rho(|delta| |h|), not rho(delta |h|), which asks "
        "for rho at a negative argument when delta < 0."
    ),
    verdict=Verdict.MISPRINT,
    level=Level.FORMAL,
    argument="delta = -1, |h| = 2: the norm of delta h is 2, and delta |h| = -2, where rho is not defined.",
    counterexample=("check_norm_of_a_negative_multiple",),
    source=Source.PRINTED,
)


@evidence(NECESSARY, level=Level.PROVED)
def check_a_slope_gives_descent() -> None:
    """Refute T(x + step h) >= T(x) for slope s < 0 and a remainder of at most half of |s| step."""
    slope, step, change = z3.Reals("slope step change")
    remainder = change - slope * step
    assert not has_model(slope < 0, step > 0, 2 * remainder <= -slope * step, change >= 0)
    assert has_model(slope < 0, step > 0, remainder <= -slope * step, change >= 0)


@evidence(NECESSARY, level=Level.PROVED)
def check_it_is_not_sufficient() -> None:
    """t^3 has derivative 0 at 0 and no minimum there."""
    (t,) = sympy.symbols("t,", real=True)
    assert is_zero((t**3).diff(t).subs(t, 0))
    assert (t**3).subs(t, -1) < 0


@evidence(NECESSARY, level=Level.PROVED)
def check_a_minimum_without_differential() -> None:
    """|t| is least at 0, with one-sided slopes -1 and 1, as J of the absolute loss is at a data point."""
    (t,) = sympy.symbols("t,", real=True)
    slopes = [sympy.limit(sympy.Abs(t) / t, t, 0, side) for side in ("-", "+")]
    assert slopes == [sympy.Integer(-1), sympy.Integer(1)]


@evidence(OFF_THE_POINT, level=Level.PROVED)
def check_chain_rule() -> None:
    """Differentiate an arbitrary function of the norm in two coordinates."""
    alpha, h_0, h_1, p_0, p_1 = sympy.symbols("alpha h_0 h_1 p_0 p_1", real=True)
    rho, u = sympy.Function("rho"), sympy.Symbol("u", positive=True)
    rest = [p_0 - alpha * h_0, p_1 - alpha * h_1]
    norm = sympy.sqrt(rest[0] ** 2 + rest[1] ** 2)
    phi = (rho(u).diff(u) / u).subs(u, norm).doit()
    inner = rest[0] * h_0 + rest[1] * h_1
    assert is_zero(rho(norm).diff(alpha).doit() - phi * -inner)


@evidence(AT_THE_POINT, level=Level.PROVED)
def check_quotient_at_the_point() -> None:
    """|rho(u)/delta| = |h| rho(u)/u for u = |delta| |h|, so a bound e on rho(u)/u gives e |h|."""
    value, delta, size, length, bound = z3.Reals("rho delta size h e")
    known = [length > 0, size > 0, z3.Or(delta == size, delta == -size), value >= 0, bound > 0]
    small = value <= bound * size * length
    for quotient in (value, -value):
        assert not has_model(*known, small, quotient > bound * length * size)
    assert has_model(*known, value <= 2 * bound * size * length, value > bound * length * size)


@evidence(AT_THE_POINT, level=Level.PROVED)
def check_absolute_loss_has_no_differential() -> None:
    """Drop (A1): rho(t) = t gives |delta| |h|/delta, with limits -|h| and |h|."""
    delta, h = sympy.Symbol("delta", real=True), sympy.Symbol("h", positive=True)
    limits = [sympy.limit(sympy.Abs(delta) * h / delta, delta, 0, side) for side in ("-", "+")]
    assert limits == [-h, h]


@evidence(SIGN, level=Level.PROVED)
def check_norm_of_a_negative_multiple() -> None:
    """Compare the norm of delta h with |delta| |h| for every delta; for delta = -1, |h| = 2 it is 2."""
    delta, h = sympy.Symbol("delta", real=True), sympy.Symbol("h", positive=True)
    norm = sympy.sqrt((delta * h) ** 2)
    assert is_zero(norm - sympy.Abs(delta) * h)
    assert norm.subs({delta: -1, h: 2}) > 0 > (delta * h).subs({delta: -1, h: 2})
