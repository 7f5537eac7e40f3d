"""What tests share: implementations, one copy of each module (the plugin brings the Hypothesis profiles)."""

import sys
from collections.abc import Iterable, Iterator

import pytest

from tests.support.implementations import CANDIDATES, EVERY, Implementation

SECOND_COPIES = frozenset({"reference", "fast", "proofs_checks"})


def second_copies(module_names: Iterable[str]) -> set[str]:
    """Return the modules that were imported by the name of their folder instead of their package's."""
    return {name for name in module_names if name.partition(".")[0] in SECOND_COPIES}


@pytest.fixture(scope="session", autouse=True)
def _one_copy_of_each_module() -> Iterator[None]:
    # Run from the root of the checkout, `import fast` works and makes a module that is not rkde.fast: two
    # classes of one name, and an isinstance that answers no. After the last test, none may have appeared.
    yield
    assert not second_copies(list(sys.modules))


@pytest.fixture(params=CANDIDATES, ids=repr, scope="module")
def candidate(request: pytest.FixtureRequest) -> Implementation:
    """Each implementation that is judged against the reference."""
    return request.param


@pytest.fixture(params=EVERY, ids=repr, scope="module")
def implementation(request: pytest.FixtureRequest) -> Implementation:
    """Each implementation, the reference included."""
    return request.param
