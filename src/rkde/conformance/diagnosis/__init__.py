"""From wrong answers to the mistake behind them."""

from rkde.conformance.diagnosis.model import Diagnosis, Pattern
from rkde.conformance.diagnosis.search import PATTERNS, diagnose

__all__ = ["PATTERNS", "Diagnosis", "Pattern", "diagnose"]
