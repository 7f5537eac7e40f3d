"""The table of planted mistakes: ``python -m tests.conformance.wrong.table [--check]``."""

import argparse
import sys
from pathlib import Path
from typing import Final

from rkde.conformance import CaseResult, Outcome
from rkde.conformance.diagnosis import Diagnosis, diagnose
from tests.conformance.wrong.answering import results_of
from tests.conformance.wrong.seeds import SEEDS, Seed
from tests.support.vectors import shipped_cases

TARGET: Final = Path(__file__).parents[3] / "docs" / "adapters" / "seeded_bugs.md"
# How many of the cases that caught a mistake are named.
NAMED: Final = 3
HEAD: Final = """\
# Planted mistakes

Each row is the example implementation [python/plain.py](python/plain.py) with one mistake in it, most of
them seen in published programs; for limits and the recipe, which the example lacks, it is `rkde.fast` with
one. "Caught by" counts the golden vectors that failed and names some; the last column is what `rkde verify`
says about the failures. Written by `python -m tests.conformance.wrong.table`.

| mistake | caught by | diagnosis |
|---|---|---|
"""


def row(seed: Seed, results: list[CaseResult], diagnoses: list[Diagnosis]) -> str:
    """Spell one row of the table."""
    failed = [result for result in results if result.outcome is Outcome.FAILED]
    spread = [failed[i * len(failed) // NAMED] for i in range(NAMED)] if len(failed) > NAMED else failed
    names = ", ".join(f"`{result.id}`" for result in spread)
    more = ", ..." if len(failed) > NAMED else ""
    text = "; ".join(diagnosis.sentence for diagnosis in diagnoses) or "-"
    return f"| {seed.says} | {len(failed)}: {names}{more} | {text} |"


def render() -> str:
    """Compute the whole document."""
    cases = shipped_cases()
    rows = []
    for seed in SEEDS:
        results = results_of(seed, cases)
        rows.append(row(seed, results, diagnose(cases, results)))
    return HEAD + "\n".join(rows).replace("||", "\\|\\|") + "\n"


def main() -> int:
    """Write the document, or with --check say whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if it would change")
    check = parser.parse_args().check
    text = render()
    if not check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    return 0 if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text else 1


if __name__ == "__main__":
    sys.exit(main())
