"""How far a computation is, and the function that is told so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Stage = Literal["matrix", "product", "median", "kirwls", "score"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a computation is.

    Attributes
    ----------
    stage : {"matrix", "product", "median", "kirwls", "score"}
        What is going on: the kernel matrix is built, or multiplied for the first time where none is stored;
        f_med is sought, KIRWLS runs for the loss, queries are scored.
    done : int
        Rows, steps or queries so far.
    total : int or None
        How many there are; None for steps, whose number nobody knows beforehand.
    objective : float or None
        J after the last step.
    """

    stage: Stage
    done: int
    total: int | None = None
    objective: float | None = None


Report = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Tell nothing."""
