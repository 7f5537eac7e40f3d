"""Every planted fault is noticed by the checks named for it, and every claim has one that is."""

import importlib
import inspect
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import rkde.reference.losses
from rkde.proofs_checks import faults
from rkde.proofs_checks.claim import Level, checks_of, evidence_of
from rkde.proofs_checks.faults import Fault, replaced, restated, run_fault, wrong
from rkde.proofs_checks.faults.fault import fault_table, owner_of
from rkde.proofs_checks.faults.wrong import changed
from rkde.proofs_checks.pieces import Piece

FAULTS = faults.all_faults()
TABLES = sorted(Path(str(wrong.__file__)).parent.glob("*.toml"))


@pytest.mark.parametrize("lacking", [faults.uncovered, faults.unplanted, faults.one_sided])
def test_every_claim_and_check_has_its_faults_or_says_why_not(lacking: Callable[[], list[str]]) -> None:
    assert lacking() == []


def test_reasons_are_sentences_about_what_exists() -> None:
    claims = {claim.id: claim for claim in faults.all_claims()}
    named = {check for fault in FAULTS for check in fault.checks}
    for table in faults.fault_tables():
        for name, reason in (table.unplanted | table.one_sided).items():
            assert len(reason.split()) >= 5, name
        for name in table.unplanted:
            assert check_named(name) is not None
            assert name not in named
        for name in table.one_sided:
            assert claims[name].level is Level.TESTED


# The profile with the fewest draws, which `rkde verify` uses; in processes of their own, since a check has
# the profile under which its file was imported. With more draws: python -m rkde.proofs_checks.faults.
FAMILIES = sorted({name.partition(".")[0] for fault in FAULTS for name in fault.claims})
GROUPS = 6


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_planted_faults_are_noticed_with_the_fewest_draws(group: int) -> None:
    families = FAMILIES[group::GROUPS]
    command = [sys.executable, "-m", "rkde.proofs_checks.faults", *families, "--profile", "quick"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    count = sum(any(name.partition(".")[0] in families for name in fault.claims) for fault in FAULTS)
    assert f"{count} faults, 0 problems" in done.stdout


def test_what_a_fault_changes_is_there() -> None:
    for path in TABLES:
        checks = (path.parents[1] / f"check_{path.stem}.py").read_text("utf-8")
        for written in tomllib.loads(path.read_text("utf-8"))["faults"]:
            if "at" in written:
                owner_of(written["at"])
            else:
                assert checks.count(written["old"]) == 1, written["name"]


def test_each_fault_has_a_name_and_a_detector_for_each_claim_that_it_names() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    claims = {claim.id: claim for claim in faults.all_claims()}
    for fault in FAULTS:
        served = {item.claim.id for name in fault.checks for item in evidence_of(check_named(name))}
        for name in fault.claims:
            assert name in claims, f"{fault.name}: no claim {name}"
            assert name in served, f"{fault.name}: none of its checks is evidence for {name}"


def check_named(name: str) -> object:
    family, _, function = name.partition(".")
    return dict(checks_of(importlib.import_module(f"rkde.proofs_checks.check_{family}")))[function]


def test_every_proof_by_z3_is_refuted_in_a_mutated_form() -> None:
    named = {name for fault in FAULTS for name in fault.checks}
    families = sorted({claim.id.partition(".")[0] for claim in faults.all_claims()})
    for family in families:
        module = importlib.import_module(f"rkde.proofs_checks.check_{family}")
        for name, check in checks_of(module):
            decided = "has_model" in inspect.getsource(check)
            assert not decided or f"{family}.{name}" in named, f"{family}.{name}"


def test_exemptions_are_few_and_explained() -> None:
    exempt = [claim for claim in faults.all_claims() if claim.no_fault]
    assert 10 * len(exempt) <= len(faults.all_claims())


HARMLESS = Fault(
    name="nothing is wrong",
    claims=("surrogate.touches",),
    plant=restated("surrogate", "Roundings of u and of the difference", "Rounding of u and of a difference"),
    caught_by=("check_surrogate_touches",),
)


def test_a_fault_that_nothing_notices_is_told() -> None:
    outcome = run_fault(HARMLESS)
    assert outcome.complaints == {"surrogate.check_surrogate_touches": None}
    assert not outcome.caught


def test_no_fault_stays_in_a_file_of_checks_that_was_not_imported_before() -> None:
    name = "rkde.proofs_checks.check_limits"
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, name, raising=False)
        right = importlib.import_module("rkde.reference.solvers.kirwls").kirwls_step
        plant = replaced("rkde.reference.solvers.kirwls.kirwls_step", lambda _: lambda *_: ())
        check = ("check_phi_is_one_up_to_the_threshold",)
        run_fault(Fault("no weights", ("limits.huber_is_kde",), plant, check))
        assert sys.modules[name].kirwls_step is right


def test_a_fault_is_taken_out_again() -> None:
    module = importlib.import_module("rkde.proofs_checks.check_surrogate")
    right = rkde.reference.losses.Huber.rho
    plant = replaced("rkde.reference.losses.Huber.rho", lambda right: lambda *given: 0 * right(*given))
    run_fault(Fault("rho is 0", ("losses.huber_rho",), plant, ("check_huber_in_both_implementations",)))
    run_fault(HARMLESS)
    assert rkde.reference.losses.Huber.rho is right
    assert sys.modules["rkde.proofs_checks.check_surrogate"] is module


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        *((restated("surrogate", old, "x"), "contain the text once") for old in ("no such text", "is_zero")),
        *(
            (replaced(path, lambda right: right), "nothing is found")
            for path in ("rkde.fast.losses.robust.Huber.nothing", "rkde.nothing", "nowhere.at_all")
        ),
    ],
)
def test_what_a_fault_changes_must_be_there_once(plant: Callable[..., object], message: str) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(LookupError, match=message):
        plant(patch)


@pytest.mark.parametrize("mistake", ["", "at = 'a'", "old = 'a'\nnew = 'b'\nat = 'c'"])
def test_a_fault_is_planted_in_one_way(tmp_path: Path, mistake: str) -> None:
    table = tmp_path / "surrogate.toml"
    text = f"[[faults]]\nname = 'all wrong'\nclaims = []\ncaught_by = []\n{mistake}"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(LookupError, match="all wrong: a fault must have"):
        fault_table(table)


def test_every_maker_of_mistakes_is_used() -> None:
    written = "".join(path.read_text("utf-8") for path in TABLES)
    makers = [name for name, made in vars(wrong).items() if getattr(made, "__module__", "") == wrong.__name__]
    assert makers
    assert [name for name in makers if f"{name}(" not in written] == []


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(LookupError, match="no check"):
        faults.run_check("surrogate.check_no_such_thing")


def test_one_field_of_one_piece_is_changed() -> None:
    parts = [Piece(None, 1, 2, 3, 4), Piece(1, None, 5, 6, 7)]
    wrong = changed(lambda: parts, 1, psi=lambda part: part.psi + 1)()
    assert wrong == [Piece(None, 1, 2, 3, 4), Piece(1, None, 5, 7, 7)]
    assert parts[1].psi == 6


def test_a_function_is_replaced_wherever_it_is_held() -> None:
    module = importlib.import_module("rkde.proofs_checks.check_descent")
    right = module.kirwls_step
    with pytest.MonkeyPatch.context() as patch:
        replaced("rkde.reference.solvers.kirwls.kirwls_step", lambda _: print)(patch)
        assert importlib.import_module("rkde.reference.solvers.kirwls").kirwls_step is print
        assert module.kirwls_step is print
    assert module.kirwls_step is right
