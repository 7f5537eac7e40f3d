"""Planted faults of the claims about singular systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults import _influence as planted

FAMILY: Final = "influence_singular"
HAMPEL: Final = (f"{FAMILY}.hampel",)
CONVEX: Final = (f"{FAMILY}.convex",)
SOLVABLE: Final = (f"{FAMILY}.always_solvable",)


def _three(**fields: Any) -> Any:
    return replaced("rkde.proofs_checks.singular_points.THREE", lambda right: replace(right, **fields))


FAULTS: Final = (
    Fault(
        name="the witness has a slope of 1 where it should be flat",
        claims=SOLVABLE,
        plant=restated(FAMILY, "(1 + (2 * t - 1) ** 3) / 2, sympy", "(1 + (2 * t - 1)) / 2, sympy"),
        caught_by=("check_strictly_convex_without_a_solution",),
    ),
    Fault(
        name="the right side weighs x' as if it were as far from both rows",
        claims=SOLVABLE,
        plant=restated(FAMILY, "[[first], [second]]", "[[first], [first]]"),
        caught_by=("check_strictly_convex_without_a_solution",),
    ),
    Fault(
        name="the singular threshold is a millionth larger",
        claims=HAMPEL,
        plant=_three(centre="1.49071377865008"),
        caught_by=("check_eigenvalue_changes_sign",),
    ),
    Fault(
        name="Hampel's ramp starts beyond the outer residuals",
        claims=HAMPEL,
        plant=_three(kinks=("0.6", "0.83")),
        caught_by=("check_uniform_weights_lead_there",),
    ),
    Fault(
        name="x' is as far from one outer row as from the other",
        claims=HAMPEL,
        plant=restated(FAMILY, 'of.seen_from("-1", state)', 'of.seen_from("0", state)'),
        caught_by=("check_influence_exceeds_every_bound",),
    ),
    Fault(
        name="the lower weights are symmetric",
        claims=HAMPEL,
        plant=replaced(
            "rkde.proofs_checks.singular_points.LOWER", lambda _: ("0.306475", "0.38705", "0.306475")
        ),
        caught_by=("check_a_lower_minimum_exists",),
    ),
    Fault(
        name="the singular system's threshold is rounded to six digits",
        claims=HAMPEL,
        plant=restated(FAMILY, '_NEAREST: Final = "1.490712778650082"', '_NEAREST: Final = "1.49071"'),
        caught_by=("check_singular_system_is_refused",),
    ),
    Fault(
        name="four rows with a c at which their symmetric point is a saddle",
        claims=(f"{FAMILY}.at_the_minimiser",),
        plant=replaced("rkde.proofs_checks.singular_points.FOUR", lambda right: replace(right, centre="1.4")),
        caught_by=("check_no_start_ends_below_the_singular_point",),
    ),
    Fault(
        name="psi' counts against the form of a row",
        claims=CONVEX,
        plant=restated(FAMILY, "- psi(r).diff(r) * along**2)", "+ psi(r).diff(r) * along**2)"),
        caught_by=("check_form_of_a_row",),
    ),
    Fault(
        name="two points of a line on a sphere are enough",
        claims=CONVEX,
        plant=restated(FAMILY, "z3.Distinct(*steps))", "steps[0] != steps[1])"),
        caught_by=("check_a_line_meets_a_sphere_twice",),
    ),
    Fault(
        name="Q is q/r^2 where the solution for a convex loss is inserted, reference",
        claims=CONVEX,
        plant=planted.q_without_a_power("reference"),
        caught_by=("check_solution_solves_the_equation",),
    ),
    Fault(
        name="Q is q/r^2 where the solution for a convex loss is inserted, fast",
        claims=CONVEX,
        plant=planted.q_without_a_power("fast"),
        caught_by=("check_solution_solves_the_equation",),
    ),
    Fault(
        name="alpha' counts the rows twice",
        claims=CONVEX,
        plant=planted.alpha_new_changed("reference", lambda new, size: new * size),
        caught_by=("check_solution_solves_the_equation",),
    ),
    Fault(
        name="two far rows are solved for as if q were 0",
        claims=CONVEX,
        plant=planted.q_ignored("fast"),
        caught_by=("check_two_rows_beyond_a", "check_solution_solves_the_equation"),
    ),
)
