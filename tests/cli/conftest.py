"""Models of shipped tables, which no test changes."""

from pathlib import Path

import pytest

from tests.cli.running import run, succeeded


@pytest.fixture(scope="session")
def faithful_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "faithful.npz"
    succeeded(run("fit", "faithful", "-o", path))
    return path


@pytest.fixture(scope="session")
def iris_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "iris.npz"
    succeeded(run("fit", "iris", "-o", path))
    return path
