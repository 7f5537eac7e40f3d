"""The pictures that are compared with stored ones, and what may differ.

After a wanted change: ``python -m tests.plotting.pictures`` writes the stored ones anew.
Look at each of them.
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

import rkde.fast as rk
from rkde import plotting

Pixels = NDArray[np.int16]
FOLDER: Final = Path(__file__).parent / "baseline"
DPI: Final = 60
SEED: Final = 1964
LINE = np.random.default_rng(SEED).standard_normal((40, 1))
PLANE = np.random.default_rng(SEED).standard_normal((40, 2))
# Weights that are given, not fitted: a picture then depends on few roundings.
WEIGHTS = np.append(np.full(32, 1 / 32), np.zeros(8))
LABELS = np.append(np.zeros(32), np.ones(8))
HAMPEL = rk.Hampel(0.5, 0.75, 1.0)


def contours() -> Axes:
    """A density in the plane."""
    named = {"names": ("width", "height"), "units": ("cm", "cm")}
    return plotting.plot_contours(PLANE, rk.Gaussian(0.5), WEIGHTS, **named)


def density() -> Axes:
    """A density on the line."""
    return plotting.plot_density(LINE, rk.Gaussian(0.25), WEIGHTS, name="length", unit="mm")


def losses() -> Axes:
    """The three losses of the paper's first figure."""
    return plotting.plot_losses([rk.Quadratic(), rk.Huber(0.5), HAMPEL])[0]


def influence() -> Axes:
    """Influence curves of losses that need no thresholds from data."""
    losses = {"KDE": rk.Quadratic(), "Huber": rk.Huber(0.75)}
    return plotting.plot_influence(LINE, rk.Gaussian(0.5), 4.0, losses)


def explanation() -> Axes:
    """Two rows, one of which is surprising in one column; the numbers are given."""
    surprise = np.array([[0.5, 12.0, -0.25], [3.5, 0.125, 3.0]])
    held = dict.fromkeys(("conditional_log_density", "marginal_log_density", "gradient"), surprise)
    given = rk.Explanation(
        rows=np.array([4, 17]),
        log_density=surprise[:, 0],
        surprise=surprise,
        nearest=np.array([0, 1]),
        nearest_row=surprise,
        columns=("length", "width", "age"),
        **held,
    )
    return given.plot().axes[0]


def path() -> Axes:
    """A descent whose numbers are given."""
    return plotting.plot_path([0.5, 0.375, 0.34375, 0.3359375, 0.33544921875], status="converged")[0]


def roc() -> Axes:
    """Two detectors, one of which has ties."""
    scores = PLANE[:, 0] + 2 * LABELS
    ranked = {"scores": scores, "rounded": scores.round()}
    return plotting.plot_roc({name: rk.roc_curve(found, LABELS) for name, found in ranked.items()})


PICTURES: Final[dict[str, Callable[[], Axes]]] = {
    drawn.__name__: drawn for drawn in (contours, density, explanation, influence, losses, path, roc)
}


def rendered(draw: Callable[[], Axes]) -> bytes:
    """Return a picture as PNG, drawn by Agg with matplotlib's own settings and fonts."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    with mpl.rc_context(), plt.style.context("default"):
        plt.switch_backend("agg")
        figure = draw().get_figure()
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DPI)
        plt.close("all")
    return file.getvalue()


def pixels(png: bytes) -> Pixels:
    """Return the colours of a PNG, shape (height, width, 3), 0 to 255."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.int16)


def drawn_by(png: bytes) -> str:
    """Return the minor version of matplotlib that wrote a PNG, as "3.11"."""
    from PIL import Image

    version = str(Image.open(io.BytesIO(png)).info["Software"]).partition("version")[2].strip()
    return ".".join(version.split(".")[:2])


def edges_of_a_pixel() -> int:
    """Return by how many of 255 levels a colour may differ: one for each edge that passes the pixel.

    Agg counts how many of 256 parts of a pixel are covered; a rounded coordinate moves an edge by one.
    """
    lines, sides = 4, 2
    return lines * sides


def differing(first: Pixels, second: Pixels) -> int:
    """Return how many pixels differ by more than roundings explain; all of them where the sizes differ."""
    if first.shape != second.shape:
        return max(first.size, second.size)
    return int((np.abs(first - second).max(axis=2) > edges_of_a_pixel()).sum())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.png").write_bytes(rendered(draw))
