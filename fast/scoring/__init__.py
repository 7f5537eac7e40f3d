"""What the experiments of section 6 measure, and scores and labels of rows."""

from rkde.fast.scoring.depth import depth
from rkde.fast.scoring.detection import RocCurve, auc, roc_curve
from rkde.fast.scoring.divergence import KlDivergence, kl_divergence
from rkde.fast.scoring.explanation import Explanation, explain
from rkde.fast.scoring.outliers import (
    labels_of,
    offset_at,
    read_contamination,
)
from rkde.fast.scoring.region import HighestDensityRegion, highest_density_region
from rkde.fast.scoring.signed_rank import SignedRank, signed_rank
from rkde.fast.scoring.tail import (
    SurprisalTail,
    discovery_offset,
    estimate_tail,
    false_discoveries,
    leave_one_out_log_density,
    surprisal_tail,
    tail_probabilities,
)

__all__ = [
    "Explanation",
    "HighestDensityRegion",
    "KlDivergence",
    "RocCurve",
    "SignedRank",
    "SurprisalTail",
    "auc",
    "depth",
    "discovery_offset",
    "estimate_tail",
    "explain",
    "false_discoveries",
    "highest_density_region",
    "kl_divergence",
    "labels_of",
    "leave_one_out_log_density",
    "offset_at",
    "read_contamination",
    "roc_curve",
    "signed_rank",
    "surprisal_tail",
    "tail_probabilities",
]
