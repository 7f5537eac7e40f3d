"""Claims about the Kullback-Leibler divergence and its estimate (section 6.2.2)."""

from __future__ import annotations

import math
from itertools import product
from typing import Final

import pytest
import sympy
from flint import arb

from rkde.fast.divergence import kl_divergence as fast_divergence
from rkde.fast.rkhs import log_density as fast_log_density
from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.measures import scalar_error
from rkde.proofs_checks.strategies import KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.certify import enclose_log_density
from rkde.reference.divergence import kl_divergence
from rkde.reference.kernels import Gaussian

MEAN = Claim(
    id="divergence.sample_mean",
    label="ssec:exp_results (KL estimate)",
    section="6.2.2",
    statement=(
        "The estimate of D_KL is the mean (1/n') sum log(f/f_0) over draws from f; the display lacks 1/n' "
        "and grows with the number of draws."
    ),
    hypotheses=("draws from f",),
    verdict=Verdict.MISPRINT,
    level=Level.PROVED,
    argument=(
        "f with shares 1/3 and 2/3 in two cells, f_0 with equal ones: over two independent draws the printed "
        "sum has expectation 2 D_KL and D_KL > 0; by linearity n' D_KL for n' draws. (The text does call it "
        "the sample mean.)"
    ),
    counterexample=("check_two_draws",),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
LARGE = Claim(
    id="divergence.large_where_no_mass",
    label="ssec:exp_results (KL divergence)",
    section="6.2.2",
    statement=(
        "D_KL(f || f_0) is large if f has mass where f_0 has little: it grows without bound as that mass "
        "falls."
    ),
    hypotheses=("f_0 > 0 where f > 0",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Share m of f where f_0 has share e, all within two cells: m log(m/e) + (1 - m) log((1 - m)/(1 - e)) "
        "-> infinity as e -> 0, and it is 0 at e = m."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
UNDERFLOW = Claim(
    id="divergence.infinite_by_underflow",
    label="ssec:exp_results (infinite to machine precision)",
    section="6.2.2",
    statement=(
        "An infinite estimate is an artefact of computing f_0(y) before its logarithm: for the kernels of "
        "the paper f_0 > 0 everywhere, and log f_0 by log-sum-exp is finite."
    ),
    hypotheses=("a kernel that is positive everywhere",),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument="Rows 0 and 1, sigma = 1, y = 60: log f_0 = -1742.1..., while exp of it is 0 in float64.",
    source=Source.PRINTED,
)

_FAR: Final = 60.0
_ROWS: Final = [[0.0], [1.0]]
_EVEN: Final = [0.5, 0.5]


@evidence(MEAN, level=Level.PROVED)
def check_two_draws() -> None:
    """Weigh the four outcomes of two draws: the mean has expectation D_KL, the printed sum twice it."""
    shares = [sympy.Rational(1, 3), sympy.Rational(2, 3)]
    ratios = [sympy.log(share / sympy.Rational(1, 2)) for share in shares]
    divergence = sum(share * ratio for share, ratio in zip(shares, ratios, strict=True))
    n_draws, expected_sum, expected_mean = 2, sympy.Integer(0), sympy.Integer(0)
    for first, second in product(range(len(shares)), repeat=n_draws):
        chance, printed = shares[first] * shares[second], ratios[first] + ratios[second]
        mean = printed / n_draws
        expected_sum += chance * printed
        expected_mean += chance * mean
    assert is_zero(expected_mean - divergence)
    assert not is_zero(expected_sum - divergence)
    assert is_zero(expected_sum - n_draws * divergence)


@evidence(MEAN, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("count", [1, 2, 64])
def check_implementations_divide(count: int) -> None:
    """Give both implementations equal ratios log 2: the estimate does not depend on the number of draws."""
    first, second = [0.0] * count, [-math.log(2)] * count
    exact = kl_divergence(bridge.context(), first, second).kl_divergence
    assert scalar_error(exact, math.log(2)) <= tolerances.reference_bound(bridge.DIGITS, count + 1)
    fast = fast_divergence(first, second).kl_divergence
    assert scalar_error(fast, math.log(2)) <= tolerances.sum_bound(count + 1)


@evidence(LARGE, level=Level.PROVED)
def check_two_cells() -> None:
    """Let the share of f_0 fall to 0: the limit is infinite; equal shares give 0."""
    share = sympy.Rational(1, 3)
    (rest,) = sympy.symbols("e,", positive=True)
    divergence = share * sympy.log(share / rest) + (1 - share) * sympy.log((1 - share) / (1 - rest))
    assert sympy.limit(divergence, rest, 0, "+") == sympy.oo
    assert is_zero(divergence.subs(rest, share))


@evidence(UNDERFLOW, level=Level.CERTIFIED)
def check_log_density_is_finite() -> None:
    """Enclose log f_0 at y, which exp turns to 0 in float64; the fast value lies within its bound."""
    exact = enclose_log_density(_ROWS, Gaussian(1), _EVEN, [[_FAR]])[0]
    assert arb(-1743) < exact < arb(-1742)
    assert math.exp(float(exact.mid())) == 0
    fast = float(fast_log_density(_ROWS, bridge.fast_kernel(KernelSpec("gaussian", 1.0)), _EVEN, [[_FAR]])[0])
    bound = tolerances.log_density_bound(fast, abs(math.log(2 * math.pi)), len(_ROWS), 1)
    assert abs(arb(fast) - exact) < arb(bound)


@evidence(UNDERFLOW, level=Level.TESTED, corroborates=True)
def check_estimate_stays_finite() -> None:
    """Estimate the divergence with a draw at y: finite, no infinite ratio counted; -inf would be counted."""
    far = float(enclose_log_density(_ROWS, Gaussian(1), _EVEN, [[_FAR]])[0].mid())
    estimate = fast_divergence([-1.0, -1.0], [-1.0, far])
    assert math.isfinite(estimate.kl_divergence)
    assert estimate.n_infinite == 0
    assert fast_divergence([-1.0, -1.0], [-1.0, -math.inf]).n_infinite == 1
