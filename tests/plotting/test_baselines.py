"""Whole pictures look as they did when somebody last looked at them."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from matplotlib.axes import Axes

from tests.plotting import pictures

LARGEST = 50_000


def stored(name: str) -> bytes:
    import matplotlib as mpl

    png = (pictures.FOLDER / f"{name}.png").read_bytes()
    here = ".".join(mpl.__version__.split(".")[:2])
    if pictures.drawn_by(png) != here:
        pytest.skip(f"the stored picture is of matplotlib {pictures.drawn_by(png)}, this one is {here}")
    return png


@pytest.mark.parametrize("name", sorted(pictures.PICTURES))
def test_a_picture_is_as_it_was(name: str) -> None:
    now = pictures.pixels(pictures.rendered(pictures.PICTURES[name]))
    assert pictures.differing(now, pictures.pixels(stored(name))) == 0


def test_every_stored_picture_is_drawn_and_small() -> None:
    files = {path.stem: path.stat().st_size for path in pictures.FOLDER.glob("*.png")}
    assert files.keys() == pictures.PICTURES.keys()
    assert max(files.values()) < LARGEST


def test_a_changed_picture_is_seen() -> None:
    """One curve drawn a hundredth of the axis higher."""

    def moved() -> Axes:
        axes = pictures.roc()
        line = axes.lines[0]
        line.set_ydata(np.asarray(line.get_ydata()) + 1 / 100)
        return axes

    before = pictures.pixels(pictures.rendered(pictures.roc))
    assert pictures.differing(before, pictures.pixels(pictures.rendered(moved))) > 0
    assert pictures.differing(before, before[:-1]) > 0
