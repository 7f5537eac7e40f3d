"""One picture of an estimate: what its frame shows, what it counts, and which columns it takes."""

import re
import warnings

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput
from rkde.plotting import MOST_COLUMNS, plot_estimate
from rkde.plotting.grids import count_label

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.plotting.conftest import labels

RNG = np.random.default_rng(71)
CLOUD = RNG.standard_normal((60, 4)) * [3.0, 0.2, 40.0, 1.0] + [20.0, 1.0, 500.0, 0.0]


def drawn(model: rkde.fast.Rkde, **options: object) -> list[Axes]:
    return list(plot_estimate(model, figure=Figure(layout="constrained"), **options).axes)  # type: ignore[arg-type]


@pytest.mark.parametrize("far", [1e6, -999.0, 1e300])
@pytest.mark.parametrize(("size", "copies"), [(20, 1), (60, 1), (60, 5)])
def test_rows_without_weight_far_away_are_counted_beyond_the_frame(
    far: float, size: int, copies: int
) -> None:
    X = np.vstack([CLOUD[:size, :2], np.full((copies, 2), far)])
    model = rkde.fit(X)
    assert (model.weights[-copies:] == 0).all()
    plain, robust = drawn(model)
    assert plain.get_xlim() == robust.get_xlim()
    low, high = robust.get_xlim()
    assert low <= X[:-copies, 0].min()
    assert high >= X[:-copies, 0].max()
    assert high - low < 3 * np.ptp(X[:-copies, 0])
    assert any(label.endswith(f"; {copies} beyond the frame)") for label in labels(robust))
    assert any("% of the probability" in label for label in labels(robust))


def test_a_large_group_that_lost_its_weight_is_shown() -> None:
    X = np.append(np.linspace(0, 1, 40), np.linspace(50, 51, 10))[:, np.newaxis]
    with warnings.catch_warnings(action="ignore"):
        model = rkde.fit(X, bandwidth=0.1, quantiles=(0.3, 0.5, 0.7))
    assert (model.weights[-10:] == 0).all()
    (axes,) = drawn(model)
    assert axes.get_xlim()[0] < 0
    assert axes.get_xlim()[1] > 51


def test_many_columns_show_each_column_and_each_pair_once() -> None:
    figure = plot_estimate(rkde.fit(CLOUD), names=list("abcd"), units=["s", "", "m", ""], figure=Figure())
    shown = [axes for axes in figure.axes if axes.axison]
    assert len(shown) == 4 * 5 / 2
    assert [axes.get_xlabel() for axes in shown[-4:]] == ["a [s]", "b", "c [m]", "d"]
    assert [axes.get_ylabel() for axes in shown if axes.get_ylabel()] == ["b", "c [m]", "d"]
    assert not any(axes.get_legend() for axes in shown)
    texts = labels(shown[0])
    assert len(texts) == len(set(texts))
    assert {"robust density", "around 50% of the probability", "row (length shows its weight)"} <= set(texts)
    assert figure.get_suptitle().startswith("robust density, 4 columns and their pairs\n")


def test_the_legend_of_many_panels_counts_rows_beyond_a_frame_once() -> None:
    far = [[1e6, 1.0, 500.0, 0.0], [0.0, 1.0, 500.0, 1e6], [1e6, 1.0, 1e6, 1e6]]
    model = rkde.fit(np.vstack([CLOUD, far]))
    (told,) = (text for text in labels(drawn(model)[0]) if "weight 0" in text)
    assert told == count_label(int((model.weights == 0).sum())).replace(")", "; 3 beyond a frame)")


def test_some_columns_are_a_marginal() -> None:
    model = rkde.fit(CLOUD)
    (axes,) = drawn(model, columns=[2], names=["c"])
    assert axes.get_xlabel() == "c"
    assert axes.get_title().startswith("robust density, marginal of 4 columns\nbandwidth ")
    low, high = axes.get_xlim()
    assert low < CLOUD[:, 2].min() < CLOUD[:, 2].max() < high


def test_the_title_says_which_bandwidth_and_rule() -> None:
    X = CLOUD[:, :1]
    assert drawn(rkde.fit(X, bandwidth=0.5))[0].get_title() == "robust density\nbandwidth 0.5 (given)"
    scaled = drawn(rkde.fit(X))[0].get_title()
    assert scaled.endswith("(pairwise) in scaled columns")
    plain = drawn(rkde.fit(X, bandwidth=0.5, loss=rkde.Quadratic))[0]
    assert plain.get_title().startswith("plain density (equal weights)\n")
    # Equal weights beside equal weights would show the same twice.
    assert len(plain.get_lines()) == 2


