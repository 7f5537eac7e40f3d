"""A certificate for what cvc5 leaves open: a polynomial of nonnegative variables and coefficients.

The questions are those of `check_surrogate` where x lies on Hampel's first piece and r on the falling one:
can u(x; r) be below rho(x)? None of x, a - x, b - a, r - b and c - r is negative, and 2 r (c - b)
(u(x; r) - rho(x)) is a polynomial of these five without a negative coefficient, so it cannot. That a question
is one of these is decided by cvc5: it must entail every premise.
"""

from typing import Final

import sympy

from rkde.proofs_checks import pieces
from rkde.proofs_checks.cvc5_answers import PORTFOLIO, Ask

_SECONDS: Final = 2.0
# Premises are near to constraints: linearisation sees most of them at once.
_PORTFOLIO: Final = ({"nl-ext": "full"}, PORTFOLIO[0])
_VARIABLES: Final = frozenset({"a", "b", "c", "ramp", "r", "x", "phi"})
_SIZE: Final = "(ite (>= {0} 0.0) {0} (- {0}))"
# x and r as they are, and, where psi and rho are continued to negative arguments, by their sizes.
_WORDINGS: Final = (
    ("x", "r", "{psi}"),
    (_SIZE.format("x"), _SIZE.format("r"), "(ite (>= r 0.0) {psi} (- {psi}))"),
)


def no_negative_coefficient() -> bool:
    """Expand 2 r (c - b)(u(x; r) - rho(x)) in the slacks and look at its coefficients."""
    x, below_a, to_b, to_r, to_c = sympy.symbols("x a-x b-a r-b c-r", positive=True)
    a = x + below_a
    b, one = a + to_b, sympy.Integer(1)
    r = b + to_r
    c = r + to_c
    ramp = a / (c - b)
    at_x, at_r = (pieces.hampel(t, (a, b, c), ramp, one)[k] for t, k in ((x, 0), (r, 2)))
    surrogate = at_r.rho - r * at_r.psi / 2 + at_r.psi / r * x**2 / 2
    scaled = sympy.expand(sympy.cancel(2 * r * (c - b) * (surrogate - at_x.rho)))
    terms = sympy.Poly(scaled, x, below_a, to_b, to_r, to_c).terms()
    return all(not coefficient < 0 for _, coefficient in terms)


def _premises(wording: tuple[str, str, str]) -> list[str]:
    """Return what the certificate needs, and that u(x; r) is below rho(x)."""
    x, r, odd = wording
    psi = f"(* ramp (- c {r}))"
    twice_rho = f"(- (* a (- (+ b c) a)) (* {psi} (- c {r})))"
    twice_u = f"(+ (- {twice_rho} (* r {odd.format(psi=psi)})) (* phi x x))"
    order = [
        f"(<= 0.0 {x})",
        f"(<= {x} a)",
        "(<= a b)",
        f"(<= b {r})",
        f"(<= {r} c)",
        "(< b c)",
        f"(< 0.0 {r})",
    ]
    slopes = ["(= (* ramp (- c b)) a)", f"(= (* phi {r}) {psi})"]
    return [*order, *slopes, f"(< {twice_u} (* x x))"]


def certifies(smt2: str, ask: Ask) -> bool:
    """Tell whether the certificate shows that a question has no model."""
    declared = {line.split()[1] for line in smt2.splitlines() if line.startswith("(declare-fun")}
    return (
        declared == _VARIABLES
        and any(_entails_all(smt2, _premises(wording), ask) for wording in _WORDINGS)
        and no_negative_coefficient()
    )


def _entails_all(smt2: str, premises: list[str], ask: Ask) -> bool:
    """Tell whether the question entails every premise, and all but the last without its last constraint.

    A question without a model entails everything: without its last constraint it mostly has one, and what it
    does not entail is soon seen.
    """
    *others, last = premises
    open_ended = smt2[: smt2.rindex("(assert")]
    return all(_entails(open_ended, premise, ask) for premise in others) and _entails(
        smt2.replace("(check-sat)", ""), last, ask
    )


def _entails(constraints: str, premise: str, ask: Ask) -> bool:
    """Ask for a model of the constraints in which the premise is false."""
    return ask(f"{constraints}\n(assert (not {premise}))\n(check-sat)\n", _SECONDS, _PORTFOLIO) == "unsat"
