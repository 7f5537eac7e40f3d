"""Errors planted in the Coq files: each file that carries a claim has one, reported for what it is."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from rkde.errors import RkdeError
from rkde.proofs_checks.formal import coq, definitions, record, sources

REFUSED: Final = "coqc refuses"
STATED: Final = "does not state what is recorded"
DEFINED: Final = "is not defined as is recorded"
NOT_ALLOWED: Final = "which is not among the allowed axioms"
UNUSABLE = coq.unusable()


@dataclass(frozen=True, slots=True)
class Planted:
    """An error: its file, what is replaced in it, and what must be reported."""

    file: str
    right: str
    wrong: str
    reported: str
    shown_by: str = ""  # the file that shows the error, if it is another one
    proof: str = ""  # of the next statement


def empty(file: str, head: str, rest: str) -> Planted:
    """Return the error of a premise that nothing satisfies, behind a theorem's head: it then says nothing."""
    return Planted(file, head + rest, f"{head}False -> {rest}", STATED, proof="intros [].")


# Constants, signs and relations; a proof of another statement is refused.
STATEMENTS: Final = (
    ("binary64.v", "u binary64 = / 2 ^ 53 /\\", "u binary64 = / 2 ^ 54 /\\"),
    ("compact.v", "(pick k < pick (S k))%nat", "(pick (S k) < pick k)%nat"),
    ("contaminated.v", "s * rho L (sqrt 2 * tau) /\\", "s * rho L tau /\\"),
    ("descent.v", "J f - J (T f) >= mean_phi f / 2 *", "J f - J (T f) >= mean_phi f *"),
    ("gateaux.v", "* - dot (sub p (along g h t)) h)", "* dot (sub p (along g h t)) h)"),
    ("hessian.v", "/ residual P f i ^ 3 in", "/ residual P f i ^ 2 in"),
    ("iterates.v", "2 * (rho L x - J g) / x ^ 2 <= mean_phi g", "4 * (rho L x - J g) / x ^ 2 <= mean_phi g"),
    ("jacobian.v", "= t ^ 2 * dphi.", "= - (t ^ 2 * dphi)."),
    ("losses.v", "rho (Huber a) 0 = 0.", "rho (Huber a) 0 = 1."),
    ("losses_assumptions.v", "phi_Lipschitz (Huber a) (/ a).", "phi_Lipschitz (Huber a) a."),
    ("losses_phi.v", "- (a * c / (c - b)) else 0", "- (a * c / (c - a)) else 0"),
    ("losses_smooth.v", "phi L y < phi L x.", "phi L x < phi L y."),
    ("median.v", "/ 2 <= mass_here n P m p ->", "/ 4 <= mass_here n P m p ->"),
    ("ranks.v", "<-> T <= 25.", "<-> T <= 26."),
    ("residuals.v", "norm (sub (P i) f) <= sqrt 2 * tau.", "norm (sub (P i) f) <= tau."),
    ("rising_phi.v", "= / (w 0%nat / w 1%nat) ^ 2)", "= / (w 0%nat / w 1%nat) ^ 3)"),
    ("rounded_norms_binary64.v", "2 ^ 25)%Z", "2 ^ 27)%Z"),
    ("rounded_sums.v", "growth u (terms t - 1) * size t /\\", "growth u (terms t - 2) * size t /\\"),
    (
        "lipschitz.v",
        "c g h, simplex n m -> 0 < a -> a <= b -> b < c ->\n",
        "c g h, simplex n m -> 0 < a -> a <= b ->\n",
    ),
    ("saddle.v", "p <= 27 / 100 /\\ let", "p <= 24 / 100 /\\ let"),
    ("slopes.v", "(- d * dot (sub u (scale s h)) h", "(d * dot (sub u (scale s h)) h"),
    ("surrogate.v", "rho L x <= u L x r.", "u L x r <= rho L x."),
    ("surrogate_losses.v", "/\\ rho L 2 = 4.", "/\\ rho L 2 = 1."),
    ("theorem_5.v", "\\sum_i alpha i 0 = - alpha_new.", "\\sum_i alpha i 0 = alpha_new."),
    ("theorem_5_matrix.v", "= gamma ^+ (n - #|active|) *", "= gamma ^+ n *"),
)
# Hypotheses that are dropped, or become weaker; a proof without them is refused.
HYPOTHESES: Final = (
    ("binary64_factor.v", "< 2 ^ 53)%Z -> factor k", "<= 2 ^ 53)%Z -> factor k"),
    ("binary64_mean.v", " -> (Z.of_nat (terms t) <= 2 ^ 53)%Z ->\n", " ->\n"),
    ("convergence.v", "P i <> P j -> P i <> P k -> P j <> P k ->\n", "P i <> P j -> P i <> P k ->\n"),
    ("convexity.v", "rho_strictly_convex L -> rho_rises L -> strictly", "rho_strictly_convex L -> strictly"),
    ("corollary.v", "phi_falls L -> strictly_convex J -> simplex n w", "strictly_convex J -> simplex n w"),
    ("features.v", "positive_definite 3 P -> g <> h ->", "positive_definite 3 P ->"),
    ("existence.v", "rho_strictly_rises L -> minimiser J g", "rho_rises L -> minimiser J g"),
    ("hampel.v", "b < c -> c + tau <= norm g ->", "b < c ->"),
    ("huber_limits.v", "-> sqrt 2 * tau <= a ->", "-> tau <= a ->"),
    ("huber_median.v", "-> a <= residual P f i) ->", "-> 0 <= residual P f i) ->"),
    ("two_rows.v", "0 < a -> 2 * a < norm", "0 < a -> a < norm"),
    ("lemma_2.v", "(3 <= n)%nat -> positive", "(2 <= n)%nat -> positive"),
    ("lemma_4_proof.v", "b2 <> 0 -> a1 <> 0 -> a3 <> 0 ->", "b2 <> 0 -> a3 <> 0 ->"),
    ("simplex_weights.v", "rho L x <= rho L y) -> A2 L ->", "rho L x <= rho L y) ->"),
    ("theorem_1_as_printed.v", "dot Phi h = 0 -> 0 < norm h <= 1 ->", "dot Phi h = 0 -> norm h <= 1 ->"),
    ("theorem_3.v", "A1 L -> A3 L -> phi_falls L ->", "A1 L -> phi_falls L ->"),
    ("theorem_5.v", "gamma != 0 -> \\sum_i w i 0 = 1 ->\n", "gamma != 0 ->\n"),
    ("theorem_5.v", "gamma != 0 -> \\sum_i w i 0 = 1 ->\n", "\\sum_i w i 0 = 1 ->\n"),
)
PLANTED: Final = (
    *(Planted(*error, REFUSED) for error in (*STATEMENTS, *HYPOTHESES)),
    # A record and a definition that statements use.
    Planted(
        "arithmetic.v",
        "0 <= x -> 0 <= rnd x\n}",
        "0 <= x -> 0 <= rnd x;\n  no_unit : u < 0\n}",
        DEFINED,
        "rounded_sums.v",
    ),
    Planted("rounded_products.v", "nat := (n + (b - 1)) / b.", "nat := S ((n + (b - 1)) / b).", DEFINED),
    Planted("finite_support.v", "Qed.", "Admitted.", "uses Admitted"),
    Planted("no_solution.v", "Local Open Scope", "Axiom trust : 1 = 2.\nLocal Open Scope", "uses Axiom"),
    Planted(
        "surrogate.v",
        "Lemma phi_times L r : 0 < r -> phi L r * r = psi L r.",
        "Hypothesis phi_times : forall L r, 0 < r -> phi L r * r = psi L r.\nLemma unused : True.",
        NOT_ALLOWED,
        proof="exact I.",
    ),
    # Theorems that say nothing any more, and are proved.
    empty("equal_masses.v", "Theorem theorem_2_equal_masses f c w : ", "psi_is_slope L"),
    empty("sufficient.v", "Theorem theorem_2 f c w : ", "psi_is_slope L"),
    empty("two_minima.v", "Theorem two_minimisers :\n  ", "(exists"),
)


