"""The front door: what `import rkde` offers, and how a result shows itself."""

import html
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rkde
import rkde.fast
from rkde import datasets
from rkde.errors import DegenerateThresholdsWarning

X = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "front-door.md"


def names_of_the_page(markdown: str) -> set[str]:
    section = markdown.partition("## What `import rkde` offers")[2].partition("```")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_what_is_offered_is_what_the_page_names() -> None:
    assert set(rkde.__all__) == set(dir(rkde)) == names_of_the_page(PAGE.read_text("utf-8"))


@pytest.mark.parametrize(
    "name", [None, *(pytest.param(name, marks=pytest.mark.slow) for name in sorted(rkde.__all__))]
)
def test_a_name_is_loaded_when_it_is_asked_for(name: str | None) -> None:
    """One in a process of its own, or all."""
    names = [name] if name else dir(rkde)
    code = "import sys, rkde; assert 'numpy' not in sys.modules; "
    code += f"assert None not in [getattr(rkde, name) for name in {names}]"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_fit_is_the_recipe_with_flat_keywords() -> None:
    direct = rkde.fast.rkde(X, bandwidth=1.0, engine="tiled")
    found = rkde.fit(X, bandwidth=1.0, recipe="paper", engine="tiled")
    assert found.engine == direct.engine == "tiled"
    assert found.weights.tolist() == direct.weights.tolist()
    flat = inspect.signature(rkde.fit).parameters
    recipe = inspect.signature(rkde.fast.rkde).parameters
    assert flat.keys() - recipe.keys() == {"engine", "memory_limit", "threads", "progress", "scale"}
    # An operator has rows of its own, which `fit` would have to scale.
    assert not recipe.keys() - flat.keys() - {"compute", "limits", "operator"}


def test_print_says_what_decided_the_estimate() -> None:
    shown = str(rkde.fit(datasets.load("faithful").rows, bandwidth="scott", recipe="paper"))
    for part in ("272 rows, 2 columns", "(scott)", "0.5, 0.75, 0.85", "converged", "dense", "of 272"):
        assert part in shown
    assert len(shown.splitlines()) < 10


def test_print_names_what_is_missing_or_given() -> None:
    plain = str(rkde.fit(X, bandwidth=1.0, loss=rkde.Quadratic))
    assert "thresholds" not in plain
    assert "bandwidth 1 (given)" in plain
    given = str(rkde.fit(X, bandwidth=1.0, loss=rkde.Huber, start=[1 / 6] * 6, recipe="authors-program"))
    assert "order statistics" in given
    assert "from given weights" in given
    student = rkde.fit(X, kernel=lambda h: rkde.Student(h, 3.0), bandwidth=1.0, quantiles=(0.5, 0.7, 0.9))
    assert "Student with 3 degrees of freedom" in str(student)
    assert "recipe custom" in str(student)


def test_print_says_whose_weights_they_are_where_there_is_no_second_stage() -> None:
    plain = str(rkde.fit(X, bandwidth=1.0, loss=rkde.Quadratic))
    assert "none, the weights are uniform: converged" in plain
    median = str(rkde.fit(X, bandwidth=1.0, loss=rkde.Absolute))
    assert "to f_med, which provides the weights: converged" in median
    assert "Absolute\n" in median
    tied = [[0.0], [0.0], [0.0], [5.0]]
    with pytest.warns(DegenerateThresholdsWarning):
        ended = str(rkde.fit(tied, bandwidth=1.0, recipe="paper", on_degenerate="warn"))
    assert "Absolute, since the thresholds are degenerate: a = 0, b = 0" in ended
    assert "which provides the weights: degenerate thresholds" in ended


def test_print_shows_a_kernel_of_ones_own_by_its_name() -> None:
    odd = type("Odd", (rkde.Gaussian,), {"dof": "many"})
    assert "Odd, bandwidth 1 (given)" in str(rkde.fit(X, kernel=odd, bandwidth=1.0))


def test_a_run_and_a_limit_show_themselves() -> None:
    estimate = rkde.fit(X, bandwidth=1.0)
    assert str(estimate.run).startswith("run of KIRWLS\n  weights")
    assert "certificate" in str(estimate.median)
    assert "certificate" not in str(estimate.run)


def results_of(rows: Any, **options: Any) -> list[Any]:
    """Fit rows in every way, and return all that shows itself."""
    estimate = rkde.fit(rows, **options)
    plain, variable = rkde.kde(rows, estimate.kernel), rkde.fast.vkde(rows, estimate.kernel)
    nearest = rkde.fast.nearest_vkde(rows, estimate.kernel, 2)
    return [estimate, estimate.run, estimate.median, plain, variable, nearest]


def cells_of(page: str) -> list[str]:
    """Return the texts of the cells of a table."""
    return [html.unescape(text) for text in re.findall(r">([^<>]+)<", page)]


def test_a_notebook_shows_the_same_as_a_table() -> None:
    found = results_of(X, bandwidth=1.0)
    moved = rkde.fast.influence(X, found[0].kernel, rkde.Quadratic(), [1 / 6] * 6, [[3.0], [9.0]])
    for result in (*found, moved):
        head, *cells = cells_of(result._repr_html_())
        title, *lines = str(result).splitlines()
        assert head == title
        assert [" ".join(pair) for pair in zip(cells[::2], cells[1::2], strict=True)] == [
            re.sub(r"\s{2,}", " ", line.strip()) for line in lines
        ]


def test_a_notebook_shows_an_explanation_row_by_row() -> None:
    why = rkde.explain(rkde.fit(X, bandwidth=1.0), rows=[5, 0])
    _, *cells = cells_of(why._repr_html_())
    assert cells[::2] == ["row 5", "row 0"]
    rows = [f"{place}: {text}" for place, text in zip(cells[::2], cells[1::2], strict=True)]
    assert rows == repr(why).splitlines()


def test_nothing_prints_every_row() -> None:
    table = datasets.load("iris")
    found = results_of(table.rows)
    for result in (table, *found, rkde.explain(found[0], rows=range(50))):
        assert len(repr(result).splitlines()) <= 12
        assert max(map(len, repr(result).splitlines())) <= 120


def test_a_table_shows_its_first_rows() -> None:
    assert repr(datasets.load("faithful")).splitlines() == [
        "table dataset:faithful: 272 rows, 2 columns",
        "  eruptions  waiting",
        "        3.6       79",
        "        1.8       54",
        "      3.333       74",
        "      2.283       62",
        "      4.533       85",
        "  ... and 267 more",
    ]


def test_a_summary_names_the_least_likely_rows_and_the_signs() -> None:
    rows = [[k / 10, (k * k) % 7] for k in range(60)] + [[30.0, 3.0]]
    estimate = rkde.fit(rows)
    shown = estimate.summary(top=2)
    head, least, signs = shown.split("\n\n")
    assert head == str(estimate)
    logs = estimate.log_density(rows)
    first = least.splitlines()[1]
    assert first == f"  row 60: log density {logs[60]:.6g}, weight {estimate.weights[60]:.3g}"
    assert len(least.splitlines()) == 3
    assert len(signs.splitlines()) == 1 + max(1, len(estimate.signs()))
    assert "least likely" not in estimate.summary(top=0)
    with pytest.raises(rkde.errors.InvalidInput, match="top must be"):
        estimate.summary(top=-1)
