"""Planted faults: mistakes that the checks of a claim must notice.

A check that passes whatever the code says proves nothing. So every claim names, here, at least one mistake
that its checks catch: a wrong constant, sign, index or bound. ``python -m rkde.proofs_checks.faults`` plants
each one, prints what caught it, and ends with 1 if something went unnoticed or a claim has no fault.

How to add faults
-----------------
One table ``faults/<family>.toml`` beside ``check_<family>.py``::

    [[faults]]
    name = "the witness has a rho that jumps at 2"
    claims = ["weights.representer_as_printed"]
    old = '("0", "1/2", "3/2")'
    new = '("0", "1/2", "1")'
    caught_by = ["check_the_witness_is_a_loss"]

`name` is the mistake in one line and unique. `claims` are the claims (of one family or several) whose checks
must notice; `caught_by` names the checks that do, each of which must fail, and of which each claim must own
one (by its `evidence` marks). A name without a dot belongs to the family of the first claim; another family's
check is written ``family.check_name``. Parametrised checks run with their parameters in turn until one
notices; checks under Hypothesis run deterministically on few examples, without shrinking. `claims` and
`caught_by` at the head of a table hold for the faults that have none of their own.

A fault is planted in one of two ways:

`old` and `new`
    for proofs by sympy, z3 or exact numbers, where the statement stands in the check itself: the file of
    checks is compiled again with `old`, which must occur exactly once, replaced by `new`. Change the
    statement (a coefficient, an exponent, a sign, an inequality), never the word `assert` or an expected
    truth value: a mutated theorem must be refuted, which is the point.
`at` and `wrong`
    for checks that run code: the object at the dotted path `at`, a method
    (``rkde.reference.losses.Hampel.rho``) or a function
    (``rkde.reference.rkhs.elements.residual_norms``), is replaced in every module that holds it. `wrong` is
    a Python expression for what takes its place; in it the right object is `right`, and the makers of
    ``faults/wrong.py`` can be called: ``lambda *given: 2 * right(*given)``, or, for a loss in pieces,
    ``changed(right, 3, rho=lambda part: part.rho + part.rho)``. Plant faults in the reference, the fast
    code, or a helper such as ``rkde.proofs_checks.pieces.hampel``.

A fault counts as noticed by an `AssertionError`, an `RkdeError` or a failure of `pytest.raises`; any other
exception is a broken fault. Faults must be plausible, and cheap: well below a second with their checks.

Exempt are OPEN claims, and those whose field `no_fault` says why (a number quoted from a printed table).

Two more tables may stand at the end of a file. `unplanted` gives, for a check as ``family.check_name`` that
no fault names, the reason. `one_sided` gives, for a TESTED claim, why one of the two packages has nothing to
break; every other TESTED claim has at least one fault in ``rkde.fast`` and one in ``rkde.reference``.
"""

from rkde.proofs_checks.faults.fault import (
    Fault,
    FaultKind,
    FaultTable,
    Plant,
    fault_tables,
    replaced,
    restated,
)
from rkde.proofs_checks.faults.run import (
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
    "FaultTable",
    "Outcome",
    "Plant",
    "all_claims",
    "all_faults",
    "fault_tables",
    "one_sided",
    "replaced",
    "restated",
    "run_check",
    "run_fault",
    "uncovered",
    "unplanted",
]
