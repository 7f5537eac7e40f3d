"""Claims about the design of the experiments (section 6.1.1 and the bandwidth of 6.1.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest
import sympy
import z3

from rkde.errors import DegenerateBandwidth, RkdeError
from rkde.fast.rkde import rkde as fast_rkde
from rkde.proofs_checks import printed_tables
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.certify import enclose_bandwidth

PROPORTION = Claim(
    id="design.proportion",
    label="ssec:exp_setup (p and epsilon)",
    section="6.1.1",
    statement="n_1 = epsilon n_0 contaminating points are the share p = epsilon/(1 + epsilon) of all.",
    hypotheses=("epsilon >= 0",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="p = n_1/(n_0 + n_1).",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
QUARTER = Claim(
    id="design.largest_share",
    label="sec:conclusion (around 25%)",
    section="7",
    statement="The experiments go up to p = 3/13 = 23 per cent of contamination; 0.30 is epsilon, not p.",
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument="p = epsilon/(1 + epsilon) at the seven printed values of epsilon, in exact fractions.",
    source=Source.PRINTED,
)
SETS = Claim(
    id="design.fifteen_sets",
    label="ssec:exp_setup (data)",
    section="6.1.1",
    statement=(
        "Fifteen data sets are named, twelve of one collection and three of another; the ranks go up to 15."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument=(
        "Counted in the printed list. Two of the names may stand for one set of data ('Diabetes', 'Pima "
        "Indian'), which would break the independence that the test assumes; that is not decided here."
    ),
    no_fault="counts the names of the printed list",
    source=Source.PRINTED,
)
ROUNDING = Claim(
    id="design.rounding",
    label="ssec:exp_setup (n_1)",
    section="6.1.1",
    statement="n_1 = epsilon n_0 is a whole number for every n_0.",
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "epsilon = 0.05, n_0 = 30 gives 3/2. The rounding is not stated; down and up differ by one point."
    ),
    counterexample=("check_one_and_a_half_points",),
    source=Source.IMPLIED,
    proof_class=ProofClass.B,
)
BANDWIDTH = Claim(
    id="design.bandwidth_positive",
    label="ssec:exp_setup (bandwidth)",
    section="6.1.2",
    statement="The median distance to the nearest neighbour is a usable bandwidth, that is, positive.",
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "X = {0, 0, 1}: two of three distances are 0, so sigma = 0; with one row there is no neighbour. Both "
        "implementations refuse."
    ),
    counterexample=("check_duplicates_make_it_zero",),
    source=Source.IMPLIED,
)

_COLLECTION: Final = (
    "Banana", "B. Cancer", "Diabetes", "F. Solar", "German", "Heart", "Image", "Ringnorm", "Splice",
    "Thyroid", "Twonorm", "Waveform",
)  # fmt: skip
_REPOSITORY: Final = ("Pima Indian", "Iris", "MNIST")
_N_SETS: Final = 15
_ROWS: Final = [[0], [0], [1]]


@evidence(PROPORTION, level=Level.PROVED)
def check_share() -> None:
    """Solve for the share symbolically; it is below 1/2 exactly for epsilon < 1."""
    ratio, nominal = sympy.symbols("epsilon n_0", positive=True)
    share = ratio * nominal / (nominal + ratio * nominal)
    assert is_zero(share - ratio / (1 + ratio))
    epsilon, p = z3.Reals("epsilon p")
    known = [epsilon >= 0, p * (1 + epsilon) == epsilon]
    assert not has_model(*known, epsilon < 1, 2 * p >= 1)
    assert not has_model(*known, epsilon >= 1, 2 * p < 1)


def share_of(ratio: str) -> Fraction:
    """Return p = epsilon/(1 + epsilon)."""
    epsilon = Fraction(ratio)
    return epsilon / (1 + epsilon)


@evidence(QUARTER, level=Level.CERTIFIED)
def check_shares_of_the_columns() -> None:
    """Compute the shares: they grow with epsilon, and the largest is 3/13, below a quarter."""
    shares = [share_of(ratio) for ratio in printed_tables.CONTAMINATION]
    assert shares == sorted(shares)
    assert shares[-1] == Fraction(3, 13)
    assert Fraction(20, 100) < shares[-1] < Fraction(25, 100)


@evidence(SETS, level=Level.CERTIFIED)
def check_number_of_names() -> None:
    """Count the distinct names."""
    assert len(set(_COLLECTION + _REPOSITORY)) == len(_COLLECTION) + len(_REPOSITORY) == _N_SETS


@evidence(ROUNDING, level=Level.PROVED)
def check_one_and_a_half_points() -> None:
    """Multiply: 3/2 is no whole number."""
    assert (Fraction("0.05") * 30).denominator == 2


@evidence(BANDWIDTH, level=Level.CERTIFIED)
def check_duplicates_make_it_zero() -> None:
    """Evaluate the rule exactly: it gives 0 and is refused, in balls and in floats, as for one row."""
    assert enclose_bandwidth(_ROWS, "median_nn_distinct") == 1
    with pytest.raises(DegenerateBandwidth):
        enclose_bandwidth(_ROWS, "median_nn")
    with pytest.raises(DegenerateBandwidth):
        fast_rkde([[float(row[0])] for row in _ROWS])
    with pytest.raises(RkdeError):
        fast_rkde([[0.0]])
