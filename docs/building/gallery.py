"""Run the scripts of the gallery, each of which draws a picture of its own name."""

import contextlib
import runpy
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rkde.errors import SignWarning

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SCRIPTS: Final = Path(__file__).resolve().parents[1] / "gallery"
# Below the root, where pages refer to the pictures; nothing in `build` is part of a commit.
PICTURES: Final = Path("build") / "gallery"


def run_scripts(folder: Path) -> None:
    """Run each script in the folder, with warnings as errors but for signs.

    Raises
    ------
    RuntimeError
        A script did not draw its picture.
    """
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted(SCRIPTS.glob("*.py")):
        picture = folder / f"{script.stem}.png"
        picture.unlink(missing_ok=True)
        with contextlib.chdir(folder), warnings.catch_warnings():
            warnings.simplefilter("error")
            # The tables are made to show signs.
            warnings.simplefilter("ignore", SignWarning)
            runpy.run_path(str(script))
        plt.close("all")
        if not picture.exists():
            raise RuntimeError(f"{script.name} did not write {picture.name}")


def draw_gallery(app: "Sphinx") -> None:
    """Draw all pictures before the pages are read."""
    run_scripts(Path(app.srcdir) / PICTURES)
