"""The table of targets: what works take, on this processor as it is and without AVX-512, by one command.

Run ``python -m benchmarks.speed.targets`` from the root of the checkout on a quiet machine. It measures in a
process for each of two kinds of processor, the second by settings of numpy and OpenBLAS that leave AVX-512
out, keeps what it finds in ``targets.json`` and writes ``benchmarks/RESULTS.md`` from it. ``--only`` names
single targets, ``--kind`` one kind, ``--page`` writes the page alone, and ``--small`` shrinks the sizes to
see that everything runs. A value beyond its floor is an error; a goal is what the next change is to reach.
"""

import argparse
import datetime as dt
import json
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.speed import measures
from benchmarks.speed.callgrind import settings
from benchmarks.speed.floors import read_bandwidth
from benchmarks.speed.machine import describe
from benchmarks.speed.measures import GIGABYTE, Measured
from benchmarks.speed.peers import scikit_learn, scipy_kde
from rkde.fast.operators import DenseOperator, SparseOperator

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
FOUND = Path(__file__).with_name("targets.json")
SMALL_SCALE = 1 / 20
# The kinds of processor.
AS_IT_IS, WITHOUT = "as it is", "without AVX-512"
# Set in the processes that measure.
MEASURING = "RKDE_MEASURING"

# The parts of the page.
TIME, MEMORY, PEERS, MACHINE, PRODUCTS = "time", "memory", "peers", "machine", "products"
PARTS = {
    TIME: (
        "How long a fit takes",
        "Seconds of the whole fit, from the rows to the weights, with bandwidth, certificate and signs.",
    ),
    PEERS: ("Beside other programs", "How many times longer they take for the same answer."),
    MACHINE: ("Beside what the machine can do", "Time over that of the least work that the answer needs."),
    MEMORY: ("Memory", "The largest that the process had at once, in GB; the processor does not matter."),
    PRODUCTS: ("How it grows", "Slopes of the logarithm of time over that of n, and counts."),
}

HALF_MATRIX = "half of the matrix fits, 14.5 GB: a build, and a read of it in each of some thirty products"
NO_VECTORS = "all pairs are near, and without AVX-512 numpy takes 5 to 9 ns for an exponential, with it 0.8"


@dataclass(frozen=True)
class Target:
    """A claim about speed.

    `goal` and `floor` bound the value from above, or from below where `at_least` is set; the floor is what
    a release may not fall short of. `least` bounds a slope from the other side. `remark` says why a floor or
    a goal may be out of reach.
    """

    name: str
    part: str
    text: str
    goal: float
    floor: float
    measure: Callable[[float], Measured]
    at_least: bool = False
    least: float = -math.inf
    remark: str = ""

    def reached(self, value: float, limit: float) -> bool:
        return value >= limit if self.at_least else self.least <= value <= limit


