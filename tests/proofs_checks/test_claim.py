"""The audit of a file of claims: what it finds wrong, and that it passes what is right."""

from types import ModuleType

import pytest

from rkde.proofs_checks import audit, check_influence_matrix
from rkde.proofs_checks.audit import audit_compositions, audit_module
from rkde.proofs_checks.claim import checks_of, claims_of, evidence_of
from rkde.proofs_checks.formal import record, sources
from tests.proofs_checks.ledger_files import COMPOSED, GOOD, HEAD


def module_of(body: str, family: str = "toy") -> ModuleType:
    module = ModuleType(f"rkde.proofs_checks.check_{family}")
    exec(compile(HEAD + body, module.__name__, "exec"), module.__dict__)  # noqa: S102 - the text is ours
    return module


def test_claims_and_checks_of_a_sound_file_are_found_in_order() -> None:
    module = module_of(GOOD)
    assert audit_module(module) == []
    assert [claim.id for claim in claims_of(module)] == ["toy.sum", "toy.product"]
    assert [name for name, _ in checks_of(module)] == ["check_sum", "check_both"]
    assert [item.claim.id for item in evidence_of(module.check_both)] == ["toy.sum", "toy.product"]


CHECKED = """
@evidence(LOST, level=Level.TESTED)
def check_lost():
    assert LOST
"""
PART = CHECKED.replace("TESTED", "PROVED").replace("check_lost", "check_part")


def lost(verdict: str, more: str = "", label: str = "l") -> str:
    """Return the text of a claim with its check."""
    fields = f'"toy.lost", "{label}", "2", "s", Verdict.{verdict}, Level.TESTED, "a"{more}'
    return f"LOST = Claim({fields}){CHECKED}"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ('LOST = claim("toy.lost", Level.TESTED)', "toy.lost: no check is evidence"),
        ('LOST = claim("other.lost", Level.TESTED)', "does not start with the family 'toy'"),
        ('LOST = claim("toy.sum", Level.TESTED)', "two claims have one identifier"),
        ("def check_nothing():\n    assert True\n", "check_nothing: is evidence for no claim"),
        ('LOST = claim("toy.lost", Level.PROVED)' + CHECKED, "toy.lost: level PROVED is stated"),
        (
            'LOST = claim("toy.lost", Level.PROVED)' + PART + CHECKED,
            "toy.lost: level PROVED is stated, its weakest check has TESTED",
        ),
        (
            'LOST = claim("toy.lost", Level.PROVED, follows_from=("toy.product",))' + CHECKED,
            "toy.lost: level PROVED is stated, its weakest check has TESTED",
        ),
        (
            'LOST = claim("toy.lost", Level.TESTED)' + CHECKED.replace("TESTED", "TESTED, corroborates=True"),
            "toy.lost: every check only corroborates it",
        ),
        ('LOST = claim("toy.sum", Level.TESTED, source=None)', "toy.sum: its source is not stated"),
        ('LOST = claim("toy.sum", Level.TESTED, proof_class=ProofClass.A)', "goes with the level PROVED"),
        ('LOST = claim("toy.sum", Level.PROVED, proof_class=None)', "goes with the level PROVED"),
        (
            'LOST = claim("toy.sum", Level.PROVED, proof_class=ProofClass.A, cites=("a theorem",))',
            "class A leaves nothing to a cited theorem",
        ),
        ('LOST = claim("toy.sum", Level.TESTED, otherwise=("x",))', "go with the verdict NOT REPRODUCED"),
        (lost("OPEN"), "no level exactly where it is open"),
        (lost("HOLDS", label=""), "must not be empty"),
        (lost("FAILS"), "toy.lost: FAILS needs a counterexample"),
        (
            lost("FAILS", ', counterexample=("check_sum",)'),
            "its counterexample check_sum is no check of this claim",
        ),
        (
            lost("HOLDS", ', hypotheses=("h",), necessity=(("h", "check_nowhere"),)'),
            "the witness check_nowhere is no check",
        ),
        (
            lost("HOLDS", ', hypotheses=("h",), necessity=(("other", "check_sum"),)'),
            "'other' is none of its hypotheses",
        ),
    ],
)
def test_each_defect_is_named(change: str, complaint: str) -> None:
    problems = audit_module(module_of(GOOD + change))
    assert any(complaint in problem for problem in problems)


