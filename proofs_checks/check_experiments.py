"""What sections 6.2.1 and 6.2.2 and the remark on bandwidths of 6.1.2 show when they are run again."""

from typing import Final

from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.measured_tables import differences
from rkde.proofs_checks.rank_outcomes import (
    DIVERGENCE_READINGS,
    NARROW,
    OTHER_CLASS,
    READINGS,
    RUN,
    TRAINING,
    decided,
    first_sums,
    from_ratio,
    leading,
    other_outcomes,
    outcome,
    outcomes,
    rounded_p,
    smallest_p,
    winning,
)

INFLUENCE = Claim(
    id="experiments.influence",
    label="tab:rank_if, sssec:exp_if",
    section="6.2.1",
    statement="The paper finds that on every data set the RKDE has a smaller median alpha(x') and beta(x').",
    hypotheses=READINGS,
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "Both medians are smaller on 13 of the 15 data sets, with R_1 = 115 of 120 and p = 0.0006; German "
        f"and Splice are the exceptions. Averages of {RUN}."
    ),
    source=Source.PRINTED,
    otherwise=(
        "With the other class nominal neither difference is significant: R_1 = 86 of 120 for both measures, "
        "p = 0.15.",
        "With the thresholds and the start of the authors' program alpha(x') is smaller on 13 data sets and "
        "beta(x') on 12, with R_1 = 115 and 113.",
    ),
)
KL_KDE = Claim(
    id="experiments.kl_against_kde",
    label="tab:rank_kld",
    section="6.2.2",
    statement=(
        "The paper finds that in KL divergence the lead of the RKDE over the KDE grows with epsilon from "
        "0.05 on and is significant at level 0.05 for epsilon = 0.25 and 0.30."
    ),
    hypotheses=DIVERGENCE_READINGS,
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "The direction comes out: the KDE leads at epsilon = 0, the RKDE from 0.05 on. But R_1 stays "
        f"between 77 and 84 of 120 there, and no p-value is below 0.18. Averages of {RUN}."
    ),
    source=Source.PRINTED,
    otherwise=(
        "With the thresholds and the start of the authors' program the RKDE leads at every ratio, "
        "significantly at 0.05, 0.15, 0.25 and 0.30: p = 0.022, 0.018, 0.026 and 0.026.",
        "With the bandwidth of the training sample for the reference density R_1 is 91 and 96 of 120 at 0.25 "
        "and 0.30, p = 0.083 and 0.041.",
        "With exp(-t/30) in the kernel PCA of MNIST R_1 is at most 93 of 120, at 0.30, with p = 0.064.",
        "Without MNIST R_1 is 70 to 78 of 105 from 0.05 on, and p at least 0.11.",
        "With the other class nominal R_1 is 67 to 71 of 120 from 0.05 on, and p at least 0.56.",
    ),
)
KL_VKDE = Claim(
    id="experiments.kl_against_vkde",
    label="tab:rank_kld",
    section="6.2.2",
    statement="In KL divergence the VKDE is significantly worse than the RKDE and the KDE at every ratio.",
    hypotheses=DIVERGENCE_READINGS,
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "Every p-value is below 0.01. So it is with the other class nominal, and with the bandwidth of the "
        f"training sample for the reference density. Averages of {RUN}."
    ),
    source=Source.PRINTED,
)
NEAREST = Claim(
    id="experiments.nearest_neighbour",
    label="ssec:exp_setup (another implementation of the VKDE)",
    section="6.1.2",
    statement=(
        "The paper finds that the VKDE with bandwidths from the distance to the k-th neighbour does not "
        "perform as well as the one with bandwidths from pilot densities."
    ),
    hypotheses=(*DIVERGENCE_READINGS, "k is the root of n, rounded; the bandwidths have the median sigma"),
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "No difference is found: no p-value is below 0.18 in AUC or 0.33 in KL divergence. The rank sums "
        "lean to the k-th neighbour, in KL divergence at every ratio and in AUC from 0.05 on. The paper "
        f"gives neither k nor the scale. Averages of {RUN}."
    ),
    source=Source.PRINTED,
    otherwise=(
        "Without MNIST the rank sums lean to the same side from 0.05 on in both measures, and no p-value is "
        "below 0.32.",
        "Without Pima Indian no p-value is below 0.11.",
    ),
)
HELD_OUT = Claim(
    id="experiments.held_out",
    label="tab:rank_kld (accuracy)",
    section="6.2.2",
    statement=(
        "The paper concludes that the RKDE estimates f_0 more accurately than the KDE where there is "
        "contamination. The mean log density of nominal test rows, which sees what a divergence of the "
        "estimate from f_0 does not, a part of f_0 that the estimate lacks, does not show it."
    ),
    hypotheses=READINGS,
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "R_1 is 47 to 61 of 120 from epsilon = 0.05 on, and no p-value is below 0.48; at epsilon = 0 the KDE "
        f"leads with R_2 = 87. Averages of {RUN}."
    ),
    source=Source.IMPLIED,
    otherwise=(
        "With the thresholds and the start of the authors' program R_1 is 63 to 69 of 120 from 0.05 on, and "
        "no p-value is below 0.63.",
        "With Huber's loss it is larger than that of the KDE on 14 or 15 of the data sets at every ratio, by "
        "little: R_1 is 119 or 120.",
    ),
)
LOW_ALARMS = Claim(
    id="experiments.low_alarms",
    label="fig:ROC (low false alarm rates)",
    section="6.2.3",
    statement=(
        "At a false alarm rate of 1 per cent the RKDE detects more than the KDE, significantly at level 0.05 "
        "for epsilon >= 0.20. The paper says 'especially at low false alarm rates', of two "
        "sets."
    ),
    hypotheses=(*READINGS, "detection rates at 1, 5 and 10 per cent of the nominal test rows"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "At 1 per cent false alarms R_1 = 106, 108 and 109 of 120 at epsilon = 0.20, 0.25 and 0.30, p at "
        "most 0.007. At 5 and at 10 per cent the RKDE leads at these ratios, with p = 0.030 at best and "
        "0.055 at best, both at 0.30. 'Especially' is not borne out in size: for the gain at 1 per cent less "
        "that at 10 per cent R_1 = 72, 61 and 59 of 120, p at least 0.52. Without contamination the KDE "
        f"detects more, significantly at all three rates. Averages of {RUN}."
    ),
    source=Source.PRINTED,
)

