"""How long a fit and the scoring of all its rows take, as a table in docs/settings.md.

Run ``python -m benchmarks.speed.fit_times --write`` from the root of the checkout, best on a quiet machine.
It takes some minutes of processor time, which is also what it measures, because other work on the machine
changes that less than the time on the clock. Without ``--write`` the table is only printed; ``--small``
takes fewer rows, to see that everything runs.
"""

import argparse
import datetime as dt
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import rkde
from benchmarks.speed.timing import Action, processor_seconds
from rkde.machine import describe_machine

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
BEGIN = "<!-- What follows is written by `python -m benchmarks.speed.fit_times --write`. -->"
END = "<!-- What precedes was written by `python -m benchmarks.speed.fit_times --write`. -->"
SEED = 20120901
OUTLIER_SHARE = 0.05
HALF_WIDTH = 10.0
SMALL_SHARE = 20
# What takes longer than this is measured once, all else several times, of which the shortest counts.
ONCE_ABOVE_SECONDS = 5.0
REPETITIONS = 3
SHORTEST_SHOWN = 0.01
# Numbers from here on have a space before the last three digits.
SPACED_FROM = 10_000


@dataclass(frozen=True)
class Case:
    """A table and how it is fitted; without an engine, the program chooses."""

    rows: int
    columns: int
    bandwidth: str | None = None
    engine: str | None = None


CASES = (
    Case(1000, 2),
    Case(1000, 8),
    Case(1000, 2, "median_nn"),
    Case(1000, 2, "lscv"),
    Case(10_000, 2),
    Case(10_000, 2, None, "dense"),
    Case(10_000, 2, None, "sparse"),
    Case(10_000, 2, None, "tiled"),
    Case(10_000, 2, "median_nn"),
    Case(10_000, 8),
    Case(10_000, 8, "median_nn"),
    Case(100_000, 2),
    Case(100_000, 2, "median_nn"),
)


def table_of(rows: int, columns: int) -> np.ndarray:
    """Return normal rows, of which one in twenty is replaced by one that is uniform over a wide box."""
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((rows, columns))
    bad = rng.random(rows) < OUTLIER_SHARE
    X[bad] = rng.uniform(-HALF_WIDTH, HALF_WIDTH, (int(bad.sum()), columns))
    return X


def shortest(action: Action) -> float:
    """Return the processor seconds of an action, the shortest of several runs unless it is long."""
    times = [processor_seconds(action)]
    while times[0] < ONCE_ABOVE_SECONDS and len(times) < REPETITIONS:
        times.append(processor_seconds(action))
    return min(times)


def leading_cells(case: Case) -> list[str]:
    """Return the cells that say what is fitted."""
    rows = f"{case.rows:,}".replace(",", " ") if case.rows >= SPACED_FROM else str(case.rows)
    return [rows, str(case.columns), f"`{case.bandwidth}`" if case.bandwidth else "default"]


def measured(case: Case) -> str:
    """Return the line of the table for a case."""
    X = table_of(case.rows, case.columns)
    chosen = {"bandwidth": case.bandwidth, "engine": case.engine}
    options = {name: value for name, value in chosen.items() if value is not None}
    models = []
    fit = shortest(lambda: models.append(rkde.fit(X, **options)))
    score = shortest(lambda: models[0].log_density(X))
    cells = (
        *leading_cells(case),
        f"{models[0].engine}, {'on request' if case.engine else 'automatic'}",
        shown(fit),
        shown(score),
    )
    return f"| {' | '.join(cells)} |"


def shown(value: float) -> str:
    """Return a time to two digits, and no more than hundredths."""
    if value < SHORTEST_SHOWN:
        return "< 0.01 s"
    return f"{float(f'{value:.2g}'):.{2 if value < 0.1 else 1 if value < 10 else 0}f} s"


def table(*, small: bool) -> str:
    """Return the table, and below it what it was measured on."""
    lines = ["| rows | columns | bandwidth | engine | fit | score all rows |", "|---|---|---|---|---|---|"]
    for case in CASES:
        rows = case.rows // SMALL_SHARE if small else case.rows
        lines.append(measured(Case(rows, case.columns, case.bandwidth, case.engine)))
        print(lines[-1], flush=True)
    machine = describe_machine()
    where = f"{machine.processor}, python {machine.python}, numpy {machine.libraries['numpy']}"
    told = f"Measured on {dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, on one thread of {where}."
    return "\n".join([*lines, "", told])


def replaced(page: str, text: str) -> str:
    """Return the page with the text between the two marks."""
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"the page must hold both marks, {BEGIN!r} first")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


def main() -> None:
    """Measure, and print the table or write it into the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="replace the table of docs/settings.md")
    parser.add_argument("--small", action="store_true", help="few rows: no results, only a trial")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with threadpool_limits(limits=1):
        text = table(small=options.small)
    if options.write and not options.small:
        PAGE.write_text(replaced(PAGE.read_text("utf-8"), text), "utf-8")


if __name__ == "__main__":
    main()
