"""The estimator is there without being loaded, and says what it needs where scikit-learn is missing."""

import subprocess
import sys

import pytest

import rkde

HIDDEN = "import sys; sys.modules['sklearn'] = None; import rkde; "


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)


def test_it_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys, rkde; assert 'RobustKernelDensity' in dir(rkde); assert 'numpy' not in sys.modules; "
        "rkde.RobustKernelDensity; assert 'sklearn' in sys.modules"
    )
    assert run(code).returncode == 0


def test_there_is_one_class() -> None:
    from rkde.fast.sklearn import RobustKernelDensity

    assert rkde.RobustKernelDensity is RobustKernelDensity
    assert rkde.RobustKernelDensity.__module__ == "rkde.fast.sklearn.estimator"


def test_without_scikit_learn_it_says_what_to_install_and_all_else_works() -> None:
    works = "import rkde.fast; from rkde import *; dir(rkde); print(rkde.fast.scott([[0], [1]]) > 0); "
    found = run(f"{HIDDEN}{works}rkde.RobustKernelDensity")
    assert (found.returncode, found.stdout) == (1, "True\n"), found.stderr
    assert "ImportError: RobustKernelDensity needs scikit-learn" in found.stderr
    assert 'pip install "rkde[sklearn]"' in found.stderr


def test_other_names_are_missing_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'rkde' has no attribute 'RobustDensity'"):
        rkde.RobustDensity  # noqa: B018
