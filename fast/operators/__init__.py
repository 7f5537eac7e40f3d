"""How the kernel matrix is applied to weights: one protocol, several engines, one chooser."""

from rkde.fast.operators.array_api import array_api_operator
from rkde.fast.operators.cells import CellsOperator
from rkde.fast.operators.checkpoint import checkpointed, digest_of
from rkde.fast.operators.choose import (
    EngineReport,
    choose_engine,
    engine_report,
    new_operator,
    operator_for,
    require_possible,
    weighted_operator,
)
from rkde.fast.operators.common import BLOCK_COPIES, largest_block, locations_of
from rkde.fast.operators.cutoff import DEFAULT_TRUNCATION, estimate_fill, tree_rows
from rkde.fast.operators.dense import DenseOperator
from rkde.fast.operators.linear_operator import ForeignOperator, as_linear_operator
from rkde.fast.operators.log_density import BLOCK_PAIRS, KernelMixture, log_densities, log_sum_exp
from rkde.fast.operators.protocol import EngineChoice, EngineName, Indices, KernelOperator
from rkde.fast.operators.sparse import NearOperator, SparseOperator, reach_of, require_sparse
from rkde.fast.operators.tiled import TiledOperator
from rkde.fast.operators.triangle import TriangleOperator

__all__ = [
    "BLOCK_COPIES",
    "BLOCK_PAIRS",
    "DEFAULT_TRUNCATION",
    "CellsOperator",
    "DenseOperator",
    "EngineChoice",
    "EngineName",
    "EngineReport",
    "ForeignOperator",
    "Indices",
    "KernelMixture",
    "KernelOperator",
    "NearOperator",
    "SparseOperator",
    "TiledOperator",
    "TriangleOperator",
    "array_api_operator",
    "as_linear_operator",
    "checkpointed",
    "choose_engine",
    "digest_of",
    "engine_report",
    "estimate_fill",
    "largest_block",
    "locations_of",
    "log_densities",
    "log_sum_exp",
    "new_operator",
    "operator_for",
    "reach_of",
    "require_possible",
    "require_sparse",
    "tree_rows",
    "weighted_operator",
]