_FROM: Final = "0.05"
# Bounds that the claims quote.
_KL_P: Final = 0.18
_PROGRAM_P: Final = ["0.022", "0.018", "0.026", "0.026"]
_NO_MNIST_P: Final = 0.11
_OTHER_CLASS_P: Final = 0.56
_VKDE_P: Final = 0.01
_AUC_NEAREST_P: Final = 0.18
_KL_NEAREST_P: Final = 0.33
_NO_MNIST_NEAREST_P: Final = 0.32
_HELD_OUT_P: Final = 0.48
_PROGRAM_HELD_OUT_P: Final = 0.63
_LOW_ALARM_P: Final = 0.007
_ESPECIALLY_P: Final = 0.52


def _exceptions(measure: str, method: str) -> list[str]:
    """Return the data sets on which a method's median is not smaller than that of the KDE."""
    gaps = differences(measure, method, "kde", "0.00")
    return [name for name, gap in gaps.items() if gap <= 0]


@evidence(INFLUENCE, level=Level.TESTED)
def check_influence() -> None:
    """Name the exceptions of both measures, and test the difference."""
    for measure in ("alpha", "beta"):
        assert _exceptions(measure, "rkde") == ["german", "splice"]
        cells = outcomes(measure, "rkde", "kde")
        assert (first_sums(cells), rounded_p(cells, 4)) == ([115], ["0.0006"])


@evidence(INFLUENCE, level=Level.TESTED)
def check_influence_under_other_readings() -> None:
    """Exchange the classes; take the program's thresholds and start."""
    for measure, first, sets in (("alpha", 115, 13), ("beta", 113, 12)):
        other = other_outcomes(OTHER_CLASS, measure, "rkde", "kde")
        assert (first_sums(other), rounded_p(other, 2)) == ([86], ["0.15"])
        (program,) = outcomes(measure, "rkde-authors", "kde").values()
        assert (program.rank_sum_1, program.wins) == (first, sets)


@evidence(KL_KDE, level=Level.TESTED)
def check_kl_against_kde() -> None:
    """Read who leads, that the lead does not grow, and that nothing is significant."""
    cells = outcomes("kl", "rkde", "kde")
    tail = from_ratio(_FROM, cells)
    assert leading(cells) == list(tail)
    assert (min(first_sums(tail)), max(first_sums(tail))) == (77, 84)
    assert first_sums(tail) != sorted(first_sums(tail))
    assert smallest_p(cells) > _KL_P


@evidence(KL_KDE, level=Level.TESTED)
def check_kl_under_other_readings() -> None:
    """Take each of the other readings in turn."""
    program = outcomes("kl", "rkde-authors", "kde")
    assert leading(program) == list(program)
    assert winning(program) == ["0.05", "0.15", "0.25", "0.30"]
    assert rounded_p({ratio: program[ratio] for ratio in winning(program)}) == _PROGRAM_P
    training = other_outcomes(TRAINING, "kl", "rkde", "kde")
    late = from_ratio("0.25", training)
    assert (first_sums(late), rounded_p(late)) == ([91, 96], ["0.083", "0.041"])
    assert decided(training) == ["0.30"]
    narrow = other_outcomes(NARROW, "kl", "rkde", "kde")
    assert max(first_sums(narrow)) == narrow["0.30"].rank_sum_1 == 93
    assert not decided(narrow)
    without = from_ratio(_FROM, outcomes("kl", "rkde", "kde", without=("mnist01",)))
    assert (min(first_sums(without)), max(first_sums(without))) == (70, 78)
    assert smallest_p(without) > _NO_MNIST_P
    other = from_ratio(_FROM, other_outcomes(OTHER_CLASS, "kl", "rkde", "kde"))
    assert (min(first_sums(other)), max(first_sums(other))) == (67, 71)
    assert smallest_p(other) > _OTHER_CLASS_P


