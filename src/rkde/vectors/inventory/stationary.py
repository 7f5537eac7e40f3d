"""Weights of fixed points, rounded to float64: where Theorem 5 is asked for, it is at exactly these numbers.

`rkde.reference.certify` enclosed the points; a test compares these decimals with its enclosures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rkde.vectors.inventory.data import (
    ABSOLUTE,
    CLUSTERS,
    EIGHT_COLUMNS,
    EIGHTHS,
    FAR,
    HIGH,
    LINE,
    PLANE,
    TIES,
    Rows,
    gaussian,
    hampel,
    huber,
    laplacian,
    student,
)


@dataclass(frozen=True, slots=True)
class FixedPointWeights:
    """A problem and the weights at its fixed point."""

    X: Rows
    kernel: Mapping[str, object]
    loss: Mapping[str, object]
    start: str
    weights: tuple[float, ...]

    def request(self) -> dict[str, object]:
        """Give the fields of a request at these weights."""
        return {"X": self.X, "kernel": self.kernel, "loss": self.loss, "weights": list(self.weights)}


_HUBER: Final = huber(0.65)
_HAMPEL: Final = hampel(0.6, 0.75, 0.95)

LINE_HUBER: Final = FixedPointWeights(
    LINE,
    gaussian(0.8),
    _HUBER,
    "uniform",
    (0.2303129714949383, 0.2303129714949383, 0.2303129714949383, 0.172926666476244, 0.13613441903894116),
)
# The first two residuals lie below a, the third on the flat piece, the others beyond c.
LINE_HAMPEL: Final = FixedPointWeights(
    LINE,
    gaussian(0.8),
    _HAMPEL,
    "median",
    (0.33925235315811025, 0.33925235315811025, 0.32149529368377955, 0.0, 0.0),
)
# Every residual beyond a.
PLANE_HUBER: Final = FixedPointWeights(
    PLANE,
    student(0.8, 3),
    _HUBER,
    "uniform",
    (
        0.13438355661942775, 0.13846288791074168, 0.13106748352771833, 0.12492943646978698,
        0.12536399633273831, 0.11777954213330175, 0.11399866919585928, 0.11401442781042594,
    ),
)  # fmt: skip
CLUSTERS_HUBER: Final = FixedPointWeights(
    CLUSTERS,
    laplacian(2),
    _HUBER,
    "uniform",
    (*(0.12430539898763321,) * 6, 0.08577284295459069, 0.0835498154117077, 0.08484494770790237),
)
PLANE_MEDIAN: Final = FixedPointWeights(
    PLANE,
    gaussian(0.8),
    ABSOLUTE,
    "uniform",
    (
        0.13887057091029936, 0.1452842150595349, 0.13582247471702613, 0.12427189585731811,
        0.12586987861296028, 0.11485959641771959, 0.10751064371031784, 0.1075107247148238,
    ),
)  # fmt: skip
EIGHT_COLUMNS_HUBER: Final = FixedPointWeights(
    EIGHT_COLUMNS,
    laplacian(0.5),
    huber(0.5),
    "uniform",
    (
        0.1179563783784122, 0.12355919949846374, 0.11542850046817389, 0.10243233197669169,
        0.10175807849362595, 0.10916060235859587, 0.11046743106096939, 0.10956360946737924,
        0.10967386829768803,
    ),
)  # fmt: skip
HIGH_HUBER: Final = FixedPointWeights(
    HIGH,
    gaussian(10),
    huber(0.5),
    "uniform",
    (0.25210363188472307, 0.24866159497227022, 0.2498573106164496, 0.2493774625265571),
)
EIGHTHS_HAMPEL: Final = FixedPointWeights(
    EIGHTHS,
    gaussian(0.8),
    _HAMPEL,
    "median",
    (0.30389841060129535, 0.3594659080787268, 0.0, 0.33663568131997784, 0.0, 0.0),
)
FAR_HAMPEL: Final = FixedPointWeights(
    FAR,
    gaussian(0.8),
    hampel(0.5, 0.7, 0.8),
    "median",
    (0.35546464762587376, 0.35546464762587376, 0.28907070474825247, 0.0),
)
TIES_HUBER: Final = FixedPointWeights(
    TIES,
    gaussian(1.2),
    _HUBER,
    "uniform",
    (*(0.1611504238785115,) * 4, 0.12738094966168415, 0.12738094966168415, 0.10063640516258573),
)

ALL: Final = (
    LINE_HUBER,
    LINE_HAMPEL,
    PLANE_HUBER,
    CLUSTERS_HUBER,
    PLANE_MEDIAN,
    EIGHT_COLUMNS_HUBER,
    HIGH_HUBER,
    EIGHTHS_HAMPEL,
    FAR_HAMPEL,
    TIES_HUBER,
)
