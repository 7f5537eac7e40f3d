"""What the experiments of section 6.2 show when they are run again, read against the exact test."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from rkde.proofs_checks.check_ranks import exact_p_value
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.measured_tables import Measured, fact, measured, provenance

_SOURCE: Final = provenance()

ITERATIONS = Claim(
    id="experiments.iterations",
    label="sec:kirwls (iterations)",
    section="4",
    statement=(
        "With Hampel's loss, thresholds and stopping rule of section 6.1.2 half of all runs take at most 15 "
        "steps and 19 of 20 less than 50."
    ),
    hypotheses=("the 15 data sets of section 6", "contamination ratios from 0 to 0.3"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"Counted over all fits of {_SOURCE}.",
    source=Source.PRINTED,
)
INFLUENCE = Claim(
    id="experiments.influence",
    label="tab:rank_if, sssec:exp_if",
    section="6.2.1",
    statement=(
        "The RKDE has significantly smaller medians of alpha(x') and beta(x') than the KDE, though not on "
        "every data set, as the paper says: German and Splice are exceptions."
    ),
    hypotheses=("the 15 data sets of section 6", "y = 0 nominal"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        f"Rank sums of {_SOURCE}; both measures, evaluated at the fixed point of Hampel's loss. With the "
        "other class nominal neither difference is significant."
    ),
    source=Source.PRINTED,
)
KL_KDE = Claim(
    id="experiments.kl_against_kde",
    label="tab:rank_kld",
    section="6.2.2",
    statement=(
        "In KL divergence the RKDE leads the KDE from ratio 0.05 on; no difference is significant at level "
        "0.05, which the paper finds at 0.25 and 0.30."
    ),
    hypotheses=("the 15 data sets of section 6", "y = 0 nominal"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=f"Rank sums of {_SOURCE}.",
    source=Source.PRINTED,
)
KL_VKDE = Claim(
    id="experiments.kl_against_vkde",
    label="tab:rank_kld",
    section="6.2.2",
    statement="In KL divergence the VKDE is significantly worse than the RKDE and the KDE at every ratio.",
    hypotheses=("the 15 data sets of section 6",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"Rank sums of {_SOURCE}.",
    source=Source.PRINTED,
)
INFINITE = Claim(
    id="experiments.infinite_kl",
    label="sssec:exp_if (infinite divergence), tab:rank_kld",
    section="6.2.2",
    statement=(
        "For some samples the reference density is below the range of float64 at a draw, which makes the "
        "estimated divergence infinite unless densities stay logarithms; for most samples it never is."
    ),
    hypotheses=("the 15 data sets of section 6",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"Counted over all samples of {_SOURCE}.",
    source=Source.PRINTED,
)
WEIGHTS = Claim(
    id="experiments.outlying_weights",
    label="tab:rank_kld (weights)",
    section="6.2.2",
    statement=(
        "At contamination ratio 0.2 the RKDE gives most contaminating rows less than 1/n, but not all: on "
        "some data sets most of them have more."
    ),
    hypotheses=("the 15 data sets of section 6", "y = 0 nominal"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        "w_i < 1/n means a residual above the average in phi, not a label: contaminating rows may be "
        f"inlying. Counted over {_SOURCE}."
    ),
    source=Source.PRINTED,
)
AUC_KDE = Claim(
    id="experiments.auc_against_kde",
    label="tab:rank_auc",
    section="6.2.3",
    statement=(
        "In AUC the RKDE leads the KDE from ratio 0.05 on; the difference is not significant at level 0.05, "
        "which the paper finds from 0.20 on."
    ),
    hypotheses=("the 15 data sets of section 6", "y = 0 nominal"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=f"Rank sums of {_SOURCE}; at 0.05 blocks of partitions have different leaders.",
    source=Source.PRINTED,
)
AUC_VKDE = Claim(
    id="experiments.auc_against_vkde",
    label="tab:rank_auc",
    section="6.2.3",
    statement="In AUC the RKDE leads the VKDE from ratio 0.15 on, and no difference is significant.",
    hypotheses=("the 15 data sets of section 6",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"Rank sums of {_SOURCE}. Up to 0.25 blocks of partitions have different leaders.",
    source=Source.PRINTED,
)
DEPTH = Claim(
    id="experiments.depth",
    label="fig:ROC (KSD)",
    section="6.2.3",
    statement=(
        "In AUC the kernelized spatial depth is behind the KDE at every ratio and behind the RKDE from "
        "0.10 on; without contamination it leads the RKDE."
    ),
    hypotheses=("the 15 data sets of section 6", "y = 0 nominal"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=f"Rank sums of {_SOURCE}; at 0.05 blocks of partitions have different leaders.",
    source=Source.PRINTED,
)
RANGE = Claim(
    id="experiments.contamination",
    label="sec:conclusion (contamination up to around 25 %)",
    section="7",
    statement="The largest contamination ratio, 0.3, is a share of 3/13 = 23.1 % of a sample.",
    hypotheses=("p = epsilon / (1 + epsilon)",),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument="0.3 / 1.3.",
    source=Source.PRINTED,
)
CONCENTRATED = Claim(
    id="experiments.concentrated",
    label="sec:conclusion (too concentrated)",
    section="7",
    statement=(
        "Contamination that lies close together is taken for a mode of the nominal data: on MNIST at ratio "
        "0.3 the ones have more weight than their share."
    ),
    hypotheses=("kernel PCA with exp(-t / (2 * 30^2)), pixels in [0, 1]",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"Weights of {_SOURCE}.",
    source=Source.PRINTED,
)

_LEVEL: Final = Fraction(5, 100)
_HALF_WITHIN: Final = 15
_MOST_WITHIN: Final = 50
_FROM: Final = Fraction(15, 100)
_DEPTH_BEHIND: Final = Fraction(10, 100)


def leads(cell: Measured) -> bool:
    """Tell whether method 1 has the larger rank sum."""
    return cell.rank_sum_1 > cell.rank_sum_2


def significant(cell: Measured) -> bool:
    """Tell whether the exact two-sided p-value, not corrected, is at most 0.05."""
    return exact_p_value(int(cell.statistic), cell.sets - cell.zeros) <= _LEVEL


def from_ratio(lowest: Fraction, cells: Iterable[Measured]) -> list[Measured]:
    """Return the cells from a contamination ratio on."""
    return [cell for cell in cells if Fraction(cell.epsilon) >= lowest]


@evidence(ITERATIONS, level=Level.TESTED)
def check_iterations() -> None:
    """Compare the median, and the number that 95 % of the fits do not exceed."""
    assert fact("rkde_iterations_median") <= _HALF_WITHIN
    assert fact("rkde_iterations_high") < _MOST_WITHIN


@evidence(INFLUENCE, level=Level.TESTED)
def check_influence() -> None:
    """Read both measures: significant, and two data sets short of all."""
    for measure in ("alpha", "beta"):
        (cell,) = measured(measure, "rkde", "kde")
        assert leads(cell)
        assert significant(cell)
        assert cell.wins == cell.sets - 2


@evidence(KL_KDE, level=Level.TESTED)
def check_kl_against_kde() -> None:
    """Read who leads, and where it is significant."""
    cells = measured("kl", "rkde", "kde")
    assert all(map(leads, cells[1:]))
    assert not any(map(significant, cells))


@evidence(KL_VKDE, level=Level.TESTED)
def check_vkde_is_worst_in_kl() -> None:
    """Every cell of both comparisons."""
    assert all(leads(cell) and significant(cell) for cell in measured("kl", "rkde", "vkde"))
    assert all(not leads(cell) and significant(cell) for cell in measured("kl", "vkde", "kde"))


@evidence(INFINITE, level=Level.TESTED)
def check_divergences_that_underflow() -> None:
    """Count some samples, and fewer than half."""
    assert 0 < fact("underflowing_samples") < fact("samples") / 2


@evidence(WEIGHTS, level=Level.TESTED)
def check_weights_of_contaminating_rows() -> None:
    """Compare the share of rows below 1/n over all sets, and on the worst set."""
    assert fact("below_uniform") > Fraction(1, 2) > fact("below_uniform_lowest")


@evidence(AUC_KDE, level=Level.TESTED)
def check_auc_against_kde() -> None:
    """Read where it leads and that nothing is significant."""
    cells = measured("auc", "rkde", "kde")
    assert all(map(leads, cells[1:]))
    assert not any(map(significant, cells))


@evidence(AUC_VKDE, level=Level.TESTED)
def check_auc_against_vkde() -> None:
    """Who leads from 0.15 on, and that nothing is significant there."""
    cells = from_ratio(_FROM, measured("auc", "rkde", "vkde"))
    assert all(map(leads, cells))
    assert not any(map(significant, cells))


@evidence(DEPTH, level=Level.TESTED)
def check_auc_of_the_depth() -> None:
    """Who leads: the KDE in all cells; the depth in the first of the RKDE, the RKDE from 0.10 on."""
    assert all(map(leads, measured("auc", "kde", "depth")))
    cells = measured("auc", "rkde", "depth")
    assert not leads(cells[0])
    assert all(map(leads, from_ratio(_DEPTH_BEHIND, cells)))


@evidence(RANGE, level=Level.CERTIFIED)
def check_largest_share() -> None:
    """Exact fractions."""
    ratio = Fraction(measured("auc", "rkde", "kde")[-1].epsilon)
    assert ratio / (1 + ratio) == Fraction(3, 13) < Fraction(25, 100)


@evidence(CONCENTRATED, level=Level.TESTED)
def check_concentrated_contamination() -> None:
    """Compare the weight of the contaminating rows with their share."""
    assert fact("concentrated_weight") > 1
