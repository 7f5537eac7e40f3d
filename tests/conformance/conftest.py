"""Folders of vectors that a test may spoil."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rkde.conformance import shipped_vectors


@pytest.fixture
def vectors_of(tmp_path: Path) -> Callable[..., Path]:
    """Copy the shipped vectors of some operations into a folder, which is returned."""
    folder = tmp_path / "vectors"
    folder.mkdir()

    def copied(*names: str) -> Path:
        for name in names:
            shutil.copy(shipped_vectors() / f"{name}.json", folder)
        return folder

    return copied


@pytest.fixture
def few(vectors_of: Callable[..., Path]) -> Path:
    """A folder with the vectors of `loss`."""
    return vectors_of("loss")
