"""The pictures show the numbers that they are given, and what their captions say is so."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason='needs matplotlib: pip install "rkde[plot]"')

import rkde.fast as rk
from benchmarks.paper import figures, figures_results, figures_roc
from benchmarks.paper.figures_captions import captions
from benchmarks.paper.figures_data import X_NEW, in_the_plane, on_the_line
from benchmarks.paper.figures_results import Group, Panel, draw_points, draw_rank_sums, least_significant
from benchmarks.paper.loaded import Loaded
from benchmarks.paper.methods import MAIN, Choices, fit
from benchmarks.paper.partitions import partition
from rkde.proofs_checks.check_ranks import exact_p_value
from rkde.proofs_checks.tolerances import printed_digits, sum_bound

RATIOS = (0.0, 0.1, 0.3)
pytestmark = pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")


def panel(
    title: str = "RKDE against KDE",
    series: Mapping[str, Sequence[float | None] | None] | None = None,
    low: Sequence[float | None] = (50, 55, 60),
    high: Sequence[float | None] = (60, 65, 70),
) -> Panel:
    return Panel(title, RATIOS, series or {"printed": (26, 46, 99), "ours": (55, None, 65)}, low, high)


def test_losses_are_shown_where_residual_norms_can_be() -> None:
    # Two rows that are far apart: a row's distance from the other one's density is the largest there is.
    largest = float(rk.residual_norms([[0.0], [100.0]], rk.Gaussian(1.0), [0.0, 1.0])[0])
    for axes in figures.losses().axes:
        assert axes.get_xlim() == (0, largest)
        assert all(0 < threshold < largest for threshold in figures.THRESHOLDS)
        ends = [np.asarray(line.get_ydata())[-1] for line in axes.lines if len(line.get_xdata()) > 3]  # type: ignore[arg-type]
        assert len(set(ends)) == 3


def test_no_contour_is_cut_by_the_frame() -> None:
    plane = in_the_plane()
    side = len(plane.axis)
    for name, values in plane.densities.items():
        density = values.reshape(side, side)
        border = np.concatenate([density[0], density[-1], density[:, 0], density[:, -1]])
        assert border.max() < figures.LEVELS[0] < density.max(), name
    assert plane.densities["truth"].max() > figures.LEVELS[-1]


def test_the_legend_and_titles_of_the_contours_have_the_facts() -> None:
    figure = figures.contours()
    plane = in_the_plane()
    rows = np.vstack([plane.nominal, plane.outlying])
    fitted = rk.rkde(rows, bandwidth=rk.scott(rows))
    lost = int((fitted.weights[: len(plane.nominal)] == 0).sum())
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert f"nominal row of weight 0: {lost}" in labels
    assert [f"density {level:g}" for level in figures.LEVELS] == labels[-len(figures.LEVELS) :]
    assert f"have {lost} of the 200 nominal rows" in captions()["contours.png"]
    widths = [rk.scott(plane.nominal), rk.scott(rows), fitted.bandwidth]
    titles = [axes.get_title() for axes in figure.axes]
    assert [title.rpartition(" ")[2] for title in titles[1:]] == [f"{width:.2f}" for width in widths]
    # Which estimate the caption calls the worse one, under which rule.
    paper = in_the_plane("median_nn")
    assert plane.distance("robust") < plane.distance("plain")
    assert paper.distance("robust") > paper.distance("plain")
    assert plane.bandwidths["clean"] < plane.bandwidths["plain"]


def test_the_bandwidth_decides_whether_the_smaller_mode_is_kept() -> None:
    scott, paper = on_the_line(), on_the_line("median_nn")
    assert (scott.bandwidth, paper.bandwidth) == (rk.scott(scott.X), rk.median_nn(scott.X))
    assert scott.kept("rkde") == 0
    assert paper.kept("rkde") > 0.9 * paper.kept("kde")
    for line in (scott, paper):
        assert line.distance("rkde") > line.distance("kde")
    caption = captions()["influence.png"]
    assert f"{scott.distance('rkde'):.2f}, that of the KDE {scott.distance('kde'):.2f}" in caption
    assert f"keeps it, {paper.kept('rkde'):.2f}" in caption


def test_the_new_point_has_less_influence_on_robust_estimates() -> None:
    scott = on_the_line()
    sizes = {name: float(np.abs(one.influence).max()) for name, one in scott.curves.items()}
    assert sizes["rkde"] == 0
    assert 0 < sizes["huber"] < sizes["kde"]
    fitted = rk.rkde(scott.X, bandwidth=scott.bandwidth)
    rows = np.vstack([scott.X, [[X_NEW]]])
    weights = np.append(scott.curves["rkde"].weights, 0)
    residuals = rk.residual_norms(rows, rk.Gaussian(scott.bandwidth), weights)
    assert residuals[-1] > fitted.loss.kinks[-1]


def test_estimates_are_densities_to_the_digits_of_the_captions() -> None:
    for rule in ("scott", "median_nn"):
        line = on_the_line(rule)
        for one in line.curves.values():
            assert one.density.sum() * line.step == pytest.approx(1, abs=printed_digits(2))


def test_every_picture_has_a_caption() -> None:
    assert all(caption.startswith("Figure ") for caption in captions().values())


@pytest.fixture
def iris(monkeypatch: pytest.MonkeyPatch) -> Loaded:
    """Rows that the figure takes for the data set."""
    rng = np.random.default_rng(5)
    labels = np.repeat([0, 1], [100, 60])
    made = Loaded("iris", rng.normal(size=(160, 2)) + 2 * labels[:, None], labels, "local", "exact", "")
    monkeypatch.setattr(figures_roc, "load", lambda *_: made)
    return made


def test_mean_curves_are_the_means_over_partitions(iris: Loaded) -> None:
    found = figures_roc.mean_curves("iris", 0.2, "auto", 2)
    for method in MAIN:
        areas, heights = [], []
        for number in (1, 2):
            split = partition(iris, number, 0)
            density = fit(iris.X[split.training_rows(0.2)], MAIN, Choices()).densities[method]
            sides = (split.test_nominal, split.test_contaminating)
            nominal, anomalous = (-density.log_density(iris.X[rows]) for rows in sides)
            areas.append(np.mean(anomalous[:, None] > nominal))
            # The share detected at the threshold that the highest nominal score sets: no false alarm.
            heights.append(np.mean(anomalous > nominal.max()))
        curve = found[method]
        # Two quotients of counts, their sum and its half.
        bound = sum_bound(4)
        assert curve.area == pytest.approx(np.mean(areas), rel=bound)
        assert curve.mean[0] == pytest.approx(np.mean(heights), rel=bound)
        assert curve.mean[-1] == 1
        assert (np.diff(curve.mean) >= 0).all()
        assert (curve.low <= curve.mean).all()
        assert (curve.mean <= curve.high).all()


@pytest.mark.usefixtures("iris")
def test_curves_of_figure_4_are_drawn_inside_the_frame() -> None:
    whole, _, low, _ = figures_roc.roc(partitions=2).axes
    assert whole.get_xlim()[0] < 0 < 1 < whole.get_xlim()[1]
    assert whole.get_ylim()[0] < 0 < 1 < whole.get_ylim()[1]
    assert low.get_xlim()[1] < 1
    legend = whole.get_legend()
    assert [text.get_text().partition(",")[0] for text in legend.get_texts()] == ["KDE", "VKDE", "RKDE"]
    styles = {(line.get_color(), line.get_linestyle()) for line in whole.lines if line.get_linewidth() > 1}
    assert len({dashes for _, dashes in styles}) == len(styles) == len(MAIN)


def test_shading_begins_where_the_exact_test_is_significant() -> None:
    largest = figures_results.ALL_RANKS - least_significant()
    assert exact_p_value(largest, 15) <= 1 / 20 < exact_p_value(largest + 1, 15)
    # With six sets only a T of 0 is: p = 2 / 64.
    assert least_significant(6) == 21
    with pytest.raises(ValueError, match=r"sets must be enough for a significant sum, got 5; use more sets"):
        least_significant(5)


def test_rank_sums_are_drawn_where_they_are() -> None:
    other = panel("VKDE against KDE", {"ours": None, "printed": (0, 120, 60)})
    figure = figures_results.rank_sums([panel(), other])
    drawn = {
        (axes.get_title(), str(line.get_label())): np.asarray(line.get_ydata(), dtype=float)
        for axes in figure.axes
        for line in axes.lines
    }
    assert drawn["RKDE against KDE", "printed"].tolist() == [26, 46, 99]
    assert np.isnan(drawn["RKDE against KDE", "ours"]).tolist() == [False, True, False]
    assert drawn["VKDE against KDE", "printed"].tolist() == [0, 120, 60]
    assert ("VKDE against KDE", "ours") not in drawn
    # A label has the same line in every panel.
    lines = [line for axes in figure.axes for line in axes.lines]
    assert len({line.get_color() for line in lines if line.get_label() == "printed"}) == 1
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[:2] == ["printed", "ours"]
    assert len(labels) == len(set(labels)) == 5


@pytest.mark.parametrize("count", range(1, 7))
def test_each_column_of_panels_has_its_ratios_below(count: int) -> None:
    axes = figures_results.rank_sums([panel(str(place)) for place in range(count)]).axes
    shown = [one for one in axes if one.axison]
    assert [one.get_title() for one in shown] == [str(place) for place in range(count)]
    columns = {one.get_subplotspec().colspan.start for one in shown}  # type: ignore[union-attr]
    assert len([one for one in shown if one.get_xlabel()]) == len(columns)


def group(**methods: Mapping[str, tuple[float, float] | None]) -> Group:
    return Group("30 %", methods or {"RKDE": {"heart": (5.0, 0.5), "iris": (-3.0, 0.25), "banana": None}})


@pytest.mark.parametrize(
    ("make", "wrong", "message"),
    [
        (panel, {"series": {"ours": (1, 2)}}, "KDE, ours must have 3 entries, got 2; pass one for each"),
        (panel, {"series": {"ours": (1, 2, 121)}}, "ours must be between 0 and 120, got 121; pass rank"),
        (panel, {"series": {"ours": (1, 2, float("nan"))}}, "ours must be between 0 and 120, got nan; pass"),
        (panel, {"low": (1, 2)}, "low must have 3 entries, got 2; pass one for each ratio, or None"),
        (panel, {"high": (49, 60, 70)}, "low must be at most high, got 50 and 49; exchange them"),
        (panel, {"series": dict.fromkeys("abcde")}, "series must have 1 to 4 entries, got 5; pass fewer"),
        (group, {"RKDE": {"mars": (1.0, 1.0)}}, "30 %, RKDE must name data sets, got 'mars'; use banana, "),
        (group, {"RKDE": {"iris": (1.0, -1.0)}}, "RKDE, iris must be a mean and a standard error"),
        (group, {"RKDE": {"iris": (float("nan"), 1.0)}}, "RKDE, iris must be a mean and a standard error"),
        (group, {name: {} for name in "abcde"}, "methods must have 1 to 4 entries, got 5; pass fewer"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: Any, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(**wrong)


def test_pictures_of_too_many_panels_are_refused(tmp_path: Path) -> None:
    target = tmp_path / "sums.png"
    with pytest.raises(ValueError, match=r"panels must have 1 to 6 entries, got 7; draw several pictures"):
        draw_rank_sums(target, [panel()] * 7)
    with pytest.raises(ValueError, match=r"panels must have 1 to 6 entries, got 0"):
        draw_rank_sums(target, [])
    with pytest.raises(ValueError, match=r"groups must have 1 or 2 entries, got 3; draw several pictures"):
        draw_points(target, [group()] * 3)
    labels = [panel(series={letter: (1, 2, 3)}) for letter in "abcde"]
    with pytest.raises(ValueError, match=r"labels must be at most 4 in all panels together, got 5; use the"):
        draw_rank_sums(target, labels)
    assert not target.exists()


def test_sets_are_sorted_by_the_first_method_of_the_last_group() -> None:
    clean = group(VKDE={"heart": (-1.0, 0.1), "pima": (9.0, 0.1)})
    figure = figures_results.points([clean, group()])
    first, last = figure.axes
    names = [label.get_text() for label in first.get_yticklabels()]
    # From below: what has no gain there, in the order of the sets, then by it.
    assert names == ["Banana", "Pima Indian", "Iris", "Heart"]
    (bars,) = last.containers
    line, _, (segments,) = bars
    assert np.asarray(line.get_xdata()).tolist() == [-3, 5]
    assert [np.rint(height) for height in line.get_ydata()] == [2, 3]
    ends = [segment[:, 0].tolist() for segment in segments.get_segments()]
    assert ends == [[-3.5, -2.5], [4, 6]]


def test_a_picture_is_sharp_and_small_and_the_same_each_time(tmp_path: Path) -> None:
    from PIL import Image

    for name in ("one.png", "two.png"):
        draw_points(tmp_path / name, [group()])
        draw_rank_sums(tmp_path / "folder" / name, [panel()])
    for folder in (tmp_path, tmp_path / "folder"):
        assert (folder / "one.png").read_bytes() == (folder / "two.png").read_bytes()
        with Image.open(folder / "one.png") as picture:
            # The width of a page in inches, 160 dots each.
            assert picture.width >= 7.4 * 160
