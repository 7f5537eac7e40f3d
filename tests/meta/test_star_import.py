"""A star import brings the names of a package and leaves the package's own name alone."""

import subprocess
import sys

CODE = """
import types
import rkde
from rkde.fast import *
assert median_rkde is rkde.fast.median_rkde
from rkde.reference import *
assert median_rkde is rkde.reference.median_rkde
assert isinstance(rkde, types.ModuleType)
assert callable(rkde.fast.rkde)
assert callable(rkde.reference.rkde)
"""


def test_a_star_import_leaves_the_name_of_the_package() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
