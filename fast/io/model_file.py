"""Models on disk: one archive without pickles, written atomically and checked when read."""

from __future__ import annotations

import json
import os
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import CorruptFile, InvalidInput, InvalidType, RkdeError
from rkde.fast._float64 import Floats, as_row_weights, as_vector, read_only
from rkde.fast.estimates import Rkde
from rkde.fast.io.header import FORMAT, VERSION, ArrayMap, digest, from_parts, to_parts
from rkde.files import writing_atomically

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
    """Return the arrays of an archive by name; ValueError, or what `zipfile` raises, if there is none."""
    arrays: ArrayMap = {}
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        # No array of a model is compressed, so together they cannot be larger than the file.
        if sum(entry.file_size for entry in archive.infolist()) > len(raw):
            raise ValueError(len(raw))
        for entry in archive.infolist():
            if not entry.filename.endswith(_SUFFIX):
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


_HEADER: Final = "header"
_DIGEST: Final = "sha256"
_COLUMNS: Final = "columns"
_TRAINING: Final = "training_log_densities"
_TRAINING_WEIGHTS: Final = "training_weights"
_REMEDY: Final = "use a file that save_model or `rkde fit` wrote"
# What reading a damaged archive, array, number or text raises.
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    OverflowError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    RecursionError,
    AttributeError,
    SyntaxError,
    # Of numpy, which reads the header of an array as Python.
    tokenize.TokenError,
)


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """What a model file holds.

    Attributes
    ----------
    model : Rkde
        The fitted density, cut to its rows of positive weight.
    columns : tuple of str, shape (d,) or (0,)
        Names of the columns; empty where none were given.
    training_log_densities : ndarray, shape (n,) or (0,)
        Log densities of all rows of the fit, ascending; empty where they were not kept.
    training_weights : ndarray, shape (n,), or None
        What each of these rows counts, in the same order; None where each counts once.
    """

    model: Rkde
    columns: tuple[str, ...]
    training_log_densities: Floats
    training_weights: Floats | None = None


def save_model(
    path: str | os.PathLike[str],
    model: Rkde,
    *,
    columns: Sequence[str] = (),
    training_log_densities: Floats | None = None,
    training_weights: Floats | None = None,
) -> None:
    """Write a fitted density to a file, replacing a file of that name as a whole.

    Parameters
    ----------
    path : str or path-like
        The file to write, usually with the ending `.npz`; the name is used as it is.
    model : Rkde
        What `rkde.fast.rkde` returned.
    columns : sequence of str, shape (d,) or (0,)
        Names of the columns of `model.X`, kept with the model to score other tables by it; by default those
        that the model knows.
    training_log_densities : ndarray, shape (n,), optional
        Log densities of all rows of the fit, in their order, kept to label other rows by them; or those of a
        table from which the rows of the fit were drawn.
    training_weights : ndarray, shape (n,), optional
        What each of these rows counts; by default the sample weights of the model.

    Raises
    ------
    InvalidType
        `model` is not an `Rkde`, or its kernel or loss is not one of this package; or `path` is no path.
    InvalidInput
        The number of names differs from that of columns; or there are fewer log densities than rows of
        positive weight, or not one for each sample weight, or one is NaN or +inf; or `path` is no name of a
        file.
    OSError
        The file cannot be written; nothing is left behind then.

    Notes
    -----
    Only rows of positive weight are stored, with their weights and sample weights. The same model gives the
    same bytes.

    A model and a fitted estimator can also be pickled, and read by the other supported versions of Python. An
    estimate of `rkde.reference` cannot: its numbers, those of mpmath, have no pickle.

    Examples
    --------
    >>> import tempfile
    >>> from rkde.fast.estimates import rkde
    >>> model = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(Path(folder) / "model.npz", model)
    ...     loaded = load_model(Path(folder) / "model.npz")
    >>> loaded.X.ravel(), bool((loaded.log_density([[3.0]]) == model.log_density([[3.0]])).all())
    (array([-1. ,  0. ,  0.5,  1.5]), True)
    """
    if not isinstance(model, Rkde):
        raise InvalidType(
            "must be a fitted Rkde", where="model", value=model, remedy="pass the result of rkde.fast.rkde"
        )
    names = _given_names(columns, model.X.shape[1])
    header, arrays = to_parts(model)
    header[_COLUMNS] = list(names or model.columns)
    if training_log_densities is not None:
        counts = model.sample_weight if training_weights is None else training_weights
        logs = _training(np.asarray(training_log_densities), len(arrays["X"]))
        arrays |= _training_arrays(logs, counts)
    text = json.dumps(header, sort_keys=True, allow_nan=False)
    contents: ArrayMap = {
        _HEADER: text_array(text),
        **arrays,
        _DIGEST: text_array(digest(text, arrays)),
    }
    with writing_atomically(_as_name(path)) as stream:
        write_archive(stream, contents)


def _given_names(columns: Sequence[str] | None, count: int) -> list[str]:
    """Return the names of the columns, one of each, or none; whatever is no text could not be read again."""
    names = [] if columns is None else list(columns)
    for index, name in enumerate(names):
        if not isinstance(name, str):
            raise InvalidType(
                "must be text", where=f"columns, index {index}", value=name, remedy="pass names as text"
            )
    if names and len(names) != count:
        raise InvalidInput(
            f"must have as many entries as there are columns ({count})",
            where="columns",
            value=len(names),
            remedy="pass one name for each column, or none",
        )
    return names


