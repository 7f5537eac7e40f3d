"""Pictures are drawn into figures without a window; without matplotlib these tests are skipped."""

from typing import Any

import pytest


@pytest.fixture
def panels() -> list[Any]:
    """Three axes side by side."""
    from matplotlib.figure import Figure

    return list(Figure().subplots(1, 3))
