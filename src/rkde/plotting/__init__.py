"""Pictures of robust densities; needs the extra `plot` (matplotlib), imported when something is drawn.

Every function draws into the axes that it is given, or into new ones, and returns them. Colours can be told
apart with every kind of colour vision, and nothing is told by colour alone.

What is imported here under its own name is for other rooms; `__all__` is for users.
"""

from rkde.plotting.contours import plot_contours
from rkde.plotting.density import plot_density
from rkde.plotting.estimate import MOST_COLUMNS as MOST_COLUMNS
from rkde.plotting.estimate import plot_estimate
from rkde.plotting.estimate import title_of as title_of
from rkde.plotting.explanation import plot_explanation
from rkde.plotting.influence import plot_influence
from rkde.plotting.losses import plot_losses
from rkde.plotting.path import plot_path
from rkde.plotting.roc import plot_roc
from rkde.plotting.style import GREY as GREY
from rkde.plotting.style import LINES as LINES
from rkde.plotting.style import PAGE_WIDTH as PAGE_WIDTH
from rkde.plotting.style import require_matplotlib as require_matplotlib

__all__ = [
    "plot_contours",
    "plot_density",
    "plot_estimate",
    "plot_explanation",
    "plot_influence",
    "plot_losses",
    "plot_path",
    "plot_roc",
]