TARGETS = (
    Target("60 000 x 2", TIME, "60 000 rows, 2 columns, `scott`", 3, 5,
           partial(measures.fit_by_scott, 60_000, 2)),
    Target("20 000 x 1", TIME, "20 000 rows, 1 column, `scott`", 1, 2,
           partial(measures.fit_by_scott, 20_000, 1)),
    Target("10^6 x 2", TIME, "10^6 rows, 2 columns, `scott`", 20, 40,
           partial(measures.fit_by_scott, 1_000_000, 2),
           remark="half is products, near what memory gives; a fifth the signs and the sorts of rows"),
    Target("60 000 x 8", TIME, "60 000 rows, 8 columns, two threads", 40, 150,
           partial(measures.fit_on_two_threads, 8), remark=HALF_MATRIX),
    Target("60 000 x 20", TIME, "60 000 rows, 20 columns, two threads", 40, 150,
           partial(measures.fit_on_two_threads, 20), remark=HALF_MATRIX),
    Target("dense step", MACHINE, "a step on a stored matrix / reading half of it", 1.2, 1.4,
           measures.dense_iteration,
           remark="the routine of BLAS for symmetric matrices reads at two thirds of the speed of a sum"),
    Target("half build", MACHINE,
           "building the matrix, 2 columns / one GEMM entry and one exponential a pair",
           1, 2.0, measures.half_build),
    Target("rbf_kernel, d = 2", PEERS, "scikit-learn's `rbf_kernel` / our matrix, 8000 rows, 2 columns", 8, 8,
           partial(measures.build_over_scikit_learn, 2), at_least=True),
    Target("rbf_kernel, d = 20", PEERS, "scikit-learn's `rbf_kernel` / our matrix, 8000 rows, 20 columns",
           3, 3.5, partial(measures.build_over_scikit_learn, 20), at_least=True,
           remark="all pairs are near: a third each are products, exponentials, "
                  "and the writing of one triangle"),
    Target("f_med", PRODUCTS, "products for f_med by the paper's rule", 4, 4, measures.median_products),
    Target("10^6 fit", MACHINE, "a fit of 10^6 rows, 2 columns / one query for nearest rows by a k-d tree",
           2.5, 8, measures.large_fit,
           remark="a fifth is that query itself, for the bandwidth; "
                  "a sixth each are the pairs and the products"),
    Target("10^6 memory", MEMORY, "10^6 rows, 2 columns", 2, 3, measures.large_fit_memory),
    Target("10^7 memory", MEMORY, "10^7 rows, 2 columns, two threads", 20, 20, measures.huge_fit),
    Target("limited memory", MEMORY, "60 000 rows, 20 columns, limit 4 GB", 4, 4, measures.limited_fit),
    Target("refusal", TIME, "an impossible fit is refused", 5, 5, measures.refusal),
    Target("sparse", PRODUCTS, "dense fit / sparse fit, 10 000 rows, 2 columns", 15, 12,
           measures.sparse_over_dense, at_least=True,
           remark="the dense fit, too, evaluates only near pairs now; it took 1.5 times as long before"),
    Target("matrix-free", MACHINE,
           "a product without a matrix, 20 columns / one GEMM entry and one exponential a pair",
           1.2, 1.35, measures.matrix_free),
    Target("sparse slope", PRODUCTS, "slope of the sparse fit", 1.2, 1.25, measures.sparse_slope, least=0.9),
    Target("dense slope", PRODUCTS, "slope of a dense step", 2.1, 2.2, measures.dense_slope, least=1.8),
    Target("scipy", PEERS, "scipy's `gaussian_kde` / our scores, 10 000 rows", 8, 6,
           partial(measures.scores_over, scipy_kde), at_least=True),
    Target("scikit-learn", PEERS, "scikit-learn's `KernelDensity`, rtol 0 / our scores, 10 000 rows", 80, 40,
           partial(measures.scores_over, lambda *work: scikit_learn(*work, 0.0)), at_least=True,
           remark="half of it is the search for 7 10^5 near pairs; repeated runs differ by a third"),
    Target("mom-kde, d = 2", PEERS, "mom-kde / our dense fit and scores, 3000 rows, 2 columns", 3.5, 3.5,
           partial(measures.over_mom_kde, 3000, 2, DenseOperator), at_least=True),
    Target("mom-kde, d = 20", PEERS, "mom-kde / our dense fit and scores, 8000 rows, 20 columns", 2, 2,
           partial(measures.over_mom_kde, 8000, 20, DenseOperator), at_least=True, remark=NO_VECTORS),
    Target("mom-kde, sparse", PEERS, "mom-kde / our sparse fit and scores, 3000 rows, 2 columns", 20, 20,
           partial(measures.over_mom_kde, 3000, 2, SparseOperator), at_least=True,
           remark="a quarter is for the near pairs, a third for the scores, the rest for steps and bounds"),
    Target("mom-kde, 10^4 rows", PEERS, "mom-kde / our sparse fit and scores, 10 000 rows, 2 columns", 60, 60,
           partial(measures.over_mom_kde, 10_000, 2, SparseOperator), at_least=True,
           remark="half is for the near pairs, a quarter for the scores"),
    Target("fill", PRODUCTS, "stored pairs / the formula's", 1.8, 1.8, measures.fill_of_the_formula),
    Target("influence, Hampel", MACHINE, "LU / influence of 200 points, Hampel's loss", 12, 12,
           partial(measures.influence, "hampel"), at_least=True),
    Target("influence, Huber", MACHINE, "LU / influence of 200 points, Huber's loss", 7, 7,
           partial(measures.influence, "huber"), at_least=True),
    Target("influence, absolute", MACHINE, "LU / influence of 200 points, absolute loss", 1.6, 1.6,
           partial(measures.influence, "absolute"), at_least=True),
    Target("influence, 2000 points", MACHINE, "influence of 2000 points, Hampel's loss / one LU", 1.5, 1.5,
           measures.influence_call),
)  # fmt: skip


