"""Claims about Hampel's loss and global minimisers: what the theory does not cover."""

from typing import Final

import pytest
import z3
from flint import arb

from rkde.fast.solvers import kirwls as fast_kirwls
from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.measures import scalar_error
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.reference.certify import Enclosure, certify_limit
from rkde.reference.solvers import kirwls
from rkde.vocabulary import Stationarity, Status

ARGMIN = Claim(
    id="hampel_nonconvex.argmin",
    label="eqn:rkde, sec:kirwls",
    section="4",
    statement="KIRWLS with Hampel's loss converges to the minimiser of J that defines the RKDE.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "X = {-2.1, -1.9, 1.9, 2.1}, sigma = 1, (a, b, c) = (0.3, 0.6, 1.2): from uniform weights the "
        "iterates stay symmetric and end at J = 0.16509, a saddle (local_minima.limit_at_saddle); all weight "
        "on one pair is stationary too and has J = 0.11498."
    ),
    counterexample=("check_enclosed_values",),
    source=Source.IMPLIED,
)
NEVER_STRICTLY_CONVEX = Claim(
    id="hampel_nonconvex.theory_covers_experiments",
    label="thm:sufficient",
    section="3",
    statement=(
        "Theorem 2 and the corollary cover the loss of the experiments: J of Hampel's loss is strictly "
        "convex for some data."
    ),
    verdict=Verdict.FAILS,
    level=Level.FORMAL,
    argument=(
        "rho is constant beyond c and |Phi_i - g| >= |g| - tau, so J is constant on |g| >= c + tau, "
        "whatever the data."
    ),
    counterexample=("check_rho_is_flat_beyond_c",),
    source=Source.IMPLIED,
)

_ROWS: Final = [[-2.1], [-1.9], [1.9], [2.1]]
_KERNEL: Final = KernelSpec("gaussian", 1.0)
_LOSS: Final = LossSpec("hampel", (0.3, 0.6, 1.2))
_ONE_PAIR: Final = [0.5, 0.5, 0.0, 0.0]
_EVEN: Final = [0.25] * 4
_FINE: Final = Stationarity("1e-30")
_COARSE: Final = Stationarity(1e-13)
# The printed five digits of both values of J.
_SADDLE_VALUE: Final = "0.16509"
_MINIMUM_VALUE: Final = "0.11498"
_PRINTED_DIGITS: Final = 4
_CAP: Final = 5000


def _value_at_limit(start: list[float]) -> float:
    """Return J at the reference's limit from a start, and require that it is stationary."""
    ctx = bridge.context()
    result = kirwls(
        ctx,
        _ROWS,
        bridge.reference_kernel(_KERNEL),
        bridge.reference_loss(_LOSS),
        weights_init=start,
        stop=_FINE,
        max_iter=_CAP,
    )
    assert result.status == Status.CONVERGED
    return float(result.objective)


def _enclosed(start: list[float]) -> Enclosure:
    """Prove where KIRWLS goes from a start."""
    end = certify_limit(_ROWS, bridge.reference_kernel(_KERNEL), bridge.reference_loss(_LOSS), start)
    assert end.branch_proved
    return end


@evidence(ARGMIN, level=Level.CERTIFIED)
def check_enclosed_values() -> None:
    """Enclose both limits in balls: J at the one from uniform weights is larger."""
    high, low = _enclosed(_EVEN).objective, _enclosed(_ONE_PAIR).objective
    assert high is not None
    assert low is not None
    assert low < arb("0.11498") < arb("0.16508") < high


@evidence(ARGMIN, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize(("start", "value"), [(_EVEN, _SADDLE_VALUE), (_ONE_PAIR, _MINIMUM_VALUE)])
def check_two_limits(start: list[float], value: str) -> None:
    """Run both implementations from both starts; each limit has its own value of J."""
    bound = tolerances.reference_bound(_PRINTED_DIGITS)
    assert scalar_error(_value_at_limit(start), float(value)) <= bound
    fast = fast_kirwls(
        _ROWS,
        bridge.fast_kernel(_KERNEL),
        bridge.fast_loss(_LOSS),
        weights_init=start,
        stop=_COARSE,
        max_iter=_CAP,
    )
    assert fast.status == Status.CONVERGED
    assert scalar_error(fast.objective, float(value)) <= bound


@evidence(NEVER_STRICTLY_CONVEX, level=Level.PROVED)
def check_rho_is_flat_beyond_c() -> None:
    """Refute two arguments beyond c with different rho; the triangle inequality puts all norms there."""
    loss = RealLoss("hampel")
    s, t = z3.Reals("s t")
    last_s, last_t = loss.at(s)[-1], loss.at(t)[-1]
    question = [inside(last_s, s), inside(last_t, t), s < t]
    assert not has_model(*loss.admissible, *question, last_s.rho < last_t.rho)
    assert not has_model(*loss.admissible, *question, last_s.rho > last_t.rho)
    size, norm = z3.Reals("size norm")
    assert not has_model(*loss.admissible, size >= loss.c + 1, norm >= size - 1, norm < loss.c)