def test_areas_are_filled_on_demand() -> None:
    from matplotlib.contour import ContourSet

    model = rkde.fit(CLOUD[:, :2])
    for filled, sets in ((False, 1), (True, 2)):
        for axes in drawn(model, filled=filled):
            assert sum(isinstance(child, ContourSet) for child in axes.get_children()) == sets


def test_an_estimate_draws_itself() -> None:
    model = rkde.fit(CLOUD[:, :2])
    mine, same = model.plot(names=["a", "b"], figure=Figure()), plot_estimate(model, figure=Figure())
    assert [axes.get_xlabel() for axes in mine.axes] == ["a", "a"]
    assert [axes.get_xlim() for axes in mine.axes] == [axes.get_xlim() for axes in same.axes]


@pytest.mark.parametrize(
    ("width", "options", "message"),
    [
        (4, {"columns": []}, f"columns.* between 1 and {MOST_COLUMNS}.* got 0"),
        (4, {"columns": [0, 4]}, r"columns.* 0 to 3.*\[0, 4\]"),
        (4, {"columns": [1, 1]}, r"columns.* distinct.*\[1, 1\]"),
        (4, {"names": ["a"]}, r"names.* 4 columns.*\['a'\]"),
        (4, {"units": ["m"] * 5}, "units.* 4 columns"),
        (MOST_COLUMNS + 1, {}, "choose some"),
    ],
)
def test_what_cannot_be_drawn_is_refused(width: int, options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        drawn(rkde.fit(RNG.standard_normal((30, width))), **options)


def test_a_marginal_without_a_closed_form_is_refused() -> None:
    model = rkde.fit(CLOUD, kernel=rkde.Laplacian)
    for columns in ([0], [0, 1], None):
        with pytest.raises(InvalidInput, match="closed form"):
            drawn(model, columns=columns)
    assert drawn(rkde.fit(CLOUD[:, :2], kernel=rkde.Laplacian))


@pytest.mark.parametrize("loss", [rkde.fast.Hampel, rkde.fast.Quadratic])
@pytest.mark.parametrize(
    ("places", "sizes"),
    [
        ([[0, 0], [5000, 0]], [100, 50]),
        ([[0, 0], [5000, 0], [0, 9000]], [40, 40, 40]),
        ([[0, 0], [0, 4000], [5000, 9000], [7000, 9000]], [31, 30, 30, 30]),
    ],
    ids=["two", "three", "crossed"],
)
def test_of_groups_too_far_apart_one_is_shown(
    places: list[list[float]], sizes: list[int], loss: type
) -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(size, 2)) + place for size, place in zip(sizes, places, strict=True)])
    for axes in drawn(rkde.fit(X, loss=loss)):
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        inside = (X[:, 0] > left) & (X[:, 0] < right) & (X[:, 1] > low) & (X[:, 1] < high)
        assert inside.sum() >= 30
        assert max(right - left, high - low) < 20
        assert f"row (area shows its weight; {len(X) - inside.sum()} beyond the frame)" in labels(axes)
        shares = [int(share[1]) for share in re.finditer(r"around (\d+)% of the", " ".join(labels(axes)))]
        assert len(shares) == 4
        assert max(shares) <= 100 * inside.mean() + 2


@pytest.mark.parametrize("loss", [rkde.fast.Hampel, rkde.fast.Quadratic])
def test_a_far_row_of_one_column_is_counted_under_every_loss(loss: type) -> None:
    (axes,) = drawn(rkde.fit(np.vstack([CLOUD[:, :1], [[1e6]]]), loss=loss))
    assert axes.get_xlim()[1] < 100
    assert any("; 1 beyond the frame)" in text for text in labels(axes))


@pytest.mark.parametrize("width", [2, 3])
def test_legends_and_names_keep_within_the_picture(width: int) -> None:
    names = [f"the amount of money that was paid in month {month}" for month in range(width)]
    X = CLOUD[:, :width] * [1e-6, 1e6, 1.0][:width]
    model = rkde.fit(X, bandwidth=1e-4, loss=rkde.fast.Quadratic)
    figure = Figure(layout="constrained")
    plot_estimate(model, names=names, figure=figure)
    figure.draw_without_rendering()
    boxes = [legend.get_window_extent() for legend in figure.legends]
    boxes += [axis.label.get_window_extent() for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
    beside = [axes.xaxis.label.get_window_extent() for axes in figure.axes if axes.get_xlabel()]
    assert not any(one.overlaps(other) for place, one in enumerate(beside) for other in beside[:place])
