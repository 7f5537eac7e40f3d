"""The pictures of `rkde plot`, drawn without a window and returned as the bytes of a file."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rkde.fast import Rkde

FORMATS: Final = ("png", "pdf", "svg")
# What each format would record of the moment of writing: equal inputs give equal files.
_NO_DATE: Final[dict[str, dict[str, None]]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
}
# Inches, as in rkde.plotting.
_WIDTH: Final = 7.4
_DOTS_PER_INCH: Final = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """What is drawn of a fitted density: the columns of its rows at `axes`, from 0, which have the `names`.

    It is `complete` if its rows of weight 0 are there, so that it can be compared with equal weights.
    """

    fitted: Rkde
    axes: tuple[int, ...]
    names: tuple[str, ...]
    complete: bool


def picture(
    shown: Shown,
    kind: Literal["density", "loss", "path"],
    units: tuple[str, ...],
    file_format: str,
    *,
    filled: bool = False,
) -> bytes:
    """Draw and return the content of a picture file."""
    from rkde.plotting import require_matplotlib

    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    if kind == "density":
        _density(figure, shown, units, filled=filled)
    elif kind == "loss":
        _loss(figure, shown.fitted)
    else:
        _path(figure, shown.fitted)
    return saved(figure, file_format)


def saved(figure: Figure, file_format: str) -> bytes:
    """Return the content of a picture file; equal pictures give equal files."""
    import matplotlib as mpl

    stream = io.BytesIO()
    # Without a salt, names inside an SVG file are random.
    with mpl.rc_context({"svg.hashsalt": "rkde"}):
        figure.savefig(stream, format=file_format, dpi=_DOTS_PER_INCH, metadata=_NO_DATE[file_format])
    return stream.getvalue()


def _density(figure: Figure, shown: Shown, units: tuple[str, ...], *, filled: bool) -> None:
    from rkde.plotting import plot_estimate

    plot_estimate(
        shown.fitted,
        columns=shown.axes,
        names=shown.names,
        units=units,
        compare=shown.complete,
        filled=filled,
        figure=figure,
    )
    share = shown.fitted.zero_weight_share
    if not shown.complete and share:
        note = f"{share:.0%} of the rows had weight 0 and are not shown"
        figure.text(0.01, 0.01, note, fontsize="small")


def _loss(figure: Figure, fitted: Rkde) -> None:
    from rkde.plotting import plot_losses

    figure.set_size_inches(_WIDTH, 0.42 * _WIDTH)
    panels = list(figure.subplots(1, 3))
    plot_losses(fitted.loss, residual_norms=fitted.residual_norms, axes=panels)


def _path(figure: Figure, fitted: Rkde) -> None:
    from rkde.plotting import plot_path

    figure.set_size_inches(_WIDTH, 0.5 * _WIDTH)
    unit = "τ" if fitted.loss.name == "absolute" else "τ²"
    panels = list(figure.subplots(1, 2))
    plot_path(fitted.objective_path, unit=unit, status=str(fitted.status), axes=panels)
