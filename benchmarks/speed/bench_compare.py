"""The gate of ``compare.py`` at work: a planted slowdown is reported, the same version under load is not."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchmarks.speed.compare import compare_sides, has_grown, judge, judge_counters
from benchmarks.speed.sides import ROOT, Side

# Short ones, of the two kinds: bound by memory and caches, and by arithmetic.
NAMES = ("dense build of all pairs / GEMM + exp", "tiled product / GEMM + exp")
PARTS = ("src", "fast", "reference", "proofs_checks")
# As many as there is no room for beside the two sides.
BUSY_PROCESSES = 3
PRODUCT = "return self._sum_of_tiles(coefficients, is_proved=False)"


@contextmanager
def load() -> Iterator[None]:
    """Keep other processes busy with memory and arithmetic while the context lasts."""
    code = "import numpy as np\na = np.ones((1500, 1500))\nwhile True: a @ a"
    busy = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(BUSY_PROCESSES)]  # noqa: S603
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def copy_of_the_package(folder: Path) -> Path:
    """Return a copy of the parts of the package, whose links lead to one another."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, symlinks=True)
    return folder


def test_a_product_done_twice_is_reported(tmp_path: Path) -> None:
    slowed = copy_of_the_package(tmp_path)
    path = slowed / "fast" / "operators" / "tiled.py"
    text = path.read_text("utf-8")
    assert text.count(PRODUCT) == 1
    # Without a trace in the counters.
    twice = PRODUCT.replace(
        "return ", "counted = self.products, self.kernel_evaluations\n        again = "
    ) + (f"\n        self.products, self.kernel_evaluations = counted\n        del again\n        {PRODUCT}")
    path.write_text(text.replace(PRODUCT, twice), "utf-8")
    with ExitStack() as stack:
        base, candidate = (stack.enter_context(Side(tree)) for tree in (ROOT, slowed))
        (failure,) = compare_sides(base, candidate, NAMES)
    assert failure.startswith("tiled product")


def test_the_same_version_under_load_is_not_reported() -> None:
    with ExitStack() as stack:
        base, candidate = (stack.enter_context(Side(ROOT)) for _ in range(2))
        stack.enter_context(load())
        assert not compare_sides(base, candidate, NAMES)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ([1.2, 1.3], False),  # within the spread of the old ones
        ([1.31, 1.4], True),
        ([1.25, 1.5], False),  # one of them is
    ],
)
def test_the_spread_of_the_old_values_is_the_tolerance(now: list[float], *, expected: bool) -> None:
    assert has_grown([1.0, 1.3], now) is expected


def test_growth_below_five_per_cent_is_none() -> None:
    assert not has_grown([1.0, 1.0], [1.04, 1.05])
    assert has_grown([1.0, 1.0], [1.06, 1.06])


@pytest.mark.parametrize(("second", "count"), [(2.0, 1), (1.0, 0)])
def test_only_a_second_failure_counts(second: float, count: int) -> None:
    values = iter([([1.0], [2.0]), ([1.0], [second])])
    assert len(judge(["work"], lambda _: next(values))) == count


def test_counters_are_judged_at_equality() -> None:
    assert judge_counters({"products": 6}, {"products": 6}) == []
    assert judge_counters({"products": 6}, {"products": 5}) == ["products: 6 before, 5 now"]
    assert judge_counters({}, {"products": 5}) == ["products: None before, 5 now"]
