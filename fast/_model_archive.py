"""The container of a model file: a zip archive of numpy arrays, equal for equal models."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.fast._model_header import ArrayMap

_SUFFIX: Final = ".npy"
# The oldest date that a zip archive can hold: equal models give equal files.
_NO_DATE: Final = (1980, 1, 1, 0, 0, 0)


def write_archive(stream: object, contents: ArrayMap) -> None:
    """Write arrays by name to a binary stream, each as a member `NAME.npy`, uncompressed."""
    with zipfile.ZipFile(stream, "w") as archive:  # type: ignore[call-overload]
        for name, values in contents.items():
            buffer = BytesIO()
            np.lib.format.write_array(buffer, values, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(name + _SUFFIX, _NO_DATE), buffer.getvalue())


def read_archive(raw: bytes) -> ArrayMap:
    """Return the arrays of an archive by name; ValueError or what `zipfile` raises where it is none."""
    arrays: ArrayMap = {}
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        for entry in archive.infolist():
            # No array of a model is compressed, so none may claim to be larger than the file.
            if entry.file_size > len(raw) or not entry.filename.endswith(_SUFFIX):
                raise ValueError(entry.filename)
            with archive.open(entry) as stream:
                arrays[entry.filename.removesuffix(_SUFFIX)] = np.lib.format.read_array(
                    stream, allow_pickle=False
                )
    return arrays


def text_array(text: str) -> NDArray[np.generic]:
    """Return text as an array of the bytes of its UTF-8 form."""
    return np.frombuffer(text.encode(), dtype=np.uint8)


def array_text(values: NDArray[np.generic]) -> str:
    """Return the text that `text_array` made an array of; ValueError for any other array."""
    if values.dtype != np.uint8 or values.ndim != 1:
        raise ValueError(values.dtype)
    return values.tobytes().decode()
