"""Signs of a table, and the table as a file for the command line."""

import warnings
from pathlib import Path
from typing import Any

import rkde
from rkde.signs import Sign


def signs_of(rows: Any) -> list[Sign]:
    """Return the signs of a fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(rkde.fit(rows).signs())


def written(folder: Path, rows: Any, header: str = "") -> Path:
    """Return a file of these rows, with all digits of their numbers."""
    path = folder / "t.csv"
    lines = [",".join(map(repr, row)) for row in rows.tolist()]
    path.write_text("\n".join([*([header] if header else []), *lines, ""]), encoding="utf-8")
    return path