def load_model(path: str | os.PathLike[str]) -> Rkde:
    """Read a fitted density from a file.

    Parameters
    ----------
    path : str or path-like
        A file that `save_model` wrote.

    Returns
    -------
    Rkde
        Its `log_density` gives the same bits as that of the model saved. `X` and every array with one entry
        a row are cut to the rows of positive weight; `effective_sample_size` and `zero_weight_share` are
        those of the fit.

    Raises
    ------
    CorruptFile
        The file is not a model file, is damaged, or is of a newer version (which is named).
    InvalidInput
        `path` is no name of a file.
    OSError
        The file cannot be read.

    Notes
    -----
    Reads the whole file; no code in it is run.

    Examples
    --------
    >>> import tempfile
    >>> from rkde.fast import rkde, save_model
    >>> model = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(f"{folder}/model.npz", model)
    ...     loaded = load_model(f"{folder}/model.npz")
    >>> len(loaded.X), loaded.bandwidth
    (4, 1.0)
    """
    return read_model_file(path).model


def load_columns(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read the names of the columns that a model was saved with.

    Parameters
    ----------
    path : str or path-like
        A file that `save_model` wrote.

    Returns
    -------
    tuple of str, shape (d,) or (0,)
        Empty where none were given.

    Raises
    ------
    CorruptFile, OSError
        As `load_model`.

    Notes
    -----
    Reads the whole file.

    Examples
    --------
    >>> import tempfile
    >>> from rkde.fast import rkde, save_model
    >>> model = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(f"{folder}/model.npz", model, columns=["width"])
    ...     names = load_columns(f"{folder}/model.npz")
    >>> names
    ('width',)
    """
    return read_model_file(path).columns


def read_model_file(path: str | os.PathLike[str]) -> ModelFile:
    """Read everything that a model file holds."""
    name = _as_name(path)
    raw = Path(name).read_bytes()
    try:
        arrays = read_archive(raw)
        header_text = array_text(arrays.pop(_HEADER))
        header = json.loads(header_text)
        _check_version(header, name)
        _check_digest(array_text(arrays.pop(_DIGEST)), digest(header_text, arrays), name)
        kept, counts = arrays.pop(_TRAINING, None), arrays.pop(_TRAINING_WEIGHTS, None)
        model = from_parts(header, arrays)
        names = _column_names(header[_COLUMNS], model.X.shape[1])
        training = np.empty(0) if kept is None else _training(kept, len(model.X))
        weights = None if counts is None else read_only(_training_weights(counts, len(training)))
        return ModelFile(replace(model, columns=names), names, read_only(training), weights)
    except CorruptFile:
        raise
    except (*_DAMAGE, RkdeError) as error:
        raise CorruptFile(
            f"the model file is damaged ({type(error).__name__})", where=name, remedy=_REMEDY
        ) from error


def _as_name(path: object) -> str:
    """Return the name of a file as text."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str):
        raise InvalidType(
            "must be text or a path", where="path", value=path, remedy="pass the name of a model file"
        )
    if not name or "\0" in name:
        raise InvalidInput(
            "must be the name of a file", where="path", value=name, remedy="pass the name of a model file"
        )
    return name


def _training(values: NDArray[np.generic], least: int) -> Floats:
    """Check log densities: -inf is one, NaN and infinity are none, and no row of the model lacks its own."""
    if values.dtype != np.float64 or values.ndim != 1 or len(values) < least:
        raise InvalidInput(
            "must have one float64 entry for each row",
            where=_TRAINING,
            value=(values.dtype.name, *values.shape),
            remedy="pass the log densities of all rows",
        )
    logs: Floats = values.astype(np.float64)
    bad = np.flatnonzero(np.isnan(logs) | (logs == np.inf))
    if len(bad):
        raise InvalidInput(
            "must be a log density below infinity",
            where=f"{_TRAINING}, index {bad[0]}",
            value=float(logs[bad[0]]),
            remedy="pass the log densities of all rows",
        )
    return logs


def _training_arrays(logs: Floats, sample_weight: Floats | None) -> ArrayMap:
    """Return the log densities in ascending order, and what each row counts."""
    order = np.argsort(logs, kind="stable")
    if sample_weight is None:
        return {_TRAINING: logs[order]}
    return {
        _TRAINING: logs[order],
        _TRAINING_WEIGHTS: _training_weights(sample_weight, len(logs))[order],
    }


def _training_weights(weights: ArrayLike, size: int) -> Floats:
    """Check that there is one sample weight for each log density."""
    counts = as_vector(weights, where=_TRAINING_WEIGHTS)
    if len(counts) != size:
        raise InvalidInput(
            f"must have one entry for each sample weight ({len(counts)})",
            where=_TRAINING,
            value=size,
            remedy="pass the log densities of all rows, in their order",
        )
    return as_row_weights(counts, size, where=_TRAINING_WEIGHTS)


def _column_names(names: object, width: int) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise TypeError(names)
    if names and len(names) != width:
        raise ValueError(names)
    return tuple(names)


def _check_digest(stored: str, computed: str, name: str) -> None:
    if stored != computed:
        raise CorruptFile(
            "the contents do not match their digest", where=name, remedy="write the model again"
        )


def _check_version(header: object, name: str) -> None:
    if not isinstance(header, Mapping) or header.get("format") != FORMAT:
        raise CorruptFile("this is not a model file", where=name, remedy=_REMEDY)
    version = header.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise CorruptFile(
            "the header does not state a valid version", where=name, value=version, remedy=_REMEDY
        )
    if version > VERSION:
        raise CorruptFile(
            f"the model has version {version}, but this rkde reads only versions up to {VERSION}",
            where=name,
            remedy="update rkde",
        )