def test_a_claim_may_follow_from_others_without_a_check() -> None:
    module = module_of(GOOD + COMPOSED)
    assert audit_module(module) == []
    assert audit_compositions(claims_of(module)) == []


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (COMPOSED.replace("Level.TESTED", "Level.PROVED"), "the lowest of its parts is TESTED"),
        (COMPOSED.replace("toy.sum", "toy.nothing"), "follows from toy.nothing, which is no claim"),
        (COMPOSED.replace("toy.sum", "toy.whole"), "toy.whole: follows from itself"),
        (
            'WHOLE = claim("toy.whole", Level.PROVED, proof_class=ProofClass.A,\n'
            '    follows_from=("toy.product",))',
            "class A is stated, the weakest of its parts is B",
        ),
        (
            'WHOLE = claim("toy.whole", Level.TESTED, follows_from=("toy.sum", "toy.open"))\n'
            'UNKNOWN = Claim("toy.open", "l", "2", "s", Verdict.OPEN, None, "a", source=Source.PRINTED)',
            "follows from toy.open, which is open",
        ),
    ],
)
def test_a_composition_is_no_firmer_than_its_parts(body: str, complaint: str) -> None:
    problems = audit_compositions(claims_of(module_of(GOOD + body)))
    assert any(complaint in problem for problem in problems)


def test_a_file_without_claims_is_a_defect() -> None:
    assert audit_module(module_of("X = 1")) == ["rkde.proofs_checks.check_toy: holds no claim"]


def test_evidence_does_not_leak_between_functions_that_share_attributes() -> None:
    module = module_of(GOOD)
    copied = dict(vars(module.check_sum))
    before = len(evidence_of(module.check_sum))
    module.evidence(module.PRODUCT, level=module.Level.PROVED)(module.check_sum)
    assert len(evidence_of(module.check_sum)) == before + 1
    assert len(copied["rkde_evidence"]) == before


FORMAL = """
LOST = claim("toy.lost", Level.FORMAL{fields})
@evidence(LOST, level=Level.PROVED)
def check_lost():
    assert LOST
"""


@pytest.mark.parametrize(
    ("body", "formal", "stale", "complaints"),
    [
        (FORMAL.format(fields=""), "", "", ["level FORMAL is stated, but no formal theorem carries it"]),
        (FORMAL.format(fields=""), "toy.lost", "", []),
        (FORMAL.format(fields=""), "toy.lost", "toy.lost", ["its file is another one"]),
        (
            FORMAL.format(fields=', cites=("a theorem",)'),
            "toy.lost",
            "",
            ["the level FORMAL leaves nothing to a cited theorem"],
        ),
        ("", "toy.product", "", ["level PROVED is stated, but a formal theorem carries it"]),
        # A theorem of a part is the recorded one too, and one of its own makes a whole formal.
        ("", "", "toy.product", ["its file is another one"]),
        ('WHOLE = claim("toy.whole", Level.FORMAL, follows_from=("toy.sum",))\n', "toy.whole", "", []),
    ],
)
def test_theorems_and_the_level_formal_go_together(
    body: str, formal: str, stale: str, complaints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "formal_claims", lambda: frozenset({formal}))
    if stale:
        monkeypatch.setattr(audit, "claims_with_theorems", lambda: frozenset({stale}))
        monkeypatch.setattr(audit, "unrecorded", lambda _: ["its file is another one"])
    module = module_of(GOOD + body)
    claim = formal or stale or "toy.lost"
    assert audit_module(module) == [f"claim {claim}: {complaint}" for complaint in complaints]
    assert audit_compositions(claims_of(module)) == []


def test_a_changed_file_under_a_theorem_of_a_part_stops_the_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {each.claim for each in sources.theorems()} - sources.formal_claims()
    assert "influence_matrix.spectrum" in parts
    monkeypatch.setattr(record, "stale", lambda: {"theorem_5.v": "theorem_5.v is another one"})
    complaint = "claim influence_matrix.spectrum: theorem_5.v is another one"
    assert audit_module(check_influence_matrix) == [complaint]


def test_a_whole_of_formal_parts_is_formal_or_proved() -> None:
    parts = FORMAL.format(fields="")
    for level in ("FORMAL", "PROVED"):
        whole = f'WHOLE = claim("toy.whole", Level.{level}, follows_from=("toy.lost",))\n'
        assert audit_compositions(claims_of(module_of(GOOD + parts + whole))) == []
    mixed = 'WHOLE = claim("toy.whole", Level.FORMAL, follows_from=("toy.lost", "toy.product"))\n'
    (problem,) = audit_compositions(claims_of(module_of(GOOD + parts + mixed)))
    assert problem == "claim toy.whole: level FORMAL is stated, the lowest of its parts is PROVED"
