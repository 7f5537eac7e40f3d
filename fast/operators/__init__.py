"""How the kernel matrix is applied to weights: one protocol, several engines, one chooser."""

from rkde.fast.operators.cells import CellsOperator
from rkde.fast.operators.choose import (
    EngineReport,
    choose_engine,
    engine_report,
    new_operator,
    operator_for,
    require_possible,
    weighted_operator,
)
from rkde.fast.operators.common import BLOCK_COPIES
from rkde.fast.operators.dense import DenseOperator
from rkde.fast.operators.linear_operator import ForeignOperator, as_linear_operator
from rkde.fast.operators.log_density import BLOCK_PAIRS, KernelMixture, log_densities, log_sum_exp
from rkde.fast.operators.protocol import EngineChoice, EngineName, Indices, KernelOperator
from rkde.fast.operators.sparse import SparseOperator
from rkde.fast.operators.tiled import TiledOperator

__all__ = [
    "BLOCK_COPIES",
    "BLOCK_PAIRS",
    "CellsOperator",
    "DenseOperator",
    "EngineChoice",
    "EngineName",
    "EngineReport",
    "ForeignOperator",
    "Indices",
    "KernelMixture",
    "KernelOperator",
    "SparseOperator",
    "TiledOperator",
    "as_linear_operator",
    "choose_engine",
    "engine_report",
    "log_densities",
    "log_sum_exp",
    "new_operator",
    "operator_for",
    "require_possible",
    "weighted_operator",
]
