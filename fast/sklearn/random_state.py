"""scikit-learn's `random_state`, as a numpy generator; the global state is neither read nor changed."""

from __future__ import annotations

from typing import Final

import numpy as np

from rkde.errors import InvalidType
from rkde.fast._float64 import as_count

# Words of 32 bits: as many as numpy draws from the system for a fresh seed.
_SEED_WORDS: Final = 4
RandomState = int | np.random.RandomState | np.random.Generator | None


def generator_from(random_state: RandomState) -> np.random.Generator:
    """Return the source of randomness that a `random_state` stands for.

    Examples
    --------
    >>> first, again = generator_from(7), generator_from(7)
    >>> bool(first.random() == again.random())
    True
    """
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        words = random_state.randint(0, 2**32, size=_SEED_WORDS, dtype=np.uint32)
        return np.random.default_rng(words.tolist())
    try:
        return np.random.default_rng(as_count(random_state, where="random_state", minimum=0))
    except InvalidType:
        raise InvalidType(
            "must be a source of random numbers",
            where="random_state",
            value=random_state,
            remedy="pass a seed, a numpy.random.Generator, a numpy.random.RandomState, or None",
        ) from None
