"""What a command may use of the machine: options for memory and threads, the same for every command."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final

import click


@dataclass(frozen=True, slots=True)
class Allowance:
    """Memory as text for `rkde.fast`, None for half of what is free; threads, None for their own setting."""

    memory_limit: str | None
    threads: int | None


_threads_option: Final = click.option(
    "--threads",
    type=click.IntRange(min=1),
    help="Maximum number of threads.  [default: the libraries' own setting]",
)
_memory_option: Final = click.option(
    "--memory-limit",
    metavar="SIZE",
    help="Maximum memory to use, such as 4GB.  [default: half of the free memory]",
)


def resource_options(function: Callable[..., object]) -> Callable[..., object]:
    """Add --memory-limit and --threads; the command takes them as one argument `allowance`."""

    @_memory_option
    @_threads_option
    @wraps(function)
    def collected(memory_limit: str | None, threads: int | None, **others: object) -> object:
        return function(allowance=Allowance(memory_limit, threads), **others)

    return collected
