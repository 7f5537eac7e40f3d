"""Small files of claims for the tests of the framework."""

from pathlib import Path
from textwrap import dedent

HEAD = """
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence

def claim(name, level, **fields):
    fields = {"source": Source.PRINTED, **fields}
    if level is Level.PROVED:
        fields.setdefault("proof_class", ProofClass.B)
    return Claim(name, "eqn:x", "2", "A statement.", Verdict.HOLDS, level, "An argument.", **fields)
"""

GOOD = """
SUM = claim("toy.sum", Level.TESTED)
PRODUCT = claim("toy.product", Level.PROVED)

@evidence(SUM, level=Level.TESTED)
def check_sum():
    assert 1 + 2 == 3

@evidence(PRODUCT, level=Level.PROVED)
@evidence(SUM, level=Level.PROVED, corroborates=True)
def check_both():
    assert 2 * 3 == 6
"""

COMPOSED = """
WHOLE = claim("toy.whole", Level.TESTED, follows_from=("toy.sum", "toy.product"))
"""


def write(folder: Path, body: str, family: str = "toy") -> Path:
    """Write check_<family>.py with the usual head and return its path."""
    path = folder / f"check_{family}.py"
    path.write_text(HEAD + dedent(body), encoding="utf-8")
    return path
