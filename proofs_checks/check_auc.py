"""What the comparisons in AUC of section 6.2.3 show when they are run again."""

from typing import Final

from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.rank_outcomes import (
    NARROW,
    OTHER_CLASS,
    READINGS,
    RUN,
    decided,
    first_sums,
    from_ratio,
    leading,
    other_outcomes,
    outcomes,
    rounded_p,
    winning,
)

RKDE_KDE = Claim(
    id="auc.rkde_against_kde",
    label="tab:rank_auc",
    section="6.2.3",
    statement=(
        "The paper finds that in AUC the RKDE is significantly better than the KDE, at level 0.05, for "
        "epsilon >= 0.20."
    ),
    hypotheses=READINGS,
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "The RKDE leads from epsilon = 0.05 on, with R_1 = 86, 89 and 90 of 120 at 0.20, 0.25 and 0.30, but "
        "p = 0.15, 0.11 and 0.09. MNIST decides: under this reading of its kernel PCA the RKDE takes the "
        f"concentrated ones for a mode (fits.concentrated). Averages of {RUN}."
    ),
    source=Source.PRINTED,
    otherwise=(
        "With exp(-t/30) in the kernel PCA of MNIST the finding comes out but for a rank at 0.20: R_1 = 94, "
        "97 and 98 of 120 at 0.20, 0.25 and 0.30, p = 0.055, 0.035 and 0.030; printed: 95, 96, 99.",
        "Without MNIST the lead is significant from 0.15 on: R_1 = 84, 86, 88 and 89 of 105.",
        "With the thresholds and the start of the authors' program it is significant at 0.25 and 0.30 (R_1 "
        "= 99, R_2 = 21, p = 0.026), and at 0.20 p = 0.055.",
        "Without Pima Indian, whose rows are those of Diabetes, it is significant at 0.25 and 0.30: p = "
        "0.042.",
        "With the other class nominal the KDE leads at every ratio but 0.30, where R_1 = R_2 = 60, "
        "significantly at epsilon = 0.",
        "If a data set without a difference is left out of the ranks, R_1 = 23 and R_2 = 82 at epsilon = 0, "
        "where 26 and 94 are printed and found; the other ratios stay as they are.",
    ),
)
RKDE_VKDE = Claim(
    id="auc.rkde_against_vkde",
    label="tab:rank_auc",
    section="6.2.3",
    statement="In AUC the RKDE leads the VKDE for epsilon >= 0.15, and no difference is significant.",
    hypotheses=READINGS,
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "R_1 = 63, 69, 81 and 83 of 120. The lead hangs on the readings: with the other class nominal, and "
        "with the thresholds and the start of the authors' program, the VKDE leads at every ratio; no "
        f"difference is significant from 0.15 on with any of them. Averages of {RUN}."
    ),
    source=Source.PRINTED,
)
VKDE_KDE = Claim(
    id="auc.vkde_against_kde",
    label="tab:rank_auc",
    section="6.2.3",
    statement=(
        "The paper finds that in AUC the VKDE is significantly better than the KDE, at level 0.05, for "
        "epsilon >= 0.20."
    ),
    hypotheses=READINGS,
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "The VKDE leads from epsilon = 0.05 on, with R_1 = 83, 88 and 92 of 120 at 0.20, 0.25 and 0.30, but "
        f"p = 0.21, 0.12 and 0.07. Averages of {RUN}."
    ),
    source=Source.PRINTED,
    otherwise=(
        "Without MNIST the lead is significant at 0.25 and 0.30: R_1 = 85 and 88 of 105, p = 0.042 and "
        "0.025.",
        "With bandwidths from the k-th neighbour it is significant at 0.15, 0.20 and 0.30: R_1 = 104, 95 "
        "and 95 of 120.",
    ),
)
DEPTH = Claim(
    id="auc.depth",
    label="fig:ROC (KSD)",
    section="6.2.3",
    statement="The paper finds that in AUC the kernelized spatial depth is worse than the RKDE and the KDE.",
    hypotheses=READINGS,
    verdict=Verdict.NOT_REPRODUCED,
    level=Level.TESTED,
    argument=(
        "The depth is behind the KDE at every ratio, significantly from 0.15 on. It leads the RKDE at "
        "epsilon = 0, ties with it at 0.05, and is behind it from 0.10 on, never significantly. Averages of "
        f"{RUN}."
    ),
    source=Source.PRINTED,
    otherwise=(
        "Without MNIST the RKDE leads the depth from 0.10 on, significantly from 0.20 on: R_1 = 85, 86 and "
        "87 of 105.",
        "With the thresholds and the start of the authors' program the RKDE leads from 0.05 on, "
        "significantly from 0.20 on; at epsilon = 0 the depth leads, with R_2 = 78 of 120.",
    ),
)

_LAST: Final = "0.20"
_TAIL: Final = ["0.20", "0.25", "0.30"]


@evidence(RKDE_KDE, level=Level.TESTED)
def check_rkde_against_kde() -> None:
    """Read who leads, and that nothing is significant."""
    cells = outcomes("auc", "rkde", "kde")
    assert leading(cells) == list(from_ratio("0.05", cells))
    tail = from_ratio(_LAST, cells)
    assert (first_sums(tail), rounded_p(tail, 2)) == ([86, 89, 90], ["0.15", "0.11", "0.09"])
    assert not decided(cells)


