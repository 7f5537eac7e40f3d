"""What rkde uses of array-api-compat: namespaces of the standard, whose arrays have no common type.

Used by type checkers only.
"""

from typing import Any

def array_namespace(*arrays: object) -> Any: ...
def device(array: object) -> Any: ...
def to_device(array: Any, device: object) -> Any: ...
