"""Theorems that a proof assistant has checked: Coq files, and the command that checks them again.

``python -m rkde.proofs_checks.formal`` compiles every file from scratch with Coq 8.16, asks for the axioms
under each theorem, has ``coqchk`` check the compiled files once more, and prints a table. What it found is
recorded in ``checked.json``, which the ledger reads, so that a machine without Coq shows the same ledger, and
what each theorem states in ``statements.txt``, with the definitions that it uses, so that a hypothesis that
came or went, also in a record, is seen in review. A
claim whose theorem stands in another file than the recorded one stops the run of the claims.

How to add a theorem
--------------------
1. State it in ``<idea>.v`` with the word ``Theorem``, and put a comment directly above it that says ``Claim
   <id>.`` and the statement in words. Auxiliary statements are lemmas.
2. List it in ``theorems.toml``. A claim has the level FORMAL if theorems listed there say all of it, under
   its hypotheses and no others; ``whole = false`` marks a theorem that says a part.
3. Run the command with ``--write``, and then ``rkde ledger --write``.
"""
