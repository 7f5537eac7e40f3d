"""What the pictures of the report share: the palette of `rkde.plotting`, sizes, and small files."""

import io
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure
from PIL import Image

from rkde.plotting import GREY, LINES, PAGE_WIDTH

# Keyword arguments of matplotlib.
Style = dict[str, Any]

DOTS: Final = 200
# As many as a palette can have.
COLOURS: Final = 256
SMALL: Final = 8.0
BAND: Final = 0.15
# Long enough to show a pattern of dashes.
HANDLE: Final = 3.2
THIN: Final[Style] = {"color": GREY, "linewidth": 0.8}
STYLES: Final[dict[str, Style]] = {
    name: {"color": colour, "linestyle": dashes}
    for name, (colour, dashes) in zip(("kde", "huber", "rkde", "vkde"), LINES, strict=True)
}
"""Colour and dashes of each estimate, in every picture."""
MARKERS: Final[tuple[Style, ...]] = (
    {"marker": "o", "markersize": 7.0, "markerfacecolor": "none"},
    {"marker": "s", "markersize": 4.0},
    {"marker": "^", "markersize": 4.5},
    {"marker": "D", "markersize": 3.0},
)
"""One for each line of the palette; the first is seen around one that it equals."""


def page_figure(height: float) -> Figure:
    """Return a new figure as wide as a page, without a window."""
    return Figure(figsize=(PAGE_WIDTH, height), layout="constrained")


def legend(figure: Figure, handles: dict[str, Any], columns: int) -> None:
    """Put the legend under a figure, a handle for each label."""
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=columns, frameon=False,
        fontsize=SMALL, handlelength=HANDLE,
    )  # fmt: skip


def save(figure: Figure, path: Path) -> None:
    """Write a PNG with few colours: a fraction of the size with all that smooth edges make."""
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=DOTS)
    colours = Image.open(pixels).convert("RGB")
    # Of the methods this one keeps the colours of pale areas.
    picture = colours.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, format="PNG", optimize=True)
