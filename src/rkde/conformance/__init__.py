"""Golden vectors: what a right implementation answers, and the judge that compares.

`check` puts the vectors to any Python object; `Driver` and `drive` put them to any program; `load_vectors`
reads a folder of vector files.

What is imported here under its own name is for other rooms; `__all__` is for users.
"""

from rkde.conformance.comparison import EXACT as EXACT
from rkde.conformance.comparison import LOGARITHMS as LOGARITHMS
from rkde.conformance.comparison import NON_FINITE as NON_FINITE
from rkde.conformance.comparison import Comparison, compare
from rkde.conformance.comparison import as_decimal as as_decimal
from rkde.conformance.driving import CASE_SECONDS as CASE_SECONDS
from rkde.conformance.driving import AdapterError, Driver, drive
from rkde.conformance.driving import split_command as split_command
from rkde.conformance.files import OWN_PROOFS as OWN_PROOFS
from rkde.conformance.files import formatted as formatted
from rkde.conformance.files import laid_out as laid_out
from rkde.conformance.files import lint as lint
from rkde.conformance.judging import Failure
from rkde.conformance.junit import write_atomically as write_atomically
from rkde.conformance.junit import write_junit as write_junit
from rkde.conformance.objects import CheckReport, check
from rkde.conformance.orphans import adopting_orphans as adopting_orphans
from rkde.conformance.protocol import ANSWER_FIELDS as ANSWER_FIELDS
from rkde.conformance.report import all_passed as all_passed
from rkde.conformance.report import as_json as as_json
from rkde.conformance.report import finite_digits as finite_digits
from rkde.conformance.report import spell_digits as spell_digits
from rkde.conformance.report import summarise as summarise
from rkde.conformance.running import REFERENCE_TOLERANCE as REFERENCE_TOLERANCE
from rkde.conformance.running import CaseResult, Outcome, check_case, check_cases
from rkde.conformance.vectors import Case, VectorsError, load_vectors, shipped_vectors
from rkde.conformance.vectors import checked as checked
from rkde.conformance.vectors import digest as digest
from rkde.conformance.vectors import load_file as load_file
from rkde.conformance.vectors import schema_file as schema_file
from rkde.conformance.vectors import with_floats as with_floats

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
