"""Not in the paper: numbers of any precision, contexts, exact inputs, quantiles, and the extended reals."""

from rkde.reference.numbers.context import (
    Number,
    guarded,
    is_decimal,
    make_context,
    rounded,
    rounding_level,
    to_mpf,
)
from rkde.reference.numbers.extended_reals import (
    MINUS_INFINITY,
    PLUS_INFINITY,
    Extended,
    doubled_ranks,
    extended_numbers,
    magnitude,
)
from rkde.reference.numbers.inputs import (
    Matrix,
    Row,
    Rows,
    dimension,
    exact_value,
    nonnegative_count,
    normalised_weights,
    number_list,
    points,
    positive_number,
    queries,
    uniform_weights,
)
from rkde.reference.numbers.masses import Masses, row_masses, unit_masses
from rkde.reference.numbers.quantiles import QUANTILE_RULES, Ordered, check_rule_for

__all__ = [
    "MINUS_INFINITY",
    "PLUS_INFINITY",
    "QUANTILE_RULES",
    "Extended",
    "Masses",
    "Matrix",
    "Number",
    "Ordered",
    "Row",
    "Rows",
    "check_rule_for",
    "dimension",
    "doubled_ranks",
    "exact_value",
    "extended_numbers",
    "guarded",
    "is_decimal",
    "magnitude",
    "make_context",
    "nonnegative_count",
    "normalised_weights",
    "number_list",
    "points",
    "positive_number",
    "queries",
    "rounded",
    "rounding_level",
    "row_masses",
    "to_mpf",
    "uniform_weights",
    "unit_masses",
]
