"""What a computation may use (memory and threads), and how it reports progress and warnings."""

from rkde.fast._resources.compute import (
    Compute,
    Engine,
    Limits,
    Resources,
    checked_resources,
)
from rkde.fast._resources.memory import available_memory, memory_budget, require, shown
from rkde.fast._resources.progress import (
    Progress,
    Report,
    Stage,
    display_for,
    duration,
    silent,
)
from rkde.fast._resources.summary import counted, summary_html, summary_text
from rkde.fast._resources.threads import in_parallel, stop_if_ended, worker_count
from rkde.fast._resources.warnings import warn

__all__ = [
    "Compute",
    "Engine",
    "Limits",
    "Progress",
    "Report",
    "Resources",
    "Stage",
    "available_memory",
    "checked_resources",
    "counted",
    "display_for",
    "duration",
    "in_parallel",
    "memory_budget",
    "require",
    "shown",
    "silent",
    "stop_if_ended",
    "summary_html",
    "summary_text",
    "warn",
    "worker_count",
]
