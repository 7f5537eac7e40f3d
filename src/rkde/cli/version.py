"""What `rkde --version` says: whatever can change the last digits of a result."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path


def version_lines() -> list[str]:
    """Return the versions of the package, of Python and of the numerical libraries, one a line.

    Returns
    -------
    list of str
        The first line is ``rkde VERSION``; each thread pool (BLAS, OpenMP) follows with its threads.
    """
    import numpy as np
    import scipy
    import scipy.linalg  # loads the BLAS of scipy, which need not be numpy's
    from threadpoolctl import threadpool_info

    from rkde import __version__

    machine = f"{platform.python_implementation()}, {platform.platform(terse=True)}"
    lines = [
        f"rkde {__version__}",
        f"Python {platform.python_version()} ({machine})",
        f"numpy {np.__version__}",
        f"scipy {scipy.__version__}",
        f"mpmath {version('mpmath')}",
    ]
    pools = threadpool_info()
    if not pools:
        lines.append("BLAS: none that threadpoolctl knows")
    for pool in pools:
        file = Path(pool["filepath"])
        details = [
            f"{pool['internal_api']} {pool['version'] or '(version unknown)'}",
            f"threads: {pool['num_threads']}",
            *filter(None, (pool.get("threading_layer"), pool.get("architecture"))),
            f"{file.parent.name}/{file.name}",
        ]
        lines.append(f"{pool['user_api'].upper()}: {', '.join(details)}")
    return lines
