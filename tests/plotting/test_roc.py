"""The picture of ROC curves shows the points of the library and the area that `auc` returns."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.axes import Axes

from rkde.errors import InvalidInput
from rkde.fast import auc, roc_curve
from rkde.plotting import plot_roc

SCORES, LABELS = [3.0, 1.0, 2.0, 2.0, 0.0], [1, 0, 0, 1, 0]
CURVE = roc_curve(SCORES, LABELS)


def test_curves_are_those_of_the_library(panels: list[Axes]) -> None:
    axes = plot_roc({"first": CURVE, "second": CURVE}, axes=panels[0])
    for line in axes.lines[:2]:
        assert np.array_equal(np.asarray(line.get_xdata()), CURVE.false_positive_rate)
        assert np.array_equal(np.asarray(line.get_ydata()), CURVE.true_positive_rate)
    assert len({line.get_linestyle() for line in axes.lines[:2]}) == 2


def test_the_legend_has_the_area(panels: list[Axes]) -> None:
    legend = plot_roc({"ties": CURVE}, axes=panels[0]).get_legend()
    assert legend is not None
    assert legend.get_texts()[0].get_text() == f"ties, area {auc(SCORES, LABELS):.3f}"


@pytest.mark.parametrize("count", [0, 5])
def test_no_curve_or_too_many(panels: list[Axes], count: int) -> None:
    with pytest.raises(
        InvalidInput, match=f"must have between 1 and 4 entries, got {count}; pass 1 to 4 curves"
    ):
        plot_roc({str(number): CURVE for number in range(count)}, axes=panels[0])
