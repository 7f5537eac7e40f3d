"""What the experiments of section 6 measure, and how unlikely rows are."""

from rkde.reference.scoring.depth import depth
from rkde.reference.scoring.detection import RocCurve, auc, roc_curve
from rkde.reference.scoring.divergence import KlDivergence, kl_divergence
from rkde.reference.scoring.explanation import Explanation, explain
from rkde.reference.scoring.signed_rank import SignedRank, signed_rank
from rkde.reference.scoring.tail import SurprisalTail, false_discoveries, surprisal_tail

__all__ = [
    "Explanation",
    "KlDivergence",
    "RocCurve",
    "SignedRank",
    "SurprisalTail",
    "auc",
    "depth",
    "explain",
    "false_discoveries",
    "kl_divergence",
    "roc_curve",
    "signed_rank",
    "surprisal_tail",
]
