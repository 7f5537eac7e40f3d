"""The progress of a check, on standard error: a bar on a terminal, elsewhere a line every half minute."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rkde.cli.failures import complain

# A log is read later: lines are no closer than this.
PAUSE_SECONDS: Final = 30.0

# Takes how many are done, and of how many.
Advance = Callable[[int, int], None]


@contextmanager
def advancing(what: str) -> Iterator[Advance]:
    """Return the function to call with every advance of `what`, such as vectors."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield plain_lines(what)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def plain_lines(what: str, clock: Callable[[], float] = monotonic) -> Advance:
    """Return what writes a line where the last is half a minute old; a check that is short writes none."""
    last = clock()

    def advance(done: int, total: int) -> None:
        nonlocal last
        now = clock()
        if now - last >= PAUSE_SECONDS:
            last = now
            complain(f"{what}: {done} of {total}")

    return advance
