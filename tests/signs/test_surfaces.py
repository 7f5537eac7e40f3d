"""`rkde.fit`, `rkde.fast.rkde`, the estimator and the command line say the same of the same table."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rkde
from benchmarks.practice.planted import PLANTED, Planted
from benchmarks.practice.truths import Array
from rkde.errors import SignWarning
from rkde.signs import WARNINGS, Sign
from tests.cli.running import run, succeeded
from tests.signs.seen import written

pytest.importorskip("sklearn", reason="needs the extra sklearn")

# One table for each sign, under settings that the command line has, too.
FIRST = {
    planted.sign: planted
    for planted in reversed(PLANTED)
    if planted.settings.keys() <= {"recipe", "bandwidth"}
}
each_sign = pytest.mark.parametrize("planted", FIRST.values(), ids=FIRST.keys())


def told(fit: Callable[[], object]) -> list[SignWarning]:
    """Return the signs among the warnings of a fit."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    return [entry.message for entry in caught if isinstance(entry.message, SignWarning)]


def on_command_line(rows: Array, settings: dict[str, Any], folder: Path, header: str = "") -> list[str]:
    """Return the warnings of `rkde fit` on a table."""
    options = [part for name, value in settings.items() for part in (f"--{name}", str(value))]
    result = run("fit", written(folder, rows, header), "-o", folder / "m.npz", *options)
    succeeded(result)
    start = "rkde: warning: "
    return [line.removeprefix(start) for line in result.stderr.splitlines() if line.startswith(start)]


def test_every_sign_has_a_table() -> None:
    assert set(FIRST) == set(WARNINGS)


@each_sign
def test_four_surfaces_say_the_same(planted: Planted, tmp_path: Path) -> None:
    rows, settings = planted.table(0)[0], planted.settings
    by_fit = told(lambda: rkde.fit(rows, **settings))
    by_estimator = told(lambda: rkde.RobustKernelDensity(**settings).fit(rows))
    assert WARNINGS[planted.sign] in map(type, by_fit)
    assert [str(one) for one in by_fit] == [str(one) for one in by_estimator]
    signs = [one.sign for one in by_fit]
    if "recipe" in settings:
        names = {"recipe": "paper", "bandwidth": "median_nn", **settings}
        by_recipe = told(lambda: rkde.fast.rkde(rows, **names))
        assert [str(one) for one in by_recipe] == [str(one) for one in by_fit]
    clauses = [sign.text(first_row=1).partition(";")[0] for sign in signs if isinstance(sign, Sign)]
    assert [line.partition(";")[0] for line in on_command_line(rows, settings, tmp_path)] == clauses


@each_sign
def test_a_warning_points_at_the_caller_and_carries_its_sign(planted: Planted) -> None:
    rows = planted.table(0)[0]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", WARNINGS[planted.sign])
        model = rkde.fit(rows, **planted.settings)
    mine = [entry for entry in caught if issubclass(entry.category, WARNINGS[planted.sign])]
    assert [entry.filename for entry in mine] == [__file__]
    assert isinstance(mine[0].message, SignWarning)
    assert mine[0].message.sign in model.signs()


def test_columns_are_called_by_their_names(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="needs a data frame")
    rows = FIRST["counter-column"].table(0)[0]
    settings = FIRST["counter-column"].settings
    frame = pandas.DataFrame(rows, columns=["rownames", "x"])
    by_estimator = told(lambda: rkde.RobustKernelDensity(**settings).fit(frame))
    assert any(str(one).startswith("column 'rownames' counts the rows") for one in by_estimator)
    lines = on_command_line(rows, settings, tmp_path, "rownames,x")
    counting = [line for line in lines if line.startswith("column 'rownames' counts the rows")]
    assert len(counting) == 1
    assert "choose the others with --columns 2" in counting[0]
