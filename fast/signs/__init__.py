"""What in a table or its fit should make its user look again: one function a sign, and one that asks all."""

from rkde.fast.signs.evidence import Choices, Evidence, read_evidence
from rkde.fast.signs.gather import find_signs, tell

__all__ = ["Choices", "Evidence", "find_signs", "read_evidence", "tell"]
