"""Run by the Python of an installation without extras: check what must work there, write JSON."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

COMMAND = [sys.executable, "-m", "rkde.cli"]


def command(*arguments: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
    """Run the command line and demand an exit code."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    return done


def imports() -> None:
    """Every part that promises to need no extra is imported."""
    for name in ("rkde", "rkde.fast", "rkde.reference", "rkde.conformance", "rkde.errors"):
        __import__(name)


def fit_and_score_in_python() -> None:
    """The density of a robust fit is highest in the middle, and lower at an outlier."""
    import numpy as np

    import rkde.fast as rk

    X = np.random.default_rng(1).standard_normal((60, 2))
    X[0] = 9.0
    kernel = rk.Gaussian(rk.median_nn(X))
    weights = rk.kirwls(X, kernel, rk.Hampel(0.5, 0.9, 1.3)).weights
    inner, outer = rk.log_density(X, kernel, weights, np.array([[0.0, 0.0], [9.0, 9.0]]))
    assert inner > outer, (inner, outer)
    assert weights[0] < np.median(weights), weights[0]


def fit_and_score_at_the_command_line() -> None:
    """A model is written, and scores as many rows as there are."""
    with tempfile.TemporaryDirectory() as folder:
        model, scores = str(Path(folder, "model.npz")), Path(folder, "scores.csv")
        command("fit", "faithful", "-o", model)
        command("score", model, "faithful", "-o", str(scores))
        rows = scores.read_text("utf-8").splitlines()
    # Old Faithful has 272 eruptions; the first line names the columns.
    assert len(rows) == 272 + 1, len(rows)


def versions() -> None:
    """A bug report can be made."""
    assert json.loads(command("version", "--machine", "--json").stdout)["format"] == "rkde-machine"


def ledger() -> None:
    """The claims can be read without being run."""
    assert command("ledger").stdout


def adapter() -> None:
    """The adapter, which other programs may check against, answers."""
    from rkde.adapter import fast_implementation, reference_implementation
    from rkde.adapter.answers import answer_line

    question = b'{"id": 1, "op": "loss", "loss": {"name": "huber", "a": 1}, "t": [2]}'
    for implementation in (fast_implementation(), reference_implementation()):
        # Huber's loss with a = 1 at t = 2 is a t - a^2 / 2.
        (value,) = json.loads(json.dumps(answer_line(implementation, question)))["rho"]
        assert float(value) == 3 / 2


def verify_names_what_is_missing() -> None:
    """`rkde verify` ends with the command that installs what it needs."""
    from rkde.cli.failures import EXIT_NOT_INSTALLED

    complaint = command("verify", code=EXIT_NOT_INSTALLED).stderr
    assert 'pip install "rkde[verify]"' in complaint, complaint


def complaint_of(check: Callable[[], None]) -> str:
    """Return why a check fails; nothing where it passes."""
    try:
        check()
    except Exception as error:  # noqa: BLE001 (whatever it is, it is told)
        return f"{type(error).__name__}: {error}"
    return ""


CHECKS = (imports, fit_and_score_in_python, fit_and_score_at_the_command_line)
CHECKS += (versions, ledger, adapter, verify_names_what_is_missing)
sys.stdout.write(json.dumps([[check.__name__, complaint_of(check)] for check in CHECKS]))
