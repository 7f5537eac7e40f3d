"""Golden vectors: what a right implementation answers, and the judge that compares.

`check` puts the vectors to any Python object; `Driver` and `drive` put them to any program; `load_vectors`
reads a folder of vector files. ``python -m rkde.conformance.generate`` computes the files from the inventory.
"""

from rkde.conformance.comparison import Comparison, compare
from rkde.conformance.driving import AdapterError, Driver, drive
from rkde.conformance.judging import Failure
from rkde.conformance.objects import CheckReport, check
from rkde.conformance.running import CaseResult, Outcome, check_case, check_cases
from rkde.conformance.vectors import Case, VectorsError, load_vectors, shipped_vectors

__all__ = [
    "AdapterError",
    "Case",
    "CaseResult",
    "CheckReport",
    "Comparison",
    "Driver",
    "Failure",
    "Outcome",
    "VectorsError",
    "check",
    "check_case",
    "check_cases",
    "compare",
    "drive",
    "load_vectors",
    "shipped_vectors",
]
