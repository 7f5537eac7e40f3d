"""The picture of a density on the line shows the numbers of the library, and every row."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.axes import Axes

from rkde.errors import InvalidInput
from rkde.fast import Gaussian, Student, log_density
from rkde.plotting import plot_density
from tests.plotting.conftest import labels

X = np.array([[0.0], [1.0], [1.5], [4.0]])
WEIGHTS = np.array([0.25, 0.5, 0.25, 0.0])
KERNEL = Gaussian(0.5)


def curve(axes: Axes, label: str) -> tuple[np.ndarray, np.ndarray]:
    (line,) = (line for line in axes.lines if line.get_label() == label)
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_curves_are_the_densities(panels: list[Axes]) -> None:
    axes = plot_density(X, KERNEL, WEIGHTS, axes=panels[0])
    assert axes is panels[0]
    for label, weights in (
        ("robust density", WEIGHTS),
        ("plain density (equal weights)", np.full(len(X), 1 / len(X))),
    ):
        points, heights = curve(axes, label)
        assert (np.diff(points) > 0).all()
        assert np.array_equal(heights, np.exp(log_density(X, KERNEL, weights, points[:, None])))


def test_every_row_is_there_by_its_weight(panels: list[Axes]) -> None:
    axes = plot_density(X, KERNEL, WEIGHTS, axes=panels[0])
    (sticks,) = (item for item in axes.collections if item.get_label() == "row (length shows its weight)")
    ends = np.array([path.vertices for path in sticks.get_paths()])
    assert np.array_equal(ends[:, 0, 0], X[WEIGHTS > 0, 0])
    lengths = ends[:, 1, 1] - ends[:, 0, 1]
    assert lengths[0] == lengths[2] < lengths[1]
    assert (ends[:, :, 1] < 0).all()
    lost = "1 row of weight 0 (its label may differ)"
    (crosses,) = (item for item in axes.collections if item.get_label() == lost)
    assert np.asarray(crosses.get_offsets())[:, 0].tolist() == [4.0]
    assert crosses.get_zorder() > sticks.get_zorder()


def test_narrow_bumps_are_not_missed(panels: list[Axes]) -> None:
    """A bandwidth far below the distance between the points of an even grid."""
    kernel = Gaussian(1e-6)
    points, heights = curve(plot_density(X, kernel, WEIGHTS, compare=False, axes=panels[0]), "robust density")
    peak = np.exp(log_density(X, kernel, WEIGHTS, [[1.0]]))[0]
    assert heights.max() == peak
    assert 1.0 in points


def test_names_and_units(panels: list[Axes]) -> None:
    named = plot_density(X, KERNEL, WEIGHTS, name="width", unit="cm", axes=panels[0])
    assert (named.get_xlabel(), named.get_ylabel()) == ("width [cm]", "density [1/cm]")
    bare = plot_density(X, KERNEL, WEIGHTS, axes=panels[1])
    assert (bare.get_xlabel(), bare.get_ylabel()) == ("x", "density [1 / unit of x]")
    assert all(tick >= 0 for tick in bare.get_yticks())


def test_without_the_comparison(panels: list[Axes]) -> None:
    shown = labels(plot_density(X, KERNEL, WEIGHTS, compare=False, axes=panels[0]))
    rows = ["row (length shows its weight)", "1 row of weight 0 (its label may differ)"]
    assert shown == ["robust density", *rows]


@pytest.mark.parametrize("kernel", [KERNEL, Student(0.5, 2.0)])
def test_far_rows_are_counted_beyond_the_frame(panels: list[Axes], kernel: Gaussian | Student) -> None:
    rows, weights = np.vstack([X, [[1e9]], [[-1e9]]]), np.append(WEIGHTS, [0.0, 0.0])
    axes = plot_density(rows, kernel, weights, axes=panels[0])
    assert "3 rows of weight 0 (labels may differ; 2 beyond the frame)" in labels(axes)
    near = plot_density(X, kernel, WEIGHTS, axes=panels[1])
    assert axes.get_xlim() == near.get_xlim()


def test_a_far_row_of_little_weight_is_counted_too_and_one_row_has_a_frame(panels: list[Axes]) -> None:
    rows = np.vstack([np.linspace(0, 1, 200)[:, None], [[1e6]]])
    axes = plot_density(rows, KERNEL, np.full(201, 1 / 201), axes=panels[0])
    assert "row (length shows its weight; 1 beyond the frame)" in labels(axes)
    assert axes.get_xlim()[1] < 10
    low, high = plot_density([[3.0]], KERNEL, [1.0], axes=panels[1]).get_xlim()
    assert low < 3 < high


def test_other_shapes_are_refused(panels: list[Axes]) -> None:
    with pytest.raises(InvalidInput, match="must have one column, got 2; use plot_contours"):
        plot_density([[0.0, 1.0]], KERNEL, [1.0], axes=panels[0])
    with pytest.raises(InvalidInput, match="weights"):
        plot_density(X, KERNEL, [0.5, 0.5], axes=panels[0])
