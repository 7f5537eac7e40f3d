"""Claims about strict convexity of J: Lemma 2 with the steps of its proof (sections 3 and 8.3)."""

from typing import Final

import sympy
import z3
from flint import arb

from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.certify import enclose_objective
from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Huber

STRICT_RHO = Claim(
    id="convexity.strict_rho",
    label="lemma:strict_convex (i), ssec:strict_convex",
    section="8.3",
    statement="A strictly convex, non-decreasing rho makes J strictly convex, whatever the rows are.",
    hypotheses=("rho is strictly convex", "rho is non-decreasing"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Each row's term is strictly convex between g and h. If |Phi_i - g| and |Phi_i - h| differ, rho is "
        "strictly convex between the two; if they agree, the norm in between is strictly smaller, because "
        "g and h differ, and a strictly convex non-decreasing rho is strictly increasing."
    ),
    source=Source.PRINTED,
)
SECOND = Claim(
    id="convexity.second_inequality",
    label="ssec:strict_convex",
    section="8.3",
    statement="Under condition (i) of Lemma 2 the second inequality of its proof is strict.",
    verdict=Verdict.FAILS,
    level=Level.FORMAL,
    argument=(
        "n = 1, g = Phi + u, h = Phi - u with |u| = 1: both norms are 1, so it reads rho(1) <= rho(1). The "
        "lemma is saved by the first inequality, which is strict there: rho(0) < rho(1) at the midpoint."
    ),
    counterexample=("check_equal_norms_make_it_an_equality",),
    source=Source.PRINTED,
)
EQUALITY = Claim(
    id="convexity.triangle_equality",
    label="eqn:equal",
    section="8.3",
    statement=(
        "Equality in the triangle inequality for Phi_i - g and Phi_i - h holds only if the two are linearly "
        "dependent; the paper's text writes j for the second i."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Squared, it says <p, q> = |p||q|, and then ||q|p - |p|q| = 0. The stray j does no harm: once every "
        "Phi_i is on the line through g and h, Phi_i - g and Phi_j - h are dependent for all i and j."
    ),
    source=Source.PRINTED,
)
HUBER = Claim(
    id="convexity.huber_example",
    label="lemma:strict_convex (ii)",
    section="3",
    statement=(
        "J can be strictly convex between two points for Huber's loss although rho is linear on both sides."
    ),
    hypotheses=("at least three of the rows are distinct",),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument=(
        "X = {0, 1, 3}, sigma = 1, a = 1/10, weights (1, 0, 0) and (0, 1, 0): J at the midpoint is below the "
        "mean of both values by a proved amount. With two rows the amount is 0."
    ),
    necessity=(("at least three of the rows are distinct", "check_two_rows_have_no_gap"),),
    source=Source.PRINTED,
)

_HUBER: Final = Huber("0.1")
_KERNEL: Final = Gaussian(1)


def _between() -> tuple[list[z3.BoolRef], list[z3.ArithRef]]:
    """Say what norms p = |Phi - g|, q = |Phi - h| and that in between obey, g != h; return them and s."""
    p, q, inner, mean, share = norms = z3.Reals("p q inner mean s")
    known = [norm >= 0 for norm in (p, q, mean)]
    known += [share > 0, share < 1, inner <= p * q, p * p - 2 * inner + q * q > 0]
    rest = 1 - share
    known.append(
        mean * mean == share * share * p * p + 2 * share * rest * inner + rest * rest * q * q
    )  # fmt: skip
    return known, norms


@evidence(STRICT_RHO, level=Level.PROVED)
def check_norm_in_between() -> None:
    """Refute a norm in between above the mean of both norms, or equal to both where they agree."""
    known, (p, q, _, mean, share) = _between()
    assert not has_model(*known, mean > share * p + (1 - share) * q)
    assert not has_model(*known, p == q, mean >= p)


