"""Making the golden vectors: their computation and proof, new and edited cases, and their recomputation.

Needs the extra `verify`. The vector files are the one source of the requests; `rkde vectors` works on them.
"""

from rkde.vectors.computing import Entry
from rkde.vectors.editing import ADDED, add_case, edit_case, read_request
from rkde.vectors.recomputing import differences, recompute

__all__ = ["ADDED", "Entry", "add_case", "differences", "edit_case", "read_request", "recompute"]
