"""Collects the timings of one run, prints them beside floor and slope, and says what a stored run is of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from benchmarks.speed.history import commit
from benchmarks.speed.machine import describe, exponential_seconds, machine_info
from benchmarks.speed.tracked import counters


@dataclass(frozen=True)
class StepTime:
    """Seconds of one step, and of reading half of the symmetric matrix, which a step must do."""

    step: float
    floor: float


TIMES = pytest.StashKey[dict[int, StepTime]]()


def fitted_slope(times: dict[int, StepTime]) -> float:
    """Return the slope of log time against log n by least squares."""
    slope, _ = np.polyfit(np.log(list(times)), np.log([time.step for time in times.values()]), 1)
    return float(slope)


@pytest.fixture
def step_times(request: pytest.FixtureRequest) -> dict[int, StepTime]:
    """Shortest times by n; filled by the benchmarks."""
    return request.config.stash.setdefault(TIMES, {})


def pytest_benchmark_generate_machine_info() -> dict[str, Any]:
    """Return what speed depends on; the plugin's own would name the machine."""
    return machine_info()


def pytest_benchmark_generate_commit_info() -> dict[str, Any]:
    """Return the commit that is measured, which need not be the one that is checked out."""
    return commit()


def pytest_benchmark_update_json(output_json: dict[str, Any]) -> None:
    """Add the exact counters."""
    output_json["counters"] = counters()


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print one line a size: the time of a step, its floor, and what the exponentials of the build cost."""
    times = config.stash.get(TIMES, {})
    if len(times) < 2:
        return
    write = terminalreporter.write_line
    exponential = exponential_seconds()
    terminalreporter.section("one step on a stored matrix")
    for line in describe():
        write(line)
    write(f"{'n':>6} {'step ms':>9} {'floor ms':>9} {'ratio':>6} {'all exp ms':>11}")
    for n, time in times.items():
        building = n * (n - 1) / 2 * exponential
        ratio = time.step / time.floor
        write(f"{n:6d} {time.step * 1e3:9.3f} {time.floor * 1e3:9.3f} {ratio:6.2f} {building * 1e3:11.2f}")
    write(f"slope of log time against log n: {fitted_slope(times):.2f}")
