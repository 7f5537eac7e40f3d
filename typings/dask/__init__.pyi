"""What rkde uses of dask.

Used by type checkers only.
"""

from . import config as config
