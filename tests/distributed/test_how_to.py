"""The page about clusters does what it says: its scripts run against real processes over the loopback."""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "clusters.md"


def block_with(language: str, text: str) -> str:
    """Return the one fenced block of the page that is in a language and has a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (found,) = (block for block in blocks if text in block)
    return found


@pytest.mark.slow
def test_the_script_runs_on_the_cluster_that_the_commands_start(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    commands = block_with("bash", "dask scheduler").splitlines()
    started = [line.partition("#")[0] for line in commands if line.startswith("dask ")]
    assert len(started) == 2
    rows = np.vstack([np.random.default_rng(1).normal(size=(900, 2)), np.full((1, 2), 40.0)])
    np.save(tmp_path / "rows.npy", rows)
    script = block_with("python", "expected_cost(").replace("tcp://head:8786", address)
    (tmp_path / "fit.py").write_text(script, "utf-8")
    running = []
    try:
        for line in started:
            line = line.replace("tcp://head:8786", address).replace("8786", str(port))
            arguments = line.replace("--nworkers 16", "--nworkers 2").split()[1:]
            extra = ["--no-dashboard"] if arguments[0] == "worker" else ["--dashboard-address", ":0"]
            command = [sys.executable, "-m", "dask", *arguments, *extra]
            running.append(subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL))
        for again in ("", ", resume=True"):
            text = script.replace('"run-1")', f'"run-1"{again})')
            subprocess.run([sys.executable, "-c", text], cwd=tmp_path, check=True, timeout=300)
            model = rk.load_model(tmp_path / "model.npz")
            local = rk.rkde(rows, loss="huber")
            assert model.weights.shape == local.weights.shape
            assert model.weights[-1] == model.weights.min()
            assert abs(model.objective - local.objective) <= local.run.stop.tol
    finally:
        for process in running:
            process.terminate()
            process.wait()
    shutil.rmtree(tmp_path / "run-1")


@pytest.mark.slow
def test_a_chunked_array_becomes_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dask.array", reason="the extra dask is not installed")
    monkeypatch.chdir(tmp_path)
    table = np.random.default_rng(2).normal(size=(50, 3))
    script = block_with("python", "da.store")
    script = script.replace('da.from_zarr("rows.zarr")', "da.from_array(table, 7)")
    distributed = pytest.importorskip("distributed")
    # Beside a cluster, whose workers are processes, too.
    with distributed.Client(n_workers=1, threads_per_worker=1, dashboard_address=None):
        exec(script, {"table": table})  # noqa: S102 (the page itself)
    assert np.array_equal(np.load("rows.npy"), table)


def test_a_product_by_torch_has_the_certificate_of_the_dense_engine() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    X = np.random.default_rng(5).normal(size=(200, 3))
    place: dict[str, Any] = {"X": X, "kernel": rk.Gaussian(0.8)}
    script = block_with("python", "torch.cdist")
    assert len([line for line in script.splitlines() if line]) <= 10
    exec(script, place)  # noqa: S102 (the page itself)
    ours = rk.median_rkde(X, place["kernel"], operator=place["operator"])
    theirs = rk.median_rkde(X, place["kernel"])
    assert ours.certificate is theirs.certificate is rk.Certificate.GLOBAL
    bounds = ours.weights_error_bound, theirs.weights_error_bound
    assert np.abs(ours.weights - theirs.weights).max() <= sum(bound or 0.0 for bound in bounds)
