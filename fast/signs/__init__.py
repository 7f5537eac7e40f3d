"""What in a table or its fit needs a second look: one function for each sign, and one that runs them all."""

from rkde.fast.signs.evidence import Choices, Evidence, read_evidence
from rkde.fast.signs.gather import find_signs, tell

__all__ = ["Choices", "Evidence", "find_signs", "read_evidence", "tell"]
