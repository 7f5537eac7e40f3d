"""MNIST in 8 dimensions by Gaussian kernel PCA (section 6.1.1), in each reading of "bandwidth 30"."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from sklearn.decomposition import KernelPCA  # type: ignore[import-untyped, unused-ignore]

from benchmarks.paper.sets import Indices, Table

COMPONENTS: Final = 8
BANDWIDTH: Final = 30.0
BRIGHTEST: Final = 255.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What the squared distance is divided by in the exponent, and the range of the pixels."""

    divisor: float
    brightest: float
    text: str


READINGS: Final = {
    "unit-2s2": Reading(2 * BANDWIDTH**2, 1.0, "exp(-t / (2 * 30^2)), pixels in [0, 1]"),
    "unit-s2": Reading(BANDWIDTH**2, 1.0, "exp(-t / 30^2), pixels in [0, 1]"),
    "unit-s": Reading(BANDWIDTH, 1.0, "exp(-t / 30), pixels in [0, 1]"),
    "byte-2s2": Reading(2 * BANDWIDTH**2, BRIGHTEST, "exp(-t / (2 * 30^2)), pixels in 0..255"),
}
DEFAULT_READING: Final = "unit-2s2"


class NoComponentsError(Exception):
    """A reading leaves a kernel matrix without distinct leading components."""


def reduced(pixels: Table, fitted: Indices, others: Indices, reading: str) -> tuple[Table, Table]:
    """Return rows and other rows in 8 dimensions; the components are those of the first ones."""
    chosen = READINGS[reading]
    scaled = pixels[np.concatenate([fitted, others])] * (chosen.brightest / BRIGHTEST)
    analysis = KernelPCA(COMPONENTS, kernel="rbf", gamma=1 / chosen.divisor, eigen_solver="dense")
    try:
        first = analysis.fit_transform(scaled[: len(fitted)])
    except ValueError as error:
        raise NoComponentsError(f"kernel PCA with {chosen.text}: {error}") from error
    return np.asarray(first, dtype=np.float64), np.asarray(
        analysis.transform(scaled[len(fitted) :]), dtype=np.float64
    )
