"""The fifteen data sets of section 6.1.1: their names, sizes of partitions and nominal classes."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
Labels = NDArray[np.int64]
Indices = NDArray[np.intp]

MANY_PARTITIONS: Final = 100
FEW_PARTITIONS: Final = 20
MNIST: Final = "mnist01"


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set.

    `number` seeds its partitions. `train`, `test`: rows of a partition; `published` tells whether these sizes
    are those of the published partitions, or our choice where the paper and its source name none. `nominal`
    is the label of the nominal class, all other labels contaminate; `swapped` is the label that the
    sensitivity check takes instead.
    """

    name: str
    title: str
    number: int
    train: int
    test: int
    partitions: int = MANY_PARTITIONS
    published: bool = True
    nominal: int = 0
    swapped: int = 1


SETS: Final = {
    one.name: one
    for one in (
        DataSet("banana", "Banana", 1, 400, 4900),
        DataSet("breast_cancer", "B. Cancer", 2, 200, 77),
        DataSet("diabetes", "Diabetes", 3, 468, 300),
        DataSet("flare_solar", "F. Solar", 4, 666, 400),
        DataSet("german", "German", 5, 700, 300),
        DataSet("heart", "Heart", 6, 170, 100),
        DataSet("image", "Image", 7, 1300, 1010, FEW_PARTITIONS),
        DataSet("ringnorm", "Ringnorm", 8, 400, 7000),
        DataSet("splice", "Splice", 9, 1000, 2175, FEW_PARTITIONS),
        DataSet("thyroid", "Thyroid", 10, 140, 75),
        DataSet("twonorm", "Twonorm", 11, 400, 7000),
        DataSet("waveform", "Waveform", 12, 400, 4600),
        DataSet("pima", "Pima Indian", 13, 468, 300, published=False),
        DataSet("iris", "Iris", 14, 90, 60, published=False),
        # Digits 0 and 1 only: a thousand rows to train on hold some 470 zeros.
        DataSet(MNIST, "MNIST", 15, 1000, 2000, FEW_PARTITIONS, published=False),
    )
}
"""By name, in the paper's order."""