@dataclass(frozen=True)
class Found:
    """What one target gave."""

    value: float
    detail: str
    # Of the memory and of the machine right after it, which others use too.
    gigabytes_a_second: float
    load: float


def measure(target: Target, scale: float) -> Found | None:
    """Measure one target; None where what it is compared with is not there."""
    found = target.measure(scale)
    if math.isnan(found.value):
        print(f"{target.name}: {found.detail}")
        return None
    return Found(
        found.value, found.detail, round(read_bandwidth() / GIGABYTE, 1), round(os.getloadavg()[0], 1)
    )


def read_found() -> dict[str, Any]:
    """Return what is stored, by kind of processor."""
    return json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}


def store(kind: str, target: Target, found: Found) -> None:
    """Add one value to what is stored: an interrupted run leaves what it has measured."""
    stored = read_found()
    ours = stored.setdefault(kind, {"values": {}})
    ours["machine"] = describe()
    day = dt.datetime.now(tz=dt.UTC).date().isoformat()
    ours["values"][target.name] = {**vars(found), "value": float(f"{found.value:.4g}"), "day": day}
    FOUND.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", "utf-8")


def sign(target: Target) -> str:
    """Return the side on which a limit lies."""
    return (
        "at least" if target.at_least else "at most" if math.isinf(target.least) else f"{target.least:g} to"
    )


def page(stored: Mapping[str, Any], targets: Iterable[Target] = TARGETS) -> str:
    """Return the page: what a reader looks for first, and last the details of each measurement."""
    targets = tuple(targets)
    kinds = [kind for kind in (AS_IT_IS, WITHOUT) if kind in stored]
    values = {kind: stored[kind]["values"] for kind in kinds}
    days = sorted({value["day"] for found in values.values() for value in found.values()})
    lines = [
        "# Measured speed",
        "",
        f"Written by `python -m benchmarks.speed.targets`; measured from {days[0]} to {days[-1]}. Seconds",
        "are the processor's on one thread, or the clock's where two threads are named; the two sides of a",
        f"ratio are timed in turns, and the shortest counts. The column *{WITHOUT}* is of the same processor",
        "with these instructions forbidden to numpy and OpenBLAS. A value in bold misses its goal.",
        "",
        "How long a fit takes by rows, columns, bandwidth and engine stands on the page of",
        "[settings](../docs/settings.md#how-many-rows-are-too-many).",
        "",
        *(f"- {kind}: {'; '.join(stored[kind]['machine'])}" for kind in kinds),
    ]
    for part, (title, what) in PARTS.items():
        shown = kinds if part != MEMORY else kinds[:1]
        lines += ["", f"## {title}", "", what, ""]
        lines += ["| " + " | ".join(["", "goal", *shown]) + " |", "|---" * (2 + len(shown)) + "|"]
        for target in targets:
            if target.part == part:
                cells = [_cell(target, values[kind].get(target.name)) for kind in shown]
                lines.append(f"| {target.text} | {sign(target)} {target.goal:g} | {' | '.join(cells)} |")
    lines += ["", "## Goals that are missed", "", *_missed(targets, values)]
    return "\n".join([*lines, "", *_details(targets, values), ""])


