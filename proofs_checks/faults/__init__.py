"""Planted faults: mistakes that the checks of a claim must notice.

A check that passes whatever the code says proves nothing. So every claim names, here, at least one mistake
that its checks catch: a wrong constant, sign, index or bound. ``python -m rkde.proofs_checks.faults`` plants
each one, prints what caught it, and ends with 1 if something went unnoticed or a claim has no fault.

How to add faults
-----------------
One file ``faults/<family>.py`` beside ``check_<family>.py``, which holds a tuple `FAULTS`::

    from rkde.proofs_checks.faults import Fault, replaced, restated

    FAULTS: Final = (
        Fault(
            name="Hampel's rho ends at a (b + c - a)",
            claims=("losses.hampel_rho",),
            plant=restated("losses", "top = a * (b + c - a) / 2", "top = a * (b + c - a)"),
            caught_by=("check_hampel_psi_is_the_derivative",),
        ),
    )

`name` is the mistake in one line and unique. `claims` are the claims (of one family or several) whose checks
must notice; `caught_by` names the checks that do, each of which must fail, and of which each claim must own
one (by its `evidence` marks). A name without a dot belongs to the family of the first claim; another family's
check is written ``family.check_name``. Parametrised checks run with their parameters in turn until one
notices; checks under Hypothesis run deterministically on few examples, without shrinking.

`plant` breaks something through a `pytest.MonkeyPatch`. Three makers cover nearly all:

``restated(family, old, new)``
    for proofs by sympy, z3 or exact numbers, where the statement stands in the check itself: the file of
    checks is compiled again with `old`, which must occur exactly once, replaced by `new`. Change the
    statement (a coefficient, an exponent, a sign, an inequality), never the word `assert` or an expected
    truth value: a mutated theorem must be refuted, which is the point.
``replaced(path, make)``
    for checks that run code: the object at the dotted `path`, a method
    (``rkde.reference.losses.Hampel.rho``) or a function
    (``rkde.reference.rkhs.elements.residual_norms``), is replaced by ``make(right)`` in every module that
    holds it. `make` takes the right object and returns the wrong one. Plant faults in the reference, the
    fast code, or a helper such as ``rkde.proofs_checks.pieces.hampel``.

``replaced("rkde.proofs_checks.pieces.hampel", changed(3, rho=lambda part: part.rho + part.rho))``
    for proofs about Huber's and Hampel's pieces: a field of one piece is wrong.

A fault counts as noticed by an `AssertionError`, an `RkdeError` or a failure of `pytest.raises`; any other
exception is a broken fault. Faults must be plausible, and cheap: well below a second with their checks.

Exempt are OPEN claims, and those whose field `no_fault` says why (a number quoted from a printed table).

Two more constants may stand in a file of faults. `UNPLANTED` gives, for a check as ``family.check_name`` that
no fault names, the reason. `ONE_SIDED` gives, for a TESTED claim, why one of the two packages has nothing to
break; every other TESTED claim has at least one fault in ``rkde.fast`` and one in ``rkde.reference``.
"""

from rkde.proofs_checks.faults._fault import Fault, FaultKind, Plant, changed, replaced, restated
from rkde.proofs_checks.faults._run import (
    Outcome,
    all_claims,
    all_faults,
    one_sided,
    run_check,
    run_fault,
    uncovered,
    unplanted,
)

__all__ = [
    "Fault",
    "FaultKind",
    "Outcome",
    "Plant",
    "all_claims",
    "all_faults",
    "changed",
    "one_sided",
    "replaced",
    "restated",
    "run_check",
    "run_fault",
    "uncovered",
    "unplanted",
]
