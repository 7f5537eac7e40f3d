"""The line protocol by which a program in any language asks for the package's operations.

`rkde adapter` serves it on standard input and output; `rkde verify` uses the same operations in process.

What is imported here under its own name is for other rooms; `__all__` is for users.
"""

from rkde.adapter.answers import ERROR_KINDS as ERROR_KINDS
from rkde.adapter.answers import INTERNAL as INTERNAL
from rkde.adapter.answers import OPERATIONS, answer_line, answer_request
from rkde.adapter.fields import LOSSES as LOSSES
from rkde.adapter.implementation import DEFAULT_DIGITS as DEFAULT_DIGITS
from rkde.adapter.implementation import Implementation, fast_implementation, reference_implementation
from rkde.adapter.strict_json import MAX_NUMBER_TEXT as MAX_NUMBER_TEXT
from rkde.adapter.strict_json import Json as Json
from rkde.adapter.strict_json import NotJsonError as NotJsonError
from rkde.adapter.strict_json import NumberToken as NumberToken
from rkde.adapter.strict_json import decode as decode
from rkde.adapter.strict_json import encode as encode
from rkde.adapter.strict_json import kind_of as kind_of
from rkde.adapter.strict_json import spelled as spelled
from rkde.adapter.transport import MAX_LINE_BYTES as MAX_LINE_BYTES
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
