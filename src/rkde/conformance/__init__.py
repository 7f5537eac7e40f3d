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
from rkde.conformance.driving import Hello as Hello
from rkde.conformance.driving import split_command as split_command
from rkde.conformance.files import OWN_PROOFS as OWN_PROOFS
from rkde.conformance.files import REPEATED as REPEATED
from rkde.conformance.files import formatted as formatted
from rkde.conformance.files import laid_out as laid_out
from rkde.conformance.files import lint as lint
from rkde.conformance.judging import Failure
from rkde.conformance.junit import write_junit as write_junit
from rkde.conformance.known import Balance as Balance
from rkde.conformance.known import KnownFailuresError as KnownFailuresError
from rkde.conformance.known import balance as balance
from rkde.conformance.known import read_known as read_known
from rkde.conformance.known import rewrite_known as rewrite_known
from rkde.conformance.levels import Level, Part
from rkde.conformance.levels import is_ordinary as is_ordinary
from rkde.conformance.objects import CheckReport, check
from rkde.conformance.offline import Answers as Answers
from rkde.conformance.offline import AnswersError as AnswersError
from rkde.conformance.offline import judge_answers as judge_answers
from rkde.conformance.offline import read_answers as read_answers
from rkde.conformance.offline import request_lines as request_lines
from rkde.conformance.orphans import adopting_orphans as adopting_orphans
from rkde.conformance.plain import plain_numbers as plain_numbers
from rkde.conformance.protocol import ANSWER_FIELDS as ANSWER_FIELDS
from rkde.conformance.protocol import CERTIFICATE_FIELDS as CERTIFICATE_FIELDS
from rkde.conformance.protocol import CORE_ERRORS as CORE_ERRORS
from rkde.conformance.protocol import CORE_FIELDS as CORE_FIELDS
from rkde.conformance.protocol import OPTIONAL_HELLO as OPTIONAL_HELLO
from rkde.conformance.report import LevelCount as LevelCount
from rkde.conformance.report import OperationSummary as OperationSummary
from rkde.conformance.report import all_passed as all_passed
from rkde.conformance.report import as_json as as_json
from rkde.conformance.report import count_levels as count_levels
from rkde.conformance.report import counts_as_json as counts_as_json
from rkde.conformance.report import expected_as_json as expected_as_json
from rkde.conformance.report import finite_digits as finite_digits
from rkde.conformance.report import spell_digits as spell_digits
from rkde.conformance.report import summarise as summarise
from rkde.conformance.running import REFERENCE_TOLERANCE as REFERENCE_TOLERANCE
from rkde.conformance.running import CaseResult, Outcome, Rules, check_case, check_cases, counted
from rkde.conformance.schema import protocol_schema_file as protocol_schema_file
from rkde.conformance.schema import schema_breach as schema_breach
from rkde.conformance.sentences import sentences as sentences
from rkde.conformance.vectors import WITHDRAWN as WITHDRAWN
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
    "Level",
    "Outcome",
    "Part",
    "Rules",
    "VectorsError",
    "check",
    "check_case",
    "check_cases",
    "compare",
    "counted",
    "drive",
    "load_vectors",
    "shipped_vectors",
]
