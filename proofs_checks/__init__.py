"""The claims of the paper, each with its verdict and its evidence.

`run_claims` runs them from an installed package and needs the extra ``verify``; importing this package needs
none of its packages, nor does reading the ledger (`rkde.proofs_checks.ledger`, ``rkde ledger``).

How to add a claim
------------------
1. In ``check_<family>.py`` write a module-level `Claim`. `statement` says in our words what is true, and for
   a claim that FAILS, what the paper says or lets a reader assume, as `source` tells; `label` names LaTeX
   labels of the paper, with remarks in parentheses; `section` its section by number.
2. Below it write functions ``check_<what>`` marked with `evidence`, at the strongest level there is: PROVED
   by sympy, z3 or exact numbers, CERTIFIED by balls, exact integers or exhaustion, TESTED by Hypothesis. The
   claim's level is the lowest of the checks that carry it; a check that only `corroborates` does not count.
   A PROVED claim says in `proof_class` what the machine checked of its proof. A theorem that is put together
   from other claims names them in `follows_from`, and is as firm as the weakest of them.
3. FAILS and MISPRINT need `counterexample`: the names of checks that run the smallest one known, which
   `argument` explains in two lines. Where a hypothesis can be seen to be needed, name the check that drops it
   in `necessity`. OPEN claims have a check for what can be said, and `argument` says what stays open.
4. Plant at least one fault that the checks must notice: ``faults/<family>.toml``, see
   `rkde.proofs_checks.faults`. Each check that calls z3 needs one: a mutated statement that it refutes.
5. Run ``rkde ledger --write``, and link the claim from ``docs/errata.md`` unless it HOLDS or is OPEN.

Tolerances are calls of functions that derive them (``tolerances.py`` and the files beside it). A randomised
check must mean something with six examples, and a fixed one should take less than a second: ``rkde verify``
runs them all.
"""

from rkde.proofs_checks.claim import Claim, Evidence, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.runner import ClaimResult, run_claims

__all__ = [
    "Claim",
    "ClaimResult",
    "Evidence",
    "Level",
    "ProofClass",
    "Source",
    "Verdict",
    "evidence",
    "run_claims",
]