def with_error(error: Planted) -> str:
    """Return a file's text with an error."""
    before, _, after = (sources.FOLDER / error.file).read_text(encoding="utf-8").partition(error.right)
    assert after, f"{error.file} does not say {error.right!r}"
    if error.proof:
        stated, _, rest = after.partition("Proof.")
        after = f"{stated}Proof. {error.proof} Qed.{rest.partition('Qed.')[2]}"
    return before + error.wrong + after


def test_each_file_that_carries_a_claim_has_an_error() -> None:
    carrying = {each.file for each in sources.theorems() if each.whole}
    assert carrying <= {error.shown_by or error.file for error in PLANTED}


def reports(error: Planted, folder: Path, kept: Path) -> list[str]:
    """Return what the command reports of a file with an error; what it needs is compiled in `kept`."""
    shown = error.shown_by or error.file
    needed = (*sources.needed(sources.FOLDER)[shown], shown)
    store = folder / "store"
    store.mkdir()
    for name in needed:
        shutil.copyfile(sources.FOLDER / name, folder / name)
        for part in (kept / name).with_suffix(".vo"), (kept / name).with_suffix(".key"):
            shutil.copyfile(part, store / part.name)
    (folder / error.file).write_text(with_error(error), encoding="utf-8")
    listed = [each for each in sources.theorems() if each.file in needed]
    mine = [each for each in listed if each.file == shown]
    if wrong := sources.audit(folder, listed):
        return wrong
    try:
        coq.compile_files(folder, store)
    except RkdeError as refusal:
        return [str(refusal)]
    recorded = record.shipped()
    found = replace(
        recorded,
        statements={**recorded.statements, **coq.statements_of(folder, mine, store)},
        definitions={**recorded.definitions, **definitions.definitions_of(folder, mine, store)},
    )
    axioms = coq.axioms_of(mine, store) if error.reported is NOT_ALLOWED else {}
    return record.differences(recorded, found) + coq.forbidden(axioms)


@pytest.fixture(scope="module")
def kept(request: pytest.FixtureRequest) -> Path:
    """Return where the files are compiled as they are; from one run to the next only changes are compiled."""
    folder = request.config.cache.mkdir("formal-proofs")
    coq.compile_files(sources.FOLDER, folder)
    return folder


@pytest.mark.slow
@pytest.mark.skipif(bool(UNUSABLE), reason=UNUSABLE)
def test_each_planted_error_is_reported_for_what_it_is(kept: Path, tmp_path: Path) -> None:
    def look(numbered: tuple[int, Planted]) -> list[str]:
        number, error = numbered
        folder = tmp_path / str(number)
        folder.mkdir()
        return reports(error, folder, kept)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        said = list(workers.map(look, enumerate(PLANTED)))
    for error, reported in zip(PLANTED, said, strict=True):
        assert any(error.reported in report for report in reported), (error.file, error.wrong, reported)


def test_an_error_that_is_not_planted_is_a_mistake_of_the_table() -> None:
    with pytest.raises(AssertionError, match="does not say"):
        with_error(Planted("ranks.v", "T <= 24", "T <= 25", REFUSED))