@evidence(KL_VKDE, level=Level.TESTED)
def check_vkde_is_worst_in_kl() -> None:
    """Read every cell of both comparisons, of the RKDE under other readings too."""
    tables = [outcomes("kl", "rkde", "vkde"), outcomes("kl", "kde", "vkde")]
    tables += [other_outcomes(choice, "kl", "rkde", "vkde") for choice in (OTHER_CLASS, TRAINING)]
    assert all(leading(cells) == list(cells) for cells in tables)
    assert max(float(cell.p_value) for cells in tables for cell in cells.values()) < _VKDE_P
    assert not leading(other_outcomes(TRAINING, "kl", "vkde", "kde"))


@evidence(NEAREST, level=Level.TESTED)
def check_nearest_neighbours() -> None:
    """Read where each of the two VKDEs leads, and the smallest p-values."""
    auc, kl = outcomes("auc", "nearest", "vkde"), outcomes("kl", "nearest", "vkde")
    assert leading(kl) == list(kl)
    assert leading(auc) == list(from_ratio(_FROM, auc))
    assert smallest_p(auc) > _AUC_NEAREST_P
    assert smallest_p(kl) > _KL_NEAREST_P


@evidence(NEAREST, level=Level.TESTED)
def check_nearest_neighbours_without_one_set() -> None:
    """Leave out MNIST, then Pima Indian."""
    tables = [outcomes(name, "nearest", "vkde", without=("mnist01",)) for name in ("auc", "kl")]
    assert all(leading(from_ratio(_FROM, cells)) == list(from_ratio(_FROM, cells)) for cells in tables)
    assert smallest_p(*tables) > _NO_MNIST_NEAREST_P
    assert (
        smallest_p(*(outcomes(name, "nearest", "vkde", without=("pima",)) for name in ("auc", "kl")))
        > _NO_MNIST_P
    )


@evidence(HELD_OUT, level=Level.TESTED)
def check_held_out_density() -> None:
    """Read the rank sums of the mean log density of nominal test rows."""
    cells = outcomes("held-out", "rkde", "kde")
    tail = from_ratio(_FROM, cells)
    assert (min(first_sums(tail)), max(first_sums(tail))) == (47, 61)
    assert smallest_p(tail) > _HELD_OUT_P
    assert cells["0.00"].rank_sum_2 == 87


@evidence(HELD_OUT, level=Level.TESTED)
def check_held_out_density_of_other_estimates() -> None:
    """Take the program's thresholds and start; take Huber's loss."""
    program = from_ratio(_FROM, outcomes("held-out", "rkde-authors", "kde"))
    assert (min(first_sums(program)), max(first_sums(program))) == (63, 69)
    assert smallest_p(program) > _PROGRAM_HELD_OUT_P
    huber = outcomes("held-out", "huber", "kde")
    assert set(first_sums(huber)) == {119, 120}
    assert {cell.wins for cell in huber.values()} == {14, 15}


@evidence(LOW_ALARMS, level=Level.TESTED)
def check_low_false_alarm_rates() -> None:
    """Read the rank sums of the detection rates from 0.20 on, and without contamination."""
    by_rate = {rate: outcomes(f"detected-{rate}", "rkde", "kde") for rate in ("01", "05", "10")}
    tails = {rate: from_ratio("0.20", cells) for rate, cells in by_rate.items()}
    assert all(leading(cells) == list(cells) for cells in tails.values())
    assert first_sums(tails["01"]) == [106, 108, 109]
    assert max(float(cell.p_value) for cell in tails["01"].values()) <= _LOW_ALARM_P
    for rate, best in (("05", "0.030"), ("10", "0.055")):
        assert rounded_p(tails[rate])[-1] == f"{smallest_p(tails[rate]):.3f}" == best
    more = [
        outcome(
            ratio,
            [
                low - high
                for low, high in zip(
                    *(
                        differences(f"detected-{rate}", "rkde", "kde", ratio).values()
                        for rate in ("01", "10")
                    ),
                    strict=True,
                )
            ],
        )
        for ratio in tails["01"]
    ]
    assert [cell.rank_sum_1 for cell in more] == [72, 61, 59]
    assert min(float(cell.p_value) for cell in more) > _ESPECIALLY_P
    for cells in by_rate.values():
        assert cells["0.00"].significant
        assert not cells["0.00"].leads
