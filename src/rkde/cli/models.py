"""Where a command takes its model from, and how it tells a model file from a table."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from rkde.fast.io import ModelFile
    from rkde.tables import Table

# What a zip archive, and so a model file, begins with.
_ARCHIVE: Final = b"PK\x03\x04"
# What each model file holds, and no other archive.
_MEMBER: Final = "header.npy"


def load_model_file(path: str) -> ModelFile:
    """Read a model file."""
    if Path(path).is_dir():
        raise InvalidInput(
            "must be a model file, got a folder", where=path, remedy="name a model file that rkde fit wrote"
        )
    if not Path(path).exists():
        raise InvalidInput("no such model file", where=path, remedy="write one with rkde fit DATA -o MODEL")
    if _is_other_archive(path):
        raise InvalidInput(
            "must be a model file, got another zip archive, such as an Excel workbook",
            where=path,
            remedy="save a sheet as CSV text, fit it, and give the file that rkde fit DATA -o MODEL wrote",
        )
    from rkde.fast.io import read_model_file

    return read_model_file(path)


def is_model(path: str) -> bool:
    """Tell a model file, be it damaged, from a table and other archives; what cannot be read is none.

    Nor is a pipe, of which those bytes would be gone.
    """
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as stream:
            begins_like_one = stream.read(len(_ARCHIVE)) == _ARCHIVE
    except OSError:
        return False
    return begins_like_one and not _is_other_archive(path)


def _is_other_archive(path: str) -> bool:
    """Tell whether a file is a whole zip archive without what each model holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _MEMBER not in archive.namelist()
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False


def refuse_other_width(table: Table, width: int) -> None:
    """Refuse a table with another number of columns than the model."""
    found = len(table.positions)
    if found == width:
        return
    remedy = f"choose {width} columns with --columns, in the order of the fit"
    where = f"{table.source}, line {table.lines[0]}"
    raise InvalidInput(
        f"must have as many columns as the model ({width})", where=where, value=found, remedy=remedy
    )
