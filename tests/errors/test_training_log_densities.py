"""The log densities of all rows beside a model: kept sorted, checked on the way in and on the way out."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from rkde.errors import CorruptFile, InvalidInput
from rkde.fast import load_columns, load_model, rkde, save_model
from rkde.fast.io import read_model_file
from rkde.fast.io.header import digest

X = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 2.0], [0.5, 0.5], [30.0, 30.0]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.npz"


def test_they_come_back_in_ascending_order(path: Path) -> None:
    model = rkde(X, bandwidth=1.5)
    logs = np.append(model.log_density(X)[:-1], -np.inf)
    save_model(path, model, columns=("a", "b"), training_log_densities=logs)
    held = read_model_file(path)
    assert np.array_equal(held.training_log_densities, np.sort(logs))
    assert not held.training_log_densities.flags.writeable
    assert held.columns == load_columns(path) == ("a", "b")
    assert np.array_equal(held.model.weights, load_model(path).weights)


def test_they_need_not_be_there(path: Path) -> None:
    save_model(path, rkde(X, bandwidth=1.5))
    assert len(read_model_file(path).training_log_densities) == 0


def test_their_order_leaves_no_trace(path: Path) -> None:
    model = rkde(X, bandwidth=1.5)
    logs = model.log_density(X)
    contents = []
    for given in (logs, logs[::-1]):
        save_model(path, model, training_log_densities=given)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    ("logs", "problem"),
    [
        (np.zeros((6, 1)), "must have one float64 entry for each row"),
        (np.zeros(1), "must have one float64 entry for each row"),
        (np.array([0, 0, np.nan, 0, 0, 0]), "index 2, must be a log density"),
        (np.array([0, 0, 0, 0, 0, np.inf]), "index 5, must be a log density"),
    ],
)
def test_what_is_no_log_density_is_refused(logs: np.ndarray, problem: str, path: Path) -> None:
    with pytest.raises(InvalidInput, match=problem):
        save_model(path, rkde(X, bandwidth=1.5), training_log_densities=logs)
    assert not path.exists()


@pytest.mark.parametrize(
    "forged", [np.zeros((6, 1)), np.zeros(1), np.full(6, np.nan), np.array(["a"] * 6), np.zeros(6, complex)]
)
def test_a_forged_file_is_refused(forged: np.ndarray, path: Path) -> None:
    """With a digest that belongs to its content."""
    save_model(path, rkde(X, bandwidth=1.5))
    with np.load(path, allow_pickle=False) as archive:
        members = {name: archive[name] for name in archive.files if name != "sha256"}
    text = members.pop("header").tobytes().decode()
    assert json.loads(text)["format"] == "rkde-model"
    members["training_log_densities"] = forged
    texts = {"header": text, "sha256": digest(text, members)}
    with zipfile.ZipFile(path, "w") as archive:
        for name, values in {
            **members,
            **{name: np.frombuffer(value.encode(), dtype=np.uint8) for name, value in texts.items()},
        }.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, values)
            archive.writestr(f"{name}.npy", buffer.getvalue())
    with pytest.raises(CorruptFile, match="the model file is damaged"):
        read_model_file(path)
