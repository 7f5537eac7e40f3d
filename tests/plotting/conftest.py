"""Pictures are drawn into figures without a window; without matplotlib these tests are skipped."""

from typing import Any

import pytest


@pytest.fixture
def panels() -> list[Any]:
    """Three axes side by side."""
    from matplotlib.figure import Figure

    return list(Figure().subplots(1, 3))


def labels(axes: Any) -> list[str]:
    """Return the entries of the legend of axes, or of the picture that they are in."""
    figure = axes.get_figure()
    (legend,) = [axes.get_legend()] if axes.get_legend() is not None else figure.legends
    return [text.get_text() for text in legend.get_texts()]
