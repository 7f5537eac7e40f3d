"""Data sets from the network, only when asked: the collection of the twelve sets with all its partitions."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.paper.loaded import DataError, Loaded, checked, content_checksum
from benchmarks.paper.sets import Indices

# Address and checksum as scikit-datasets gives them; the copy is kept in the user's cache folder.
ADDRESS: Final = "https://github.com/tdiethe/gunnar_raetsch_benchmark_datasets/raw/master/benchmarks.mat"
SHA256: Final = "47c19e4bc4716edc4077cfa5ea61edf4d02af4ec51a0ecfe035626ae8b561c75"
# The file's names where they are not ours.
NAMES: Final = {"diabetes": "diabetis"}
NOT_THERE: Final = ("pima", "iris", "mnist01")


def from_network(name: str) -> Loaded:
    """Download the collection once and take a set from it, with its published partitions."""
    if name in NOT_THERE:
        raise DataError(f"{name} is not in {ADDRESS}; use the local folder or the pip packages")
    return from_collection(name, _downloaded())


def from_collection(name: str, path: Path) -> Loaded:
    """Take a set from a copy of the collection: distinct patterns, and indices into them from 1 on.

    The sets repeat their patterns as often as the first training and test part together name them.
    """
    from scipy.io import loadmat

    entry = _entry(loadmat(path, simplify_cells=True), NAMES.get(name, name))
    patterns = np.asarray(entry["x"], dtype=np.float64)
    labels = (np.asarray(entry["t"]).reshape(-1) > 0).astype(np.int64)
    train, test = (np.asarray(entry[part], dtype=np.intp) - 1 for part in ("train", "test"))
    rows = np.concatenate([train[0], test[0]])
    X, y = patterns[rows], labels[rows]
    places = _places(rows)
    published = tuple(
        (number, *_numbered(places, train[number - 1], test[number - 1]))
        for number in range(1, len(train) + 1)
    )
    return checked(Loaded(name, X, y, "online", "exact", content_checksum(X, y), published))


def _downloaded() -> Path:
    try:
        import pooch  # type: ignore[import-not-found, unused-ignore]
    except ModuleNotFoundError as error:
        raise DataError("pooch is not installed; run: python -m pip install 'rkde[paper]'") from error
    try:
        return Path(pooch.retrieve(ADDRESS, known_hash=f"sha256:{SHA256}", path=pooch.os_cache("rkde")))
    except (OSError, ValueError) as error:
        raise DataError(f"{ADDRESS}: {error}; try again, or use another source") from error


def _entry(content: dict[str, Any], name: str) -> dict[str, Any]:
    if name not in content:
        raise DataError(f"the collection has no set {name}; use another source")
    found: dict[str, Any] = content[name]
    return found


def _places(rows: Indices) -> dict[int, list[int]]:
    """Return for each pattern the rows that hold it."""
    places: dict[int, list[int]] = {}
    for place, pattern in enumerate(rows.tolist()):
        places.setdefault(pattern, []).append(place)
    return places


def _numbered(places: dict[int, list[int]], train: Indices, test: Indices) -> tuple[Indices, Indices]:
    """Turn patterns into rows: each use of a pattern takes another of its rows."""
    used: dict[int, int] = {}
    numbered = []
    for part in (train, test):
        rows = []
        for pattern in part.tolist():
            place = used.get(pattern, 0)
            used[pattern] = place + 1
            rows.append(places[pattern][place])
        numbered.append(np.array(rows, dtype=np.intp))
    return numbered[0], numbered[1]
