"""The pictures of losses, of the descent and of ROC curves show the numbers of the library."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.axes import Axes

from rkde.errors import InvalidInput
from rkde.fast import Absolute, Hampel, Huber, Quadratic, auc, rkde, roc_curve
from rkde.plotting import plot_losses, plot_path, plot_roc
from tests.plotting.conftest import labels

HAMPEL = Hampel(0.5, 0.75, 1.25)
LOSSES = [Quadratic(), Absolute(), Huber(0.5), HAMPEL]
SCORES, LABELS = [3.0, 1.0, 2.0, 2.0, 0.0], [1, 0, 0, 1, 0]
CURVE = roc_curve(SCORES, LABELS)


@pytest.mark.parametrize("place", range(3), ids=["rho", "psi", "phi"])
def test_curves_are_the_functions(panels: list[Axes], place: int) -> None:
    function = ("rho", "psi", "phi")[place]
    axes = plot_losses(LOSSES, axes=panels)[place]
    assert axes.get_ylabel().startswith(f"{function}(t) [")
    curves = [line for line in axes.lines if len(np.asarray(line.get_xdata())) > len(HAMPEL.kinks)]
    for loss, line in zip(LOSSES, curves, strict=True):
        points = np.asarray(line.get_xdata())
        assert np.array_equal(np.asarray(line.get_ydata()), getattr(loss, function)(points))
        assert points[0] > 0
    assert len({(line.get_color(), line.get_linestyle()) for line in curves}) == len(LOSSES)
    assert len({line.get_linestyle() for line in curves}) == len(LOSSES)


def test_the_legend_has_thresholds_and_capitals_for_people(panels: list[Axes]) -> None:
    names = labels(plot_losses(LOSSES, axes=panels)[1])
    assert names == ["quadratic", "absolute", "Huber (a = 0.5)", "Hampel (a = 0.5, b = 0.75, c = 1.25)"]


def test_kinks_are_dots(panels: list[Axes]) -> None:
    for axes in plot_losses(HAMPEL, axes=panels):
        (dots,) = (line for line in axes.lines if line.get_marker() == "o")
        assert tuple(np.asarray(dots.get_xdata()).tolist()) == HAMPEL.kinks


def test_rows_are_at_their_residuals(panels: list[Axes]) -> None:
    norms = [0.2, 0.9, 1.1]
    axes = plot_losses(Huber(0.5), residual_norms=norms, axes=panels)[0]
    (ticks,) = (line for line in axes.lines if line.get_marker() == "|")
    assert np.asarray(ticks.get_xdata()).tolist() == norms
    assert axes.get_xlim()[1] > max(norms)


@pytest.mark.parametrize(
    ("losses", "units"),
    [
        (HAMPEL, ["[τ²]", "[τ]", "[1]"]),
        (Absolute(), ["[τ]", "[1]", "[1/τ]"]),
        (LOSSES, ["[τ²; absolute: τ]", "[τ; absolute: 1]", "[1; absolute: 1/τ]"]),
    ],
)
def test_units(panels: list[Axes], losses: object, units: list[str]) -> None:
    drawn = plot_losses(losses, axes=panels)
    assert [axes.get_ylabel().partition(" ")[2] for axes in drawn] == units
    assert {axes.get_xlabel() for axes in drawn} == {"residual norm t [τ]"}


def test_the_infinite_phi_of_the_absolute_loss_does_not_squeeze_the_others(panels: list[Axes]) -> None:
    low, high = plot_losses([Absolute(), HAMPEL], axes=panels)[2].get_ylim()
    assert low == 0
    assert 1 < high < 10


def test_the_path_and_its_decreases(panels: list[Axes]) -> None:
    fitted = rkde([[0.0], [1.0], [1.5], [4.0], [9.0]], bandwidth=1.0)
    left, right = plot_path(fitted.objective_path, status=str(fitted.status), axes=panels[:2])
    path = fitted.objective_path
    assert np.array_equal(np.asarray(left.lines[0].get_ydata()), path)
    falls = path[:-1] - path[1:]
    assert np.array_equal(np.asarray(right.lines[0].get_ydata()), falls[falls > 0])
    assert (left.get_ylabel(), right.get_yscale()) == ("objective J [τ²]", "log")
    assert left.get_title() == f"{fitted.n_iter} steps, converged"


def test_a_path_of_no_step(panels: list[Axes]) -> None:
    left, right = plot_path([0.5], unit="τ", axes=panels[:2])
    assert (left.get_title(), left.get_ylabel()) == ("0 steps", "objective J [τ]")
    assert right.get_yscale() == "linear"


@pytest.mark.parametrize(
    ("draw", "given", "count", "message"),
    [
        (plot_losses, [], 3, "must have between 1 and 4 entries, got 0; pass 1 to 4 losses"),
        (plot_losses, [Quadratic()] * 5, 3, "must have between 1 and 4 entries, got 5; pass 1 to 4 losses"),
        (plot_losses, HAMPEL, 2, "must have 3 entries, got 2; pass 3 axes"),
        *(
            (
                plot_roc,
                {str(k): CURVE for k in range(n)},
                1,
                f"must have between 1 and 4 entries, got {n}; pass 1",
            )
            for n in (0, 5)
        ),
        (plot_path, [], 2, r"must have shape \(n,\) with n at least 1, got \(0,\)"),
        (plot_path, [1.0], 3, "must have 2 entries, got 3; pass 2 axes"),
    ],
)
def test_refused(panels: list[Axes], draw: Any, given: Any, count: int, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        draw(given, axes=panels[:count] if count > 1 else panels[0])


def test_rows_and_kinks_that_lie_together_fill_the_axis(panels: list[Axes]) -> None:
    norms = [0.95, 0.97, 1.01]
    axes = plot_losses(Hampel(0.98, 0.99, 1.0), residual_norms=norms, axes=panels)[0]
    low, high = axes.get_xlim()
    assert 0.9 < low < min(norms)
    assert max(norms) < high < 1.1
    assert plot_losses(HAMPEL, residual_norms=[0.1, 1.0], axes=panels)[0].get_xlim()[0] == 0


def test_roc_curves_are_those_of_the_library(panels: list[Axes]) -> None:
    axes = plot_roc({"first": CURVE, "second": CURVE}, axes=panels[0])
    for line in axes.lines[:2]:
        assert np.array_equal(np.asarray(line.get_xdata()), CURVE.false_positive_rate)
        assert np.array_equal(np.asarray(line.get_ydata()), CURVE.true_positive_rate)
    assert len({line.get_linestyle() for line in axes.lines[:2]}) == 2


def test_the_legend_of_roc_curves_has_the_area(panels: list[Axes]) -> None:
    shown = labels(plot_roc({"ties": CURVE}, axes=panels[0]))
    assert shown[0] == f"ties, area {auc(SCORES, LABELS):.3f}"
