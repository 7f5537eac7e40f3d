"""The line protocol by which a program in any language asks for the package's operations.

`rkde adapter` serves it on standard input and output; `rkde verify` uses the same operations in process.
"""

from rkde.adapter.answers import OPERATIONS, answer_line, answer_request
from rkde.adapter.implementation import Implementation, fast_implementation, reference_implementation
from rkde.adapter.transport import serve

__all__ = [
    "OPERATIONS",
    "Implementation",
    "answer_line",
    "answer_request",
    "fast_implementation",
    "reference_implementation",
    "serve",
]
