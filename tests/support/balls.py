"""Ball arithmetic and the proofs in it; without python-flint, tests that import them are skipped."""

from typing import Any

import pytest

flint: Any = pytest.importorskip("flint", reason='needs python-flint: pip install "rkde[verify]"')
certify: Any = pytest.importorskip("rkde.reference.certify")
