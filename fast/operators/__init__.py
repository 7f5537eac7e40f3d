"""How the kernel matrix is applied to weights: for now as one dense matrix of squared feature distances."""

from rkde.fast.operators.dense import DenseOperator, operator_for

__all__ = ["DenseOperator", "operator_for"]
