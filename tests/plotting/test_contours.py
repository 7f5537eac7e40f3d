"""The picture of a density in the plane: contours hold the share they name, circles show the weights."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.axes import Axes
from matplotlib.contour import ContourSet

from rkde.errors import InvalidInput
from rkde.fast import Gaussian, Student
from rkde.plotting import plot_contours
from rkde.plotting.grids import share_levels
from tests.plotting.conftest import labels

RNG_SEED = 5
X = np.random.default_rng(RNG_SEED).standard_normal((60, 2))
WEIGHTS = np.append(np.full(50, 1 / 50), np.zeros(10))
KERNEL = Gaussian(0.6)


def contour_set(axes: Axes) -> ContourSet:
    (drawn,) = (item for item in axes.get_children() if isinstance(item, ContourSet))
    return drawn


def test_one_kernel_has_circles_of_known_radius(panels: list[Axes]) -> None:
    """The share p of a Gaussian in the plane lies within h sqrt(-2 log(1 - p)).

    A contour is off by what the grid cannot tell: half a cell's diagonal in its place, and as much again
    because the level is that of the last cell inside.
    """
    shares = (0.5, 0.8, 0.95)
    axes = plot_contours([[1.0, -2.0]], KERNEL, [1.0], shares=shares, axes=panels[0])
    low, high = axes.get_xlim()
    cell = (high - low) / 240
    # The outermost first.
    for share, pieces in zip(reversed(shares), contour_set(axes).allsegs, strict=True):
        vertices = np.concatenate(pieces)
        radii = np.hypot(*(vertices - [1.0, -2.0]).T)
        expected = KERNEL.bandwidth * np.sqrt(-2 * np.log(1 - share))
        assert np.abs(radii - expected).max() <= np.sqrt(2) * cell


def test_circles_have_the_area_of_their_weight(panels: list[Axes]) -> None:
    # Powers of 2, of which every product and quotient is exact.
    weights = np.append([0.5, 0.25, 0.125, 0.125], np.zeros(12))
    rows = X[:16]
    axes = plot_contours(rows, KERNEL, weights, axes=panels[0])
    (circles,) = (item for item in axes.collections if item.get_label() == "row (area shows its weight)")
    areas = np.asarray(circles.get_sizes())
    assert (areas / areas.max()).tolist() == [1, 0.5, 0.25, 0.25]
    assert np.array_equal(np.asarray(circles.get_offsets()), rows[:4])
    lost = "12 rows of weight 0 (labels may differ)"
    (crosses,) = (item for item in axes.collections if item.get_label() == lost)
    assert np.array_equal(np.asarray(crosses.get_offsets()), rows[4:])


def test_labels_name_shares_and_units(panels: list[Axes]) -> None:
    axes = plot_contours(X, KERNEL, WEIGHTS, names=("a", "b"), units=("cm", ""), axes=panels[0])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("a [cm]", "b")
    assert {f"around {share}% of the probability" for share in (50, 80, 95, 99)} <= set(labels(axes))


def test_a_share_beyond_the_frame_is_left_out(panels: list[Axes]) -> None:
    """Student's tails with one degree of freedom hold a third beyond three bandwidths."""
    axes = plot_contours(X, Student(0.5, 1.0), WEIGHTS, axes=panels[0])
    assert "around 50% of the probability" in labels(axes)
    assert "around 99% of the probability" not in labels(axes)


def test_far_rows_are_counted(panels: list[Axes]) -> None:
    rows, weights = np.vstack([X, [[1e8, 0.0]]]), np.append(WEIGHTS, 0.0)
    axes = plot_contours(rows, KERNEL, weights, axes=panels[0])
    assert "11 rows of weight 0 (labels may differ; 1 beyond the frame)" in labels(axes)
    assert axes.get_xlim()[1] < 10


def test_limits_that_are_given_are_kept_and_count_what_they_hide(panels: list[Axes]) -> None:
    free = plot_contours(X, KERNEL, WEIGHTS, axes=panels[0])
    limits = ((-0.5, 0.5), (-1.0, 1.0))
    axes = plot_contours(X, KERNEL, WEIGHTS, limits=limits, axes=panels[1])
    assert (axes.get_xlim(), axes.get_ylim()) == limits
    hidden = int(((np.abs(X[:50]) > [0.5, 1.0]).any(axis=1)).sum())
    assert f"row (area shows its weight; {hidden} beyond the frame)" in labels(axes)
    assert np.array_equal(contour_set(axes).levels, contour_set(free).levels)


def test_many_islands_and_one_row(panels: list[Axes]) -> None:
    islands = plot_contours(X, Gaussian(0.05), WEIGHTS, labels=True, axes=panels[0])
    assert not islands.texts
    single = plot_contours([[0.0, 0.0]], KERNEL, [1.0], labels=True, axes=panels[1])
    assert {text.get_text() for text in single.texts} == {"50%", "80%", "95%", "99%"}


def test_levels_of_a_density_that_is_nowhere() -> None:
    assert share_levels(np.zeros((3, 3)), 1.0, (0.5,)) == []


def test_other_shapes_are_refused(panels: list[Axes]) -> None:
    with pytest.raises(InvalidInput, match="must have 2 columns, got 3"):
        plot_contours(np.zeros((2, 3)), KERNEL, [0.5, 0.5], axes=panels[0])
