"""What the experiments of section 6 measure."""

from rkde.reference.scoring.depth import depth
from rkde.reference.scoring.detection import RocCurve, auc, roc_curve
from rkde.reference.scoring.divergence import KlDivergence, kl_divergence
from rkde.reference.scoring.signed_rank import SignedRank, signed_rank

__all__ = [
    "KlDivergence",
    "RocCurve",
    "SignedRank",
    "auc",
    "depth",
    "kl_divergence",
    "roc_curve",
    "signed_rank",
]
