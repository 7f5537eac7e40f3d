"""Models of shipped tables, which no test changes."""

from pathlib import Path

import pytest

from tests.cli.running import fitted


@pytest.fixture(scope="session")
def faithful_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted(tmp_path_factory, "faithful")


@pytest.fixture(scope="session")
def iris_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted(tmp_path_factory, "iris")
