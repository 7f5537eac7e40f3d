"""The writer of golden vectors: what it stores, what it refuses to store, and what it computes again."""

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Final

import pytest
from flint import arb

from rkde.conformance import shipped_vectors
from rkde.reference.certify import working_bits
from rkde.vectors import Entry
from rkde.vectors.computing import compute_case, references
from rkde.vectors.stored import GenerationError, from_balls, from_counts, from_two_precisions

SHIPPED: Final = shipped_vectors()
MIN_CASES: Final = 400
MAX_FILE_BYTES: Final = 1_000_000
LIBS: Final = references()
LOSS: Final = {"name": "huber", "a": 1}


def test_a_ball_is_stored_with_the_radius_of_its_decimals() -> None:
    with working_bits(256):
        stored = from_balls("objective", arb(1) / 3)
    assert stored["evidence"] == "ball arithmetic"
    value, radius = Fraction(str(stored["value"])), Fraction(str(stored["radius"]))
    assert 0 < abs(value - Fraction(1, 3)) <= radius


def test_an_exact_ball_has_radius_zero() -> None:
    stored = from_balls("weights", [arb(0.25), arb(0), None])
    assert (stored["value"], stored["radius"]) == ([f"2.5{43 * '0'}e-1", "0", None], "0")
    assert from_balls("phi", [arb.pos_inf()])["value"] == ["inf"]
    assert from_balls("certificate", "global") == {"value": "global", "radius": "0", "evidence": "exact"}


def test_a_wide_ball_is_refused() -> None:
    with pytest.raises(GenerationError, match="the radius"):
        from_balls("objective", arb(1, 2.0**-60))
    with pytest.raises(GenerationError, match="determines no digit"):
        from_balls("objective", arb.nan())


def test_the_rounding_of_a_quotient_is_its_radius() -> None:
    stored = from_counts("auc", "0." + 60 * "3", "0." + 90 * "3")
    distance = abs(Fraction(str(stored["value"])) - Fraction(1, 3))
    assert 0 < distance <= Fraction(str(stored["radius"]))
    assert from_counts("auc", "0.5", "0.5")["radius"] == "0"


def test_precisions_that_disagree_are_refused() -> None:
    with pytest.raises(GenerationError, match="disagree"):
        from_two_precisions("x", {"if_coef": ["1.0"]}, {"if_coef": ["1.1"]})


@pytest.mark.parametrize(
    ("argument", "flag", "error", "reason"),
    [
        (-1, "BASIC", "", "as a distance is"),
        (1, "MUST_FAIL", "InvalidInput", "was expected"),
        (-1, "MUST_FAIL", "NotConverged", "was expected"),
        (1, "ILL_CONDITIONED", "", "ILL_CONDITIONED does not fit"),
    ],
)
def test_a_case_that_ends_otherwise_than_it_says_is_refused(
    argument: float, flag: str, error: str, reason: str
) -> None:
    entry = Entry("loss", "loss/x", "c", (flag,), {"t": [argument]}, {"loss": LOSS}, error)
    with pytest.raises(GenerationError, match=reason):
        compute_case(entry, LIBS)


def test_the_shipped_vectors_are_many_and_proved() -> None:
    files = [json.loads(path.read_text("ascii")) for path in sorted(SHIPPED.glob("*.json"))]
    cases = [case for content in files for group in content["groups"] for case in group["cases"]]
    assert len(cases) >= MIN_CASES
    hard = [case for case in cases if case["error"] or "EDGE" in case["flags"]]
    assert 4 * len(hard) >= len(cases)
    assert max(path.stat().st_size for path in SHIPPED.glob("*.json")) < MAX_FILE_BYTES
    answers = [fields for case in cases for fields in (case.get("any_of") or [case["expected"]]) if fields]
    evidence = Counter(entry["evidence"] for fields in answers for entry in fields.values())
    assert set(evidence) == {"ball arithmetic", "exact", "two precisions"}
    unproved = {
        case["id"]
        for case in cases
        if case["expected"] and any(entry["radius"] is None for entry in case["expected"].values())
    }
    assert {identity.partition("/kink")[0] for identity in unproved} == {"influence"}


def test_a_saddle_lists_every_end() -> None:
    content = json.loads((SHIPPED / "fixed_point.json").read_text("ascii"))
    cases = {case["id"]: case for group in content["groups"] for case in group["cases"]}
    ends = cases["fixed_point/saddle"]["any_of"]
    assert [end["certificate"]["value"] for end in ends] == ["saddle", "local_minimum", "local_minimum"]
    heights = [Decimal(end["objective"]["value"]) for end in ends]
    assert heights[0] > heights[1] == heights[2]
