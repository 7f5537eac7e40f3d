"""The three tables of section 6.2 as data: rank sums, statistic and p-value of every cell, as printed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

CONTAMINATION: Final = ("0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30")
"""The printed contamination ratios epsilon, the columns of Tables 2 and 3."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed comparison of two methods over the 15 data sets."""

    column: str
    rank_sum_1: int
    rank_sum_2: int
    statistic: int
    p_value: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """One block of a table: the LaTeX label, the two methods, and a cell for each column."""

    table: str
    method_1: str
    method_2: str
    cells: tuple[Cell, ...]


def _block(
    table: str, methods: str, columns: tuple[str, ...], first: str, second: str, statistic: str, p_values: str
) -> Comparison:
    method_1, method_2 = methods.split()
    rows = (map(int, row.split()) for row in (first, second, statistic))
    cells = (Cell(*entries) for entries in zip(columns, *rows, p_values.split(), strict=True))
    return Comparison(table, method_1, method_2, tuple(cells))


INFLUENCE: Final = _block("tab:rank_if", "RKDE KDE", ("alpha", "beta"), "120 120", "0 0", "0 0", "0.00 0.00")
KL_KDE: Final = _block(
    "tab:rank_kld", "RKDE KDE", CONTAMINATION,
    "26 67 78 83 94 101 103",
    "94 53 42 37 26 19 17",
    "26 53 42 37 26 19 17",
    "0.06 0.72 0.33 0.21 0.06 0.02 0.01",
)  # fmt: skip
KL_VKDE: Final = _block(
    "tab:rank_kld", "RKDE VKDE", CONTAMINATION,
    "104 117 117 117 117 119 119",
    "16 3 3 3 3 1 1",
    "16 3 3 3 3 1 1",
    "0.01 0.00 0.00 0.00 0.00 0.00 0.00",
)  # fmt: skip
KL_VKDE_KDE: Final = _block(
    "tab:rank_kld", "VKDE KDE", CONTAMINATION,
    "0 0 0 0 0 0 0",
    "120 120 120 120 120 120 120",
    "0 0 0 0 0 0 0",
    "0.00 0.00 0.00 0.00 0.00 0.00 0.00",
)  # fmt: skip
AUC_KDE: Final = _block(
    "tab:rank_auc", "RKDE KDE", CONTAMINATION,
    "26 46 67 90 95 96 99",
    "94 74 53 30 25 24 21",
    "26 46 53 30 25 24 21",
    "0.06 0.45 0.72 0.09 0.05 0.04 0.03",
)  # fmt: skip
AUC_VKDE: Final = _block(
    "tab:rank_auc", "RKDE VKDE", CONTAMINATION,
    "33 49 58 75 80 90 86",
    "87 71 62 45 40 30 34",
    "33 49 58 45 40 30 34",
    "0.14 0.56 0.93 0.42 0.28 0.09 0.15",
)  # fmt: skip
AUC_VKDE_KDE: Final = _block(
    "tab:rank_auc", "VKDE KDE", CONTAMINATION,
    "38 70 79 91 95 96 99",
    "82 50 41 29 25 24 21",
    "38 50 41 29 25 24 21",
    "0.23 0.60 0.30 0.08 0.05 0.04 0.03",
)  # fmt: skip
TABLES: Final = (INFLUENCE, KL_KDE, KL_VKDE, KL_VKDE_KDE, AUC_KDE, AUC_VKDE, AUC_VKDE_KDE)
"""Every printed comparison, in the order of the paper: 44 cells."""


def cells(table: str | None = None) -> Iterator[Cell]:
    """Yield the cells of one table by its label, or of all three."""
    for comparison in TABLES:
        if table in (None, comparison.table):
            yield from comparison.cells