Values = Mapping[str, Mapping[str, Mapping[str, Any]]]


def _missed(targets: Iterable[Target], values: Values) -> list[str]:
    """Return a line for each goal that is missed, with the kinds of processor and the reason."""
    lines = []
    for target in targets:
        where = [kind for kind in values if _misses(target, values[kind].get(target.name), target.goal)]
        if where:
            why = f": {target.remark}" if target.remark else ""
            lines.append(f"- {target.text} ({', '.join(where)}){why}")
    return lines


def _details(targets: Iterable[Target], values: Values) -> list[str]:
    """Return every measurement, folded."""
    lines = [
        "<details>",
        "<summary>Every measurement, with its floor</summary>",
        "",
        "mom-kde is measured where MOM_KDE names a checkout of lminvielle/mom-kde; its psi is repaired.",
        "GB/s is what the memory gave right after the measurement, load the average of the machine.",
        "",
        "| what | kind | floor | value | of what | GB/s | load |",
        "|---" * 7 + "|",
    ]
    for target in targets:
        for kind in values:
            found = values[kind].get(target.name)
            if found is not None:
                floor = f"{sign(target)} {target.floor:g}"
                shown = [f"{found['value']:g}", found["detail"], found["gigabytes_a_second"], found["load"]]
                lines.append(f"| {target.text} | {kind} | {floor} | {' | '.join(map(str, shown))} |")
    return [*lines, "", "</details>"]


def _misses(target: Target, found: Mapping[str, Any] | None, limit: float) -> bool:
    return found is not None and not target.reached(found["value"], limit)


def _cell(target: Target, found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "not measured"
    shown = f"{found['value']:.3g}"
    return f"**{shown}**" if _misses(target, found, target.goal) else shown


def settings_of(kind: str) -> dict[str, str]:
    """Return the variables that make this processor one of that kind."""
    return settings() if kind == WITHOUT else {}


def main() -> int:
    """Measure both kinds in a process each and write the page; in such a process, measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", action="store_true", help="small sizes: no results, only a trial")
    parser.add_argument("--only", action="append", default=[], choices=[target.name for target in TARGETS])
    parser.add_argument("--kind", choices=(AS_IT_IS, WITHOUT), help="by default both")
    parser.add_argument("--page", action="store_true", help="write the page from what is stored")
    arguments = parser.parse_args()
    if os.environ.get(MEASURING):
        warnings.simplefilter("ignore")
        return measure_all(arguments.kind, arguments.only, small=arguments.small)
    status = 0
    for kind in (arguments.kind,) if arguments.kind else () if arguments.page else (AS_IT_IS, WITHOUT):
        options = [*(f"--only={name}" for name in arguments.only), *(["--small"] if arguments.small else [])]
        command = [sys.executable, "-m", "benchmarks.speed.targets", f"--kind={kind}", *options]
        variables = {"OPENBLAS_NUM_THREADS": "1", **settings_of(kind), MEASURING: "1"}
        status |= subprocess.run(command, cwd=ROOT, env=os.environ | variables).returncode  # noqa: S603
    if not arguments.small:
        RESULTS.write_text(page(read_found()), "utf-8")
    return status


def measure_all(kind: str, names: Iterable[str], *, small: bool) -> int:
    """Measure the targets of these names, or all, in this process."""
    is_fine = True
    for target in TARGETS:
        if (names and target.name not in names) or (kind == WITHOUT and target.part == MEMORY):
            continue
        with threadpool_limits(limits=1):
            found = measure(target, SMALL_SCALE if small else 1.0)
        if found is None:
            continue
        print(
            f"{kind}: {target.text}: {found.value:.3g} ({sign(target)} {target.goal:g}); {found.detail}",
            flush=True,
        )
        is_fine &= target.reached(found.value, target.floor)
        if not small:
            store(kind, target, found)
    return 0 if is_fine or small else 1


if __name__ == "__main__":
    sys.exit(main())
