"""Model files that are damaged, foreign or newer are refused; a failed write leaves nothing behind."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rkde.errors import CorruptFile, DegenerateThresholdsWarning, InvalidType
from rkde.fast import Absolute, Hampel, Huber, Quadratic, load_model, rkde, save_model
from rkde.fast.io.header import VERSION, digest
from rkde.fast.losses import Loss

X = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 2.0], [0.5, 0.5], [30.0, 30.0]]


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    save_model(path, rkde(X, bandwidth=1.5))
    return path


def _members(path: Path) -> dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _rewrite(path: Path, members: dict[str, Any]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, values in members.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.asarray(values), allow_pickle=True)
            archive.writestr(f"{name}.npy", buffer.getvalue())


def _with_header(path: Path, **changes: object) -> None:
    members = _members(path)
    header = json.loads(members["header"].tobytes().decode())
    members["header"] = np.frombuffer(json.dumps({**header, **changes}).encode(), dtype=np.uint8)
    _rewrite(path, members)


def _forged(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], object]) -> None:
    """Change header and arrays, and write the digest that belongs to them."""
    members = _members(path)
    del members["sha256"]
    header = json.loads(members.pop("header").tobytes().decode())
    members = {name: values.copy() for name, values in members.items()}
    change(header, members)
    text = json.dumps(header, sort_keys=True)
    texts = {"header": text, "sha256": digest(text, members)}
    _rewrite(path, {**members, **{k: np.frombuffer(v.encode(), dtype=np.uint8) for k, v in texts.items()}})


def _set(name: str, index: int, value: float) -> Callable[[dict[str, Any], dict[str, np.ndarray]], object]:
    return lambda _, arrays: arrays[name].__setitem__(index, value)


def _with_weights(*weights: float) -> Callable[[dict[str, Any], dict[str, np.ndarray]], object]:
    def change(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        rest = np.zeros(len(arrays["weights"]) - len(weights))
        arrays["weights"] = np.concatenate([weights, rest + (1 - sum(weights)) / max(len(rest), 1)])

    return change


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _text(path: Path) -> None:
    path.write_text("x,y\n1,2\n")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def _flipped(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    middle = raw.index(np.float64(2.0).tobytes())
    raw[middle] ^= 1
    path.write_bytes(bytes(raw))


def _weight_changed(path: Path) -> None:
    members = _members(path)
    members["weights"] = members["weights"][::-1].copy()
    members["weights"][0] *= 0.5
    _rewrite(path, members)


def _without_weights(path: Path) -> None:
    members = _members(path)
    del members["weights"]
    _rewrite(path, members)


def _pickled(path: Path) -> None:
    members = dict(_members(path))
    members["weights"] = np.array([{"code": 1}], dtype=object)
    _rewrite(path, members)


def _other_archive(path: Path) -> None:
    _rewrite(path, {"a": np.arange(3.0)})


DAMAGES: dict[str, Callable[[Path], None]] = {
    "empty": _empty,
    "text": _text,
    "cut off": _cut,
    "a bit flipped": _flipped,
    "weights changed": _weight_changed,
    "weights missing": _without_weights,
    "a pickled array": _pickled,
    "another archive": _other_archive,
    "another format": lambda path: _with_header(path, format="other"),
    "no version": lambda path: _with_header(path, version=None),
}


# Files whose digest matches, with numbers that no fit gives.
FORGERIES: dict[str, Callable[[dict[str, Any], dict[str, np.ndarray]], object]] = {
    "weights of another sum": _set("weights", 0, 0.75),
    "a negative weight": _with_weights(-0.5, 1.0),
    "a weight of 0": _with_weights(0.0),
    "a weight that is NaN": _set("weights", 0, np.nan),
    "a negative distance": _set("residual_norms", 0, -0.25),
    "an infinite distance": _set("median_residual_norms", 0, np.inf),
    "a negative weight of the start": _set("weights_init", 0, -0.25),
    "weights of f_med above 1": _set("median_weights", 0, 1.25),
    "a negative objective": _set("objective_path", 0, -0.25),
    "other thresholds": lambda header, _: header.update(thresholds=[0.1, 0.2, 0.3]),
    "no thresholds": lambda header, _: header.update(thresholds=None),
    "other corners": lambda header, _: header["loss"].update(corners=[0.1, 0.2, 0.3]),
    "thresholds of no loss": lambda header, _: header.update(loss={"name": "quadratic", "corners": []}),
    "an empty list of thresholds": lambda header, _: header.update(
        thresholds=[], loss={"name": "absolute", "corners": []}
    ),
    "a level above 1": lambda header, _: header.update(quantiles=[0.5, 0.75, 1.5]),
    "no effective sample": lambda header, _: header.update(effective_sample_size=0),
    "an effective sample that is NaN": lambda header, _: header.update(effective_sample_size=np.nan),
    "a share above 1": lambda header, _: header.update(zero_weight_share=1.5),
    "a negative share": lambda header, _: header.update(zero_weight_share=-0.5),
    "a negative residual": lambda header, _: header["run"].update(fixed_point_residual=-1.0),
    "a negative bound": lambda header, _: header["median"].update(error_bound=-1.0),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_matching_digest_does_not_make_a_model(model_path: Path, forgery: str) -> None:
    _forged(model_path, FORGERIES[forgery])
    with pytest.raises(CorruptFile, match="InvalidInput") as caught:
        load_model(model_path)
    assert str(model_path) in str(caught.value)


def test_a_file_written_anew_with_its_digest_is_read(model_path: Path) -> None:
    _forged(model_path, lambda header, _: header.update(recipe="custom"))
    assert load_model(model_path).weights.tolist() == _members(model_path)["weights"].tolist()


@pytest.mark.parametrize("loss", [Quadratic, Absolute, Huber, Hampel])
@pytest.mark.parametrize("rows", [X, X[:1] * 3, X[:2]], ids=["spread", "one location", "two rows"])
def test_whatever_is_fitted_is_read_back(tmp_path: Path, rows: list[list[float]], loss: type[Loss]) -> None:
    start = [0.75, 0.25, *[0.0] * (len(rows) - 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateThresholdsWarning)
        for chosen in ("median", "uniform", start):
            model = rkde(rows, bandwidth=1.5, loss=loss, start=chosen, on_degenerate="warn")
            save_model(tmp_path / "model.npz", model)
            loaded = load_model(tmp_path / "model.npz")
            assert (loaded.thresholds, loaded.status) == (model.thresholds, model.status)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused(model_path: Path, damage: str) -> None:
    DAMAGES[damage](model_path)
    with pytest.raises(CorruptFile) as caught:
        load_model(model_path)
    assert str(model_path) in str(caught.value)
    assert caught.value.remedy


def _as_version(version: int) -> Callable[[dict[str, Any], dict[str, np.ndarray]], object]:
    def change(header: dict[str, Any], members: dict[str, np.ndarray]) -> None:
        header["version"] = version
        members.pop("sample_weight", None)
        if version == 1:
            del header["scaling"]

    return change


@pytest.mark.parametrize("version", [1, 2])
def test_older_files_are_read(model_path: Path, version: int) -> None:
    before = load_model(model_path)
    _forged(model_path, _as_version(version))
    after = load_model(model_path)
    assert (after.log_density(X) == before.log_density(X)).all()
    assert after.sample_weight is None


def test_a_newer_file_is_refused_by_its_version(model_path: Path) -> None:
    _with_header(model_path, version=VERSION + 1)
    with pytest.raises(CorruptFile, match=f"version {VERSION + 1}"):
        load_model(model_path)


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "none.npz")


def test_a_saved_model_scores_the_same(model_path: Path) -> None:
    model = rkde(X, bandwidth=1.5)
    loaded = load_model(model_path)
    queries = [[0.0, 0.0], [100.0, 3.0]]
    np.testing.assert_array_equal(loaded.log_density(queries), model.log_density(queries))
    assert loaded.thresholds == model.thresholds
    assert (loaded.recipe, loaded.status, loaded.bandwidth) == (model.recipe, model.status, model.bandwidth)


def test_the_same_model_gives_the_same_bytes(model_path: Path, tmp_path: Path) -> None:
    save_model(tmp_path / "again.npz", rkde(X, bandwidth=1.5))
    assert (tmp_path / "again.npz").read_bytes() == model_path.read_bytes()


def test_a_file_holds_no_pickle(model_path: Path) -> None:
    assert all(values.dtype.kind in "fuib" for values in _members(model_path).values())


@pytest.mark.parametrize("wrong", [None, "model", [[1.0]], {"weights": [1.0]}], ids=repr)
def test_only_a_model_is_saved(tmp_path: Path, wrong: object) -> None:
    with pytest.raises(InvalidType) as caught:
        save_model(tmp_path / "model.npz", wrong)  # type: ignore[arg-type]
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_old_file(model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = model_path.read_bytes()

    def fail(*arguments: object, **named: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="disk is full"):
        save_model(model_path, rkde(X, bandwidth=2.0))
    assert model_path.read_bytes() == before
    assert list(model_path.parent.iterdir()) == [model_path]
