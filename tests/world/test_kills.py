"""A few kills of each command at random moments; `python -m tests.world.kills` makes many."""

import sys
from pathlib import Path

import pytest

from benchmarks.paper.data import data_folder
from tests.world.kills import COMMANDS

FEW = 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal of POSIX")
@pytest.mark.parametrize("name", COMMANDS)
def test_no_finished_work_is_lost_and_nothing_is_left_behind(name: str, tmp_path: Path) -> None:
    if name == "experiments" and data_folder() is None:
        pytest.skip("the data folder (RKDE_DATA) is not there")
    assert COMMANDS[name](tmp_path, FEW).kills == FEW
