"""The picture of an influence function: what is on it, and what is refused."""

from typing import Any, Final

import numpy as np
import pytest

from rkde.errors import DegenerateThresholds, InvalidInput
from rkde.fast import Absolute, Gaussian, Hampel, Huber, Quadratic, influence

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from rkde.plotting import plot_influence

X: Final = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
KERNEL: Final = Gaussian(1.0)
POINT: Final = 4.0


def curves(axes: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in axes.get_lines()}


def test_the_curves_of_the_paper() -> None:
    axes = plot_influence(X, KERNEL, POINT)
    lines = curves(axes)
    places, values = lines["KDE"].get_data()
    weights = [1 / len(X)] * len(X)
    found = influence(X, KERNEL, Quadratic(), weights, [[POINT]], places[:, None])
    assert np.array_equal(values, found.influence[0])
    assert POINT in places
    assert places.min() < -2
    assert places.max() > 6
    assert {"KDE", "Huber", "Hampel", "6 rows"} <= lines.keys()
    assert axes.get_xlabel() == "x"
    assert axes.get_ylabel() == "IF(x, x') [k(0, 0)]"
    named = plot_influence(X, KERNEL, POINT, name="width", unit="cm")
    assert named.get_xlabel() == "width [cm]"
    looks = {(lines[name].get_color(), lines[name].get_linestyle()) for name in ("KDE", "Huber", "Hampel")}
    assert len(looks) == 3


def test_own_losses_and_axes() -> None:
    from matplotlib.figure import Figure

    given = Figure().add_subplot()
    losses = {"median": Absolute(), "wide": Huber(0.9), "narrow": Hampel(0.5, 0.6, 0.9)}
    assert plot_influence(X, KERNEL, POINT, losses, axes=given) is given
    assert losses.keys() <= curves(given).keys()


def test_refusals() -> None:
    with pytest.raises(InvalidInput, match="must have one column, got 2"):
        plot_influence([[0.0, 1.0], [1.0, 2.0]], KERNEL, POINT)
    with pytest.raises(InvalidInput, match=r"must have at most 4 entries.*, got 5"):
        plot_influence(X, KERNEL, POINT, {str(k): Huber(0.5 + k / 8) for k in range(5)})
    with pytest.raises(DegenerateThresholds):
        plot_influence([[0.0], [0.0], [0.0], [1.0]], KERNEL, POINT)
