"""Captions of the pictures: every number in them is computed, when it is asked for."""

from typing import Final

from benchmarks.paper.figures_data import MIXTURE, X_NEW, in_the_plane, on_the_line

ROC_PARTITIONS: Final = 20
ROC_BAND: Final = (0.1, 0.9)
"""The band of Figure 4 lies between these quantiles of the partitions."""


def _losses() -> str:
    return (
        "Figure 1: the losses, their derivatives psi and weights phi, over all residual norms that are "
        "possible: with a kernel that is not negative none exceeds the root of 2, in units of tau. The "
        "thresholds are ours, to tell the losses apart."
    )


def _contours() -> str:
    scott, paper = in_the_plane(), in_the_plane("median_nn")
    lost, widths = int(scott.lost().sum()), scott.bandwidths
    return (
        f"Figure 2: a density and its estimates from {len(scott.nominal)} nominal rows and "
        f"{len(scott.outlying)} outliers, uniform on a square. The mixture is ours, and so is the bandwidth, "
        f"by Scott's rule for the rows of the panel: the outliers widen it from {widths['clean']:.2f} to "
        f"{widths['plain']:.2f}. The paper names neither. In (d) {scott.lost_outliers()} of the "
        f"{len(scott.outlying)} outliers have no weight, and neither have {lost} of the "
        f"{len(scott.nominal)} nominal rows. The L1 distance from (a) is "
        f"{scott.distance('clean'):.2f} in (b), {scott.distance('plain'):.2f} in (c) and "
        f"{scott.distance('robust'):.2f} in (d). With the bandwidth of the paper's experiments, the median "
        f"distance to the nearest neighbour ({paper.bandwidths['robust']:.2f}), it is "
        f"{paper.distance('plain'):.2f} for the KDE and {paper.distance('robust'):.2f} for the RKDE, which "
        "is the worse one then."
    )


def _influence() -> str:
    scott, paper = on_the_line(), on_the_line("median_nn")
    share = min(part[0] for part in MIXTURE)
    return (
        f"Figure 3: {len(scott.X)} rows of a mixture on the line (ours, as the paper names none), of which "
        f"{scott.smaller.sum()} are of the smaller mode (share {share:g}); their estimates with Scott's rule "
        f"(bandwidth {scott.bandwidth:.2f}) in (a) and (c), with the influence functions at "
        f"x' = {X_NEW:g} in (b), and with the rule of the paper's experiments, the median distance to the "
        f"nearest neighbour ({paper.bandwidth:.3f}), in (d). With Scott's rule and the paper's thresholds "
        f"Hampel's RKDE drops the smaller mode: its rows have {scott.kept('rkde'):.2f} of the weight, in the "
        f"KDE {scott.kept('kde'):.2f}. The paper's own rule keeps it, {paper.kept('rkde'):.2f}, in a density "
        "of spikes. Here the robust estimate is worse than the KDE, while the paper's figure recommends it: "
        f"its L1 distance from the true density is {scott.distance('rkde'):.2f}, that of the KDE "
        f"{scott.distance('kde'):.2f}, with Huber's loss {scott.distance('huber'):.2f} (with the paper's "
        f"rule {paper.distance('rkde'):.2f}, {paper.distance('kde'):.2f} and "
        f"{paper.distance('huber'):.2f}). What holds as in the paper is (b): the influence functions of the "
        "RKDE are smaller than that of the KDE. Hampel's is 0, as x' lies beyond c."
    )


def _roc() -> str:
    low, high = ROC_BAND
    return (
        f"Figure 4: ROC curves of two sets, averaged over {ROC_PARTITIONS} partitions at each false alarm "
        f"rate; the shading holds the middle {100 * (high - low):.0f} % of the partitions. Below, the low "
        "false alarm rates are enlarged, with other vertical axes. The thin straight line is a detector that "
        "guesses. A legend gives the mean of the partitions' areas under the curve."
    )


def captions() -> dict[str, str]:
    """Return the caption of each picture that `figures.draw_all` writes."""
    return {
        "losses.png": _losses(),
        "contours.png": _contours(),
        "influence.png": _influence(),
        "roc.png": _roc(),
    }
