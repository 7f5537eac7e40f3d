"""Float64 arithmetic: reading numbers and tables, rounding, distances, and small numerical methods."""

from rkde.fast._float64.distances import (
    ScaledRows,
    exact_separations,
    log_separations,
    scale_rows,
    scaled_square,
    separations,
    split_bandwidth,
)
from rkde.fast._float64.exponential import SATURATION, neg_expm1
from rkde.fast._float64.extended_reals import as_extended, doubled_ranks
from rkde.fast._float64.inputs import (
    Floats,
    TableLike,
    as_arguments,
    as_count,
    as_number,
    as_positive,
    as_queries,
    as_table,
    as_vector,
    as_weights,
    check_column_names,
    column_names,
    read_only,
)
from rkde.fast._float64.krylov import conjugate_gradients, largest_eigenvalue
from rkde.fast._float64.log_constants import LOG_TWO_PI, laplacian_log_constant, student_log_constant
from rkde.fast._float64.minimise import Ordered, ordered, smallest_minimiser
from rkde.fast._float64.neighbours import DistinctRows, distinct_rows, nearest_distances
from rkde.fast._float64.quantiles import (
    OrderStatistic,
    linear_quantile,
    quantile_terms,
    value_at_position,
    weighted_quantile,
)
from rkde.fast._float64.rounding import (
    ENTRY_ROUNDINGS,
    TINY,
    UNIT_ROUNDOFF,
    Matrix,
    Vector,
    accurate_sum,
    blocked_product,
    product_factor,
    sum_factor,
)
from rkde.fast._float64.sample_weight import MOST_COPIES, SampleWeight, read_sample_weight
from rkde.fast._float64.tabulate import at_many

__all__ = [
    "ENTRY_ROUNDINGS",
    "LOG_TWO_PI",
    "MOST_COPIES",
    "SATURATION",
    "TINY",
    "UNIT_ROUNDOFF",
    "DistinctRows",
    "Floats",
    "Matrix",
    "OrderStatistic",
    "Ordered",
    "SampleWeight",
    "ScaledRows",
    "TableLike",
    "Vector",
    "accurate_sum",
    "as_arguments",
    "as_count",
    "as_extended",
    "as_number",
    "as_positive",
    "as_queries",
    "as_table",
    "as_vector",
    "as_weights",
    "at_many",
    "blocked_product",
    "check_column_names",
    "column_names",
    "conjugate_gradients",
    "distinct_rows",
    "doubled_ranks",
    "exact_separations",
    "laplacian_log_constant",
    "largest_eigenvalue",
    "linear_quantile",
    "log_separations",
    "nearest_distances",
    "neg_expm1",
    "ordered",
    "product_factor",
    "quantile_terms",
    "read_only",
    "read_sample_weight",
    "scale_rows",
    "scaled_square",
    "separations",
    "smallest_minimiser",
    "split_bandwidth",
    "student_log_constant",
    "sum_factor",
    "value_at_position",
    "weighted_quantile",
]