@evidence(STRICT_RHO, level=Level.PROVED)
def check_each_row_is_strict() -> None:
    """Refute equality for one row from what check_norm_in_between gives and four values of a strict rho."""
    p, q, mean, share = z3.Reals("p q mean s")
    at_p, at_q, at_mean, at_chord, halfway = z3.Reals("rho_p rho_q rho_mean rho_chord rho_halfway")
    norms = [share > 0, share < 1, z3.Implies(p == q, mean < p)]
    # rho at the mean of the norms, and halfway between the norm in between and p.
    increasing = [at_mean <= at_chord, z3.Implies(mean < p, z3.And(at_mean <= halfway, halfway <= at_p))]
    strict = [
        z3.Implies(p != q, at_chord < share * at_p + (1 - share) * at_q),
        z3.Implies(mean < p, 2 * halfway < at_mean + at_p),
        z3.Implies(p == q, at_p == at_q),
    ]
    assert not has_model(*norms, *increasing, *strict, at_mean >= share * at_p + (1 - share) * at_q)


@evidence(SECOND, level=Level.PROVED)
def check_equal_norms_make_it_an_equality() -> None:
    """Evaluate both sides for rho = t^2, u = 1 and any share: equality; the first inequality is strict."""
    share = sympy.Symbol("s", real=True)
    norm_g, norm_h = sympy.Abs(sympy.Integer(-1)), sympy.Abs(sympy.Integer(1))
    assert is_zero((share * norm_g + (1 - share) * norm_h) ** 2 - share * norm_g**2 - (1 - share) * norm_h**2)
    half = sympy.Rational(1, 2)
    assert sympy.Abs(half * -1 + (1 - half) * 1) < half * norm_g + half * norm_h


@evidence(EQUALITY, level=Level.PROVED)
def check_equality_means_parallel() -> None:
    """Squaring leaves 2 s (1 - s)(|p||q| - <p, q>) = 0, and ||q|p - |p|q|^2 is 2|p||q| times that factor."""
    share, p, q, inner = sympy.symbols("s p q inner", positive=True)
    norm_of_sum = share**2 * p**2 + 2 * share * (1 - share) * inner + (1 - share) ** 2 * q**2
    sum_of_norms = (share * p + (1 - share) * q) ** 2
    assert is_zero(sum_of_norms - norm_of_sum - 2 * share * (1 - share) * (p * q - inner))
    combination = q**2 * p**2 - 2 * q * p * inner + p**2 * q**2
    assert is_zero(combination - 2 * p * q * (p * q - inner))


@evidence(EQUALITY, level=Level.PROVED)
def check_any_two_indices_are_dependent_then() -> None:
    """Put Phi_i = g + s (h - g), Phi_j = g + t (h - g): both differences are multiples of h - g."""
    s, t, g_0, g_1, h_0, h_1 = sympy.symbols("s t g_0 g_1 h_0 h_1")
    g, h = sympy.Matrix([g_0, g_1]), sympy.Matrix([h_0, h_1])
    left, right = s * (h - g), g + t * (h - g) - h
    assert is_zero(sympy.Matrix.hstack(left, right).det())


def _gap(rows: list[list[int]]) -> arb:
    """Return the mean of J at the first two features minus J at their midpoint."""
    rest = [0] * (len(rows) - 2)
    first, second, middle = (
        enclose_objective(rows, _KERNEL, _HUBER, [*weights, *rest])
        for weights in ([1, 0], [0, 1], ["0.5", "0.5"])
    )
    return (first + second) / 2 - middle


@evidence(HUBER, level=Level.CERTIFIED)
def check_three_rows_have_a_gap() -> None:
    """Enclose the gap: it is positive."""
    assert _gap([[0], [1], [3]]) > arb("0.001")


@evidence(HUBER, level=Level.TESTED, corroborates=True)
def check_two_rows_have_no_gap() -> None:
    """Compare J of two rows at (3/4, 1/4) and in the middle: equal, as both residuals exceed a."""
    values = [enclose_objective([[0], [1]], _KERNEL, _HUBER, w) for w in (["0.75", "0.25"], ["0.5", "0.5"])]
    assert values[0].overlaps(values[1])
    assert (values[0] - values[1]).rad() < arb("1e-60")
