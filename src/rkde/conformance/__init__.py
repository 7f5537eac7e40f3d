"""Golden vectors: what a right implementation answers, and the judge that compares.

`load_vectors` reads a folder of vector files, `check_cases` asks an implementation, and
``python -m rkde.conformance.generate`` computes the files from the inventory of cases.
"""

from rkde.conformance.check import CaseResult, Outcome, check_case, check_cases
from rkde.conformance.comparison import Comparison, compare
from rkde.conformance.vectors import Case, VectorsError, load_vectors, shipped_vectors

__all__ = [
    "Case",
    "CaseResult",
    "Comparison",
    "Outcome",
    "VectorsError",
    "check_case",
    "check_cases",
    "compare",
    "load_vectors",
    "shipped_vectors",
]
