"""Pictures are drawn into figures without a window; without matplotlib these tests are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@pytest.fixture
def panels() -> list[Axes]:
    """Three axes side by side."""
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from matplotlib.figure import Figure

    return list(Figure().subplots(1, 3))
