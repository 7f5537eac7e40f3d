"""The bars of an explanation: their order, numbers, labels, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.figure import Figure

import rkde
from rkde.errors import InvalidInput
from rkde.plotting import plot_explanation
from rkde.plotting.explanation import MOST_BARS, MOST_ROWS

CLOUD = np.random.default_rng(5).standard_normal((60, 3))
MODEL = rkde.fit(CLOUD)


def test_bars_are_sorted_and_numbered() -> None:
    why = rkde.explain(MODEL, [[0.0, 9.0, 0.5]])
    (axes,) = plot_explanation(why, names=["a", "b", "c"], labels=["new"], figure=Figure()).axes
    order = why.order[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == [list("abc")[j] for j in order]
    assert [text.get_text() for text in axes.texts] == [f"{why.surprise[0, j] + 0.0:.1f}" for j in order]
    assert axes.get_title() == "new"
    # The first stands on top.
    assert axes.yaxis_inverted()


@pytest.mark.parametrize("count", [1, 2, 3, MOST_ROWS])
def test_each_row_has_a_panel(count: int) -> None:
    picture = rkde.explain(MODEL, rows=range(count)).plot(figure=Figure())
    shown = [axes for axes in picture.axes if axes.axison]
    assert [axes.get_title() for axes in shown] == [f"row {row}" for row in range(count)]


def test_infinite_surprises_have_a_bar() -> None:
    why = rkde.explain(MODEL, rows=[0])
    endless = replace(why, surprise=np.array([[np.inf, 1.0, 2.0]]))
    (axes,) = plot_explanation(endless, figure=Figure()).axes
    assert np.isfinite(axes.get_xlim()).all()
    assert axes.texts[0].get_text() == "inf"


def test_many_columns_show_the_most_surprising() -> None:
    wide = np.random.default_rng(6).standard_normal((40, MOST_BARS + 3))
    (axes,) = rkde.explain(rkde.fit(wide), rows=[3]).plot(figure=Figure()).axes
    assert len(axes.patches) == MOST_BARS


@pytest.mark.parametrize(
    ("rows", "options", "part"),
    [
        (range(MOST_ROWS + 1), {}, "between 1 and 6 rows"),
        ([], {}, "between 1 and 6 rows"),
        ([1], {"names": ["a"]}, "names must have one entry for each of the 3 columns"),
        ([1], {"labels": []}, "labels must have one entry for each of the 1 rows"),
    ],
)
def test_what_cannot_be_drawn_is_refused(rows: list[int], options: dict[str, list[str]], part: str) -> None:
    with pytest.raises(InvalidInput, match=part):
        rkde.explain(MODEL, rows=rows).plot(figure=Figure(), **options)
