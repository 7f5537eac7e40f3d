"""The claims of the paper, each with its verdict and its evidence.

`run_claims` runs them from an installed package and needs pytest, Hypothesis, sympy and z3 (the extra
``verify``); importing this package needs none of them.
"""

from rkde.proofs_checks.claim import Claim, Evidence, Level, Verdict, evidence
from rkde.proofs_checks.runner import ClaimResult, run_claims

__all__ = ["Claim", "ClaimResult", "Evidence", "Level", "Verdict", "evidence", "run_claims"]