@evidence(RKDE_KDE, level=Level.TESTED)
def check_mnist_decides() -> None:
    """Take the other kernel of the PCA, and leave MNIST out, or Pima Indian."""
    narrow = other_outcomes(NARROW, "auc", "rkde", "kde")
    tail = from_ratio(_LAST, narrow)
    assert winning(narrow) == decided(narrow) == _TAIL[1:]
    assert (first_sums(tail), rounded_p(tail)) == ([94, 97, 98], ["0.055", "0.035", "0.030"])
    without = outcomes("auc", "rkde", "kde", without=("mnist01",))
    assert winning(without) == decided(without) == ["0.15", *_TAIL]
    assert first_sums(from_ratio("0.15", without)) == [84, 86, 88, 89]
    patients = outcomes("auc", "rkde", "kde", without=("pima",))
    assert winning(patients) == decided(patients) == ["0.25", "0.30"]
    assert rounded_p(from_ratio("0.25", patients)) == ["0.042", "0.042"]


@evidence(RKDE_KDE, level=Level.TESTED)
def check_program_and_class_decide() -> None:
    """Take the program's thresholds and start; exchange the classes."""
    program = outcomes("auc", "rkde-authors", "kde")
    assert winning(program) == decided(program) == ["0.25", "0.30"]
    assert first_sums(from_ratio("0.25", program)) == [99, 99]
    assert rounded_p(from_ratio(_LAST, program)) == ["0.055", "0.026", "0.026"]
    other = other_outcomes(OTHER_CLASS, "auc", "rkde", "kde")
    assert not leading(other)
    assert decided(other) == ["0.00"]
    assert other["0.30"].rank_sum_1 == other["0.30"].rank_sum_2 == 60
    assert max(first_sums(other)[:-1]) < 60


@evidence(RKDE_KDE, level=Level.TESTED)
def check_ties_by_the_printed_rule() -> None:
    """Count data sets without a difference for the second method: there are some at epsilon = 0 only."""
    cells, dropped = outcomes("auc", "rkde", "kde"), outcomes("auc", "rkde", "kde", dropped=True)
    assert [ratio for ratio, cell in cells.items() if cell.zeros] == ["0.00"]
    clean = cells.pop("0.00"), dropped.pop("0.00")
    assert [(one.rank_sum_1, one.rank_sum_2) for one in clean] == [(26, 94), (23, 82)]
    assert cells == dropped


@evidence(RKDE_VKDE, level=Level.TESTED)
def check_rkde_against_vkde() -> None:
    """Read who leads from 0.15 on, and that nothing is significant."""
    cells = outcomes("auc", "rkde", "vkde")
    tail = from_ratio("0.15", cells)
    assert leading(tail) == list(tail)
    assert first_sums(tail) == [63, 69, 81, 83]
    assert not decided(cells)


@evidence(RKDE_VKDE, level=Level.TESTED)
def check_lead_over_the_vkde_hangs_on_the_readings() -> None:
    """Exchange the classes, and take the program's thresholds and start: who leads from 0.15 on changes."""
    other = from_ratio("0.15", other_outcomes(OTHER_CLASS, "auc", "rkde", "vkde"))
    assert first_sums(other) == [52, 56, 59, 59]
    assert not leading(other_outcomes(OTHER_CLASS, "auc", "rkde", "vkde"))
    program = outcomes("auc", "rkde-authors", "vkde")
    assert not leading(program)
    assert not decided(other) + decided(program)


@evidence(VKDE_KDE, level=Level.TESTED)
def check_vkde_against_kde() -> None:
    """Read who leads, and that nothing is significant."""
    cells = outcomes("auc", "vkde", "kde")
    assert leading(cells) == list(from_ratio("0.05", cells))
    tail = from_ratio(_LAST, cells)
    assert (first_sums(tail), rounded_p(tail, 2)) == ([83, 88, 92], ["0.21", "0.12", "0.07"])
    assert not decided(cells)


@evidence(VKDE_KDE, level=Level.TESTED)
def check_vkde_under_other_readings() -> None:
    """Leave MNIST out; take bandwidths from the k-th neighbour."""
    without = outcomes("auc", "vkde", "kde", without=("mnist01",))
    assert winning(without) == ["0.25", "0.30"]
    tail = from_ratio("0.25", without)
    assert (first_sums(tail), rounded_p(tail)) == ([85, 88], ["0.042", "0.025"])
    nearest = outcomes("auc", "nearest", "kde")
    assert winning(nearest) == ["0.15", "0.20", "0.30"]
    assert [nearest[ratio].rank_sum_1 for ratio in winning(nearest)] == [104, 95, 95]


@evidence(DEPTH, level=Level.TESTED)
def check_depth() -> None:
    """Read who leads, and where it is significant."""
    plain, robust = outcomes("auc", "kde", "depth"), outcomes("auc", "rkde", "depth")
    assert leading(plain) == list(plain)
    assert winning(plain) == list(from_ratio("0.15", plain))
    assert robust["0.00"].rank_sum_1 < robust["0.00"].rank_sum_2
    assert robust["0.05"].rank_sum_1 == robust["0.05"].rank_sum_2
    assert leading(robust) == list(from_ratio("0.10", robust))
    assert not decided(robust)


@evidence(DEPTH, level=Level.TESTED)
def check_depth_under_other_readings() -> None:
    """Leave MNIST out; take the program's thresholds and start."""
    without = outcomes("auc", "rkde", "depth", without=("mnist01",))
    assert leading(without) == list(from_ratio("0.10", without))
    assert winning(without) == _TAIL
    assert first_sums(from_ratio(_LAST, without)) == [85, 86, 87]
    program = outcomes("auc", "rkde-authors", "depth")
    assert leading(program) == list(from_ratio("0.05", program))
    assert winning(program) == _TAIL
    assert program["0.00"].rank_sum_2 == 78
