"""The shipped vectors, read and checked once in a process: several files of tests ask for all of them."""

from functools import cache

from rkde.conformance import load_vectors, shipped_vectors
from rkde.conformance.vectors import Case


@cache
def shipped_cases() -> tuple[Case, ...]:
    """Return every case that is asked, in the order of the files."""
    return tuple(load_vectors(shipped_vectors()))
