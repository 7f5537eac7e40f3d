"""Making the golden vectors: the inventory, their computation and proof, new cases, and their recomputation.

Needs the extra `verify`. ``python -m rkde.vectors.generate`` computes the files from the inventory.
"""

from rkde.vectors.adding import NewCase, add_case, read_request
from rkde.vectors.recomputing import differences

__all__ = [
    "NewCase",
    "add_case",
    "differences",
    "read_request",
]
