"""Every tolerance of the project, each derived from a count of roundings.

The model is the usual one: a float64 operation returns the exact result times 1 + delta with |delta| <= u,
u = 2^-53, and m such factors together are 1 + theta with |theta| <= sum_bound(m). Numbers that two
implementations receive as input carry no error. Bounds are first order where their text says so.
Only the standard library is used, so neither implementation can leak into its own yardstick.

One file for each tier, each resting on those before it: `roundings`, `densities`, `steps`, `influence`,
`statistics`. This module offers all their bounds.
"""

from rkde.proofs_checks.tolerances.densities import *  # noqa: F403
from rkde.proofs_checks.tolerances.influence import *  # noqa: F403
from rkde.proofs_checks.tolerances.roundings import *  # noqa: F403
from rkde.proofs_checks.tolerances.statistics import *  # noqa: F403
from rkde.proofs_checks.tolerances.steps import *  # noqa: F403
