"""The page of results: means over the tables of each kind, and what they say of the default."""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Final

from benchmarks.practice.measures import Measured
from benchmarks.practice.methods import DEFAULT, METHODS
from benchmarks.practice.signs import table
from benchmarks.practice.tables import KEPT_APART, SEEN, Kind

Records = Mapping[str, Mapping[str, Measured]]
PLAIN: Final = "plain, same"
# Behind the best of the others by more than this, a kind is named.
BEHIND: Final = 0.02
HEAD: Final = """# The recipe `practical` on many kinds of dirty table

How well the default ranks bad rows, and how near its density is to that of the good rows, beside other
estimates and detectors. AUC is the area under the ROC curve of the bad rows (1 is perfect, 0.5 is chance),
L1 the distance from the density of the good rows (0 is perfect, 2 the worst).

*same*: with the scaling and the bandwidth of `practical`. `forest`, `factor` and `envelope` are
scikit-learn's isolation forest, local outlier factor (on columns scaled as for `practical`) and elliptic
envelope, `scipy` is `gaussian_kde`, each with its defaults; `trimmed` leaves out a tenth of the rows. A
refusal counts as an AUC of 0.5.

{tables} tables in all; `python -m benchmarks.practice report` writes this page.
"""
DENSITIES: Final = (DEFAULT, PLAIN, "trimmed, same", "Huber, same", "paper", "scipy")
WEIGHTED: Final = (DEFAULT, "paper")


def write(records: Records, output: Path) -> None:
    """Write the page."""
    parts = [HEAD.format(tables=len(records))]
    for title, kinds in (
        ("Kinds on which the recipe was chosen", SEEN),
        ("Kinds kept apart until it stood", KEPT_APART),
    ):
        parts += [
            f"## {title}",
            _overview(records, kinds),
            _verdict(records, kinds),
            _ranking(records, kinds),
            _densities(records, kinds),
        ]
    output.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


def _mean(records: Records, kind: Kind, method: str, field: str) -> float | None:
    found = [
        record[method][field]  # type: ignore[literal-required]
        for name, record in records.items()
        if name.rsplit("-", 2)[0] == kind.name
    ]
    known = [value for value in found if value is not None]
    return fmean(known) if known else None


def _table(title: str, heads: list[str], rows: list[list[str]]) -> str:
    return f"<details>\n<summary>{title}, by kind</summary>\n\n{table(heads, rows)}\n\n</details>"


def _row(name: str, values: list[float | None]) -> list[str]:
    return [name, *("" if value is None else f"{value:.3f}" for value in values)]


def _means(rows: list[list[float | None]]) -> list[float | None]:
    columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    return [fmean(column) if column else None for column in columns]


def _overview(records: Records, kinds: tuple[Kind, ...]) -> str:
    """Return the means over the kinds, a method a row."""

    def over_kinds(method: str, field: str) -> float | None:
        return _means([[_mean(records, kind, method, field)] for kind in kinds])[0]

    rows = [
        _row(
            method,
            [
                over_kinds(method, "auc"),
                over_kinds(method, "distance") if method in DENSITIES else None,
                over_kinds(method, "lost") if method in WEIGHTED else None,
            ],
        )
        for method in METHODS
    ]
    return table([f"mean over {len(kinds)} kinds", "AUC", "L1", "good rows without weight"], rows)


def _ranking(records: Records, kinds: tuple[Kind, ...]) -> str:
    values = [[_mean(records, kind, method, "auc") for method in METHODS] for kind in kinds]
    rows = [_row(f"{kind.name}: {kind.words}", found) for kind, found in zip(kinds, values, strict=True)]
    return _table("Area under the ROC curve", ["kind", *METHODS], [*rows, _row("mean", _means(values))])


def _densities(records: Records, kinds: tuple[Kind, ...]) -> str:
    known = [kind for kind in kinds if _mean(records, kind, DEFAULT, "distance") is not None]
    values = [[_mean(records, kind, method, "distance") for method in DENSITIES] for kind in known]
    rows = [_row(kind.name, found) for kind, found in zip(known, values, strict=True)]
    first = _table(
        "L1 distance to the law of the good rows", ["kind", *DENSITIES], [*rows, _row("mean", _means(values))]
    )
    lost = [[_mean(records, kind, method, "lost") for method in WEIGHTED] for kind in kinds]
    rows = [_row(kind.name, found) for kind, found in zip(kinds, lost, strict=True)]
    second = _table(
        "Share of the good rows without weight", ["kind", *WEIGHTED], [*rows, _row("mean", _means(lost))]
    )
    return f"{first}\n\n{second}"


def _verdict(records: Records, kinds: tuple[Kind, ...]) -> str:
    behind, worse = [], []
    for kind in kinds:
        ranks = {method: _mean(records, kind, method, "auc") or 0.0 for method in METHODS}
        best = max((method for method in METHODS if method != DEFAULT), key=ranks.__getitem__)
        if ranks[best] - ranks[DEFAULT] > BEHIND:
            behind.append(f"{kind.name} ({best}: {ranks[best]:.3f}, practical: {ranks[DEFAULT]:.3f})")
        ours, plain = (_mean(records, kind, method, "distance") for method in (DEFAULT, PLAIN))
        if ours is not None and plain is not None and ours > plain:
            worse.append(f"{kind.name} ({plain:.3f} against {ours:.3f})")
    first = "; ".join(behind) or "none"
    second = "; ".join(worse) or "none"
    return (
        f"Kinds on which another method ranks better by more than {BEHIND}: {first}.\n\n"
        "Kinds on which the plain estimate with the same scaling and bandwidth is nearer to the truth: "
        f"{second}."
    )
