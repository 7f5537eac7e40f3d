"""A test that depends on the last bit passes on one machine and is found by the matrix."""

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines import running
from tests.machines.rows import Settings, kernels
from tests.machines.settings import SkipError, variables_of
from tests.machines.store import is_green
from tests.machines.table import ENVIRONMENTS, environment_rows
from tests.machines.workshop import clean_variables

PYTHON = Path(sys.executable)
SECONDS = 120.0
WRONG = Path(__file__).with_name("last_bit.py")


def other_settings() -> Iterator[dict[str, str]]:
    """Yield the variables of each setting of this machine that has an effect."""
    asked = [Settings(kernel) for kernel in kernels(platform.machine())]
    for one in (*asked, Settings(numpy_simd=False), Settings(glibc_simd=False)):
        try:
            yield variables_of(one, PYTHON)
        except SkipError:
            continue


def outcome(tree: Path, variables: dict[str, str], name: str) -> dict[str, object]:
    """Run the wrong test as a row of the matrix would."""
    tests = running.run_tests(PYTHON, tree, {**clean_variables(), **variables}, SECONDS, [WRONG.name])
    return {"row": name, "machine": {}, "verify": None, "tests": tests, "skipped": None, "problem": ""}


@pytest.mark.slow
def test_a_test_of_bits_is_green_in_one_row_and_fails_in_another(tmp_path: Path) -> None:
    shutil.copy(WRONG, tmp_path)
    subprocess.run([PYTHON, tmp_path / WRONG.name], env=clean_variables(), check=True)
    here = outcome(tmp_path, {}, "here")
    assert is_green(here)
    tried = 0
    for variables in other_settings():
        tried += 1
        there = outcome(tmp_path, variables, "there")
        if not is_green(there):
            failed = ENVIRONMENTS.index("failed")
            assert [cells[failed] for cells in environment_rows([here, there])] == ["0", "1"]
            return
    if not tried:
        pytest.skip("this machine offers one kernel and one set of instructions only")
    pytest.fail(f"all of {tried} other settings give the same bits")
