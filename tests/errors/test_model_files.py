"""Model files: what is written is read back, a newer one is refused, a failed write leaves nothing behind."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rkde.errors import CorruptFile, DegenerateThresholdsWarning, InvalidInput
from rkde.fast import Absolute, Hampel, Huber, Quadratic, load_columns, load_model, rkde, save_model
from rkde.fast.io import read_model_file
from rkde.fast.io.header import VERSION, digest
from rkde.fast.io.model_file import write_archive
from rkde.fast.losses import Loss

X = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 2.0], [0.5, 0.5], [30.0, 30.0]]


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    save_model(path, rkde(X, bandwidth=1.5))
    return path


def members(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a model file."""
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def rewrite(path: Path, arrays: dict[str, Any], compression: int = zipfile.ZIP_STORED) -> None:
    """Write arrays into a model file, as they are."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, values in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.asarray(values), allow_pickle=True)
            archive.writestr(f"{name}.npy", buffer.getvalue())


def forged(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], object]) -> None:
    """Change header and arrays, and write the digest that belongs to them."""
    arrays = {name: values.copy() for name, values in members(path).items() if name != "sha256"}
    header = json.loads(arrays.pop("header").tobytes().decode())
    change(header, arrays)
    text = json.dumps(header, sort_keys=True)
    texts = {"header": text, "sha256": digest(text, arrays)}
    rewrite(path, {**arrays, **{k: np.frombuffer(v.encode(), dtype=np.uint8) for k, v in texts.items()}})


def test_what_only_pickle_can_write_is_not_written() -> None:
    """A file with pickles in it could be read by no careful reader."""
    with pytest.raises(ValueError, match="Object arrays cannot be saved when allow_pickle=False"):
        write_archive(io.BytesIO(), {"names": np.array([{}], dtype=object)})


def test_a_file_written_anew_with_its_digest_is_read(model_path: Path) -> None:
    forged(model_path, lambda header, _: header.update(recipe="custom"))
    assert load_model(model_path).weights.tolist() == members(model_path)["weights"].tolist()


@pytest.mark.parametrize("loss", [Quadratic, Absolute, Huber, Hampel])
@pytest.mark.parametrize("rows", [X, X[:1] * 3, X[:2]], ids=["spread", "one location", "two rows"])
def test_whatever_is_fitted_is_read_back(tmp_path: Path, rows: list[list[float]], loss: type[Loss]) -> None:
    start = [0.75, 0.25, *[0.0] * (len(rows) - 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateThresholdsWarning)
        for options in ({"recipe": "paper"}, {"start": "uniform"}, {"start": start}):
            model = rkde(rows, bandwidth=1.5, loss=loss, on_degenerate="warn", **options)
            save_model(tmp_path / "model.npz", model)
            loaded = load_model(tmp_path / "model.npz")
            for name in ("thresholds", "status", "recipe", "bandwidth"):
                assert getattr(loaded, name) == getattr(model, name)
            queries = [[0.0, 0.0], [100.0, 3.0]]
            np.testing.assert_array_equal(loaded.log_density(queries), model.log_density(queries))


@pytest.mark.parametrize("version", [1, 2])
def test_older_files_are_read(model_path: Path, version: int) -> None:
    def as_it_was(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        header["version"] = version
        arrays.pop("sample_weight", None)
        if version == 1:
            del header["scaling"]

    before = load_model(model_path)
    forged(model_path, as_it_was)
    after = load_model(model_path)
    assert (after.log_density(X) == before.log_density(X)).all()
    assert after.sample_weight is None


def test_a_newer_file_is_refused_by_its_version(model_path: Path) -> None:
    forged(model_path, lambda header, _: header.update(version=VERSION + 1))
    # Its digest may be another one.
    rewrite(model_path, {**members(model_path), "sha256": np.zeros(64, dtype=np.uint8)})
    with pytest.raises(CorruptFile, match=f"version {VERSION + 1}"):
        load_model(model_path)


@pytest.mark.parametrize("version", [0, True, "1"])
def test_what_is_no_version_is_refused(model_path: Path, version: object) -> None:
    forged(model_path, lambda header, _: header.update(version=version))
    with pytest.raises(CorruptFile, match="does not state a valid version"):
        load_model(model_path)


def test_a_scale_of_more_entries_than_columns_is_refused(model_path: Path) -> None:
    def widened(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        header["scaling"] = "numbers"
        arrays.update(centre=np.zeros(2), scale=np.ones(3))

    forged(model_path, widened)
    with pytest.raises(CorruptFile, match=r"damaged \(\w+\)") as refused:
        load_model(model_path)
    assert "it does not fit the columns" in str(refused.value.__cause__)


def test_the_same_model_gives_the_same_bytes(model_path: Path, tmp_path: Path) -> None:
    save_model(tmp_path / "again.npz", rkde(X, bandwidth=1.5))
    assert (tmp_path / "again.npz").read_bytes() == model_path.read_bytes()


def test_a_file_holds_no_pickle(model_path: Path) -> None:
    assert all(values.dtype.kind in "fuib" for values in members(model_path).values())


def test_a_failed_write_keeps_the_old_file(model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = model_path.read_bytes()

    def fail(*arguments: object, **named: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="disk is full"):
        save_model(model_path, rkde(X, bandwidth=2.0))
    assert model_path.read_bytes() == before
    assert list(model_path.parent.iterdir()) == [model_path]


def test_log_densities_of_all_rows_come_back_in_ascending_order(model_path: Path) -> None:
    model, path = load_model(model_path), model_path
    logs = np.append(model.log_density(X)[:-1], -np.inf)
    save_model(path, model, columns=("a", "b"), training_log_densities=logs)
    held = read_model_file(path)
    assert np.array_equal(held.training_log_densities, np.sort(logs))
    assert not held.training_log_densities.flags.writeable
    assert held.columns == load_columns(path) == ("a", "b")
    assert np.array_equal(held.model.weights, load_model(path).weights)


def test_no_names_are_those_that_the_model_knows(model_path: Path) -> None:
    none: Any = None
    save_model(model_path, load_model(model_path), columns=none)
    assert load_columns(model_path) == ()


def test_arrays_that_are_together_larger_than_the_file_are_not_unpacked(model_path: Path) -> None:
    model, size = load_model(model_path), 1000
    save_model(model_path, model, training_log_densities=np.zeros(size), training_weights=np.ones(size))
    arrays = members(model_path)
    rewrite(model_path, arrays)
    assert len(load_model(model_path).X) == len(model.X)
    # Incompressible, it makes the file larger than each array, though not than all.
    arrays["noise"] = np.frombuffer(np.random.default_rng(0).bytes(20 * size), dtype=np.uint8)
    rewrite(model_path, arrays, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(model_path) as archive:
        assert max(entry.file_size for entry in archive.infolist()) < model_path.stat().st_size
    with pytest.raises(CorruptFile, match="damaged \\(ValueError\\)"):
        load_model(model_path)


def test_a_member_with_another_ending_is_refused(model_path: Path) -> None:
    with zipfile.ZipFile(model_path, "a") as archive:
        archive.writestr("notes.txt", archive.read(archive.namelist()[0]))
    with pytest.raises(CorruptFile, match=r"damaged \(ValueError\)"):
        load_model(model_path)


def test_log_densities_need_not_be_there(model_path: Path) -> None:
    assert len(read_model_file(model_path).training_log_densities) == 0


def test_the_order_of_log_densities_leaves_no_trace(model_path: Path) -> None:
    model, path = load_model(model_path), model_path
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
def test_what_is_no_log_density_is_refused(logs: np.ndarray, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=problem):
        save_model(tmp_path / "m.npz", rkde(X, bandwidth=1.5), training_log_densities=logs)
    assert list(tmp_path.iterdir()) == []


def test_names_and_weights_that_are_too_few_are_refused(tmp_path: Path) -> None:
    model, path = rkde(X, bandwidth=1.5), tmp_path / "m.npz"
    with pytest.raises(
        InvalidInput, match=r"^columns must have as many entries .*\(2\), got 1; pass one name"
    ):
        save_model(path, model, columns=["a"])
    with pytest.raises(InvalidInput, match=r"must have one entry for each sample weight \(5\), got 6; pass"):
        save_model(path, model, training_log_densities=np.zeros(6), training_weights=np.ones(5))
    assert list(tmp_path.iterdir()) == []


def test_thresholds_that_are_no_list_are_damage(model_path: Path) -> None:
    forged(model_path, lambda header, _: header.update(thresholds=1.0))
    with pytest.raises(CorruptFile, match=r"the model file is damaged \(InvalidType\)"):
        load_model(model_path)
