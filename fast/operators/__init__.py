"""How the kernel matrix is applied to weights: one protocol, several engines, one chooser."""

from rkde.fast.operators.chooser import choose_engine, operator_for, require_possible
from rkde.fast.operators.dense import DenseOperator
from rkde.fast.operators.foreign import ForeignOperator, as_linear_operator
from rkde.fast.operators.protocol import EngineChoice, KernelOperator
from rkde.fast.operators.sparse import SparseOperator
from rkde.fast.operators.tiled import TiledOperator

__all__ = [
    "DenseOperator",
    "EngineChoice",
    "ForeignOperator",
    "KernelOperator",
    "SparseOperator",
    "TiledOperator",
    "as_linear_operator",
    "choose_engine",
    "operator_for",
    "require_possible",
]
