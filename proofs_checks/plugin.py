"""The pytest plugin of the claims: collects ``check_*.py`` and stops on a claim without evidence.

Loaded by ``-p rkde.proofs_checks.plugin`` (the project's pytest options, and `run_claims`). A plugin and not
a conftest file, because pytest would import a conftest, and with it this package, under a second name.
"""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from rkde.proofs_checks import strategies
from rkde.proofs_checks.audit import audit_module
from rkde.proofs_checks.claim import CHECK_PREFIX, Claim, claims_of

PACKAGE: Final = "rkde.proofs_checks"
FOLDER: Final = Path(__file__).resolve().parent
_SEEN: Final = pytest.StashKey[dict[str, str]]()
# The claims of every file that was collected, those without a check of their own included.
COLLECTED: Final = pytest.StashKey[dict[str, Claim]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which `run_claims` names a profile."""
    parser.addoption(
        "--claims-profile", default=strategies.DEFAULT_PROFILE, help="profile of Hypothesis to load"
    )


@pytest.hookimpl(tryfirst=True)  # before Hypothesis looks for the profile that its own option names
def pytest_configure(config: pytest.Config) -> None:
    """Load a profile of Hypothesis, unless its own option names one."""
    config.stash[_SEEN] = {}
    config.stash[COLLECTED] = {}
    strategies.register_profiles()
    if not config.getoption("--hypothesis-profile", default=None):
        strategies.load_profile(str(config.getoption("--claims-profile")))


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect a file of claims by its canonical name; leave every other module to pytest."""
    if not module_path.name.startswith(CHECK_PREFIX):
        return None
    collected: pytest.Module = ClaimModule.from_parent(parent, path=module_path)
    return collected


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir | None:
    """Collect the folder of claims as a plain folder: as a package its `__init__` would be imported again."""
    if path.resolve() != FOLDER:
        return None
    collected: pytest.Dir = pytest.Dir.from_parent(parent, path=path)
    return collected


class ClaimModule(pytest.Module):
    """A file of claims: its functions ``check_*`` are the tests, and its claims must have evidence."""

    def funcnamefilter(self, name: str) -> bool:
        """Take functions named ``check_*``, whatever the configuration says."""
        return name.startswith(CHECK_PREFIX)

    def classnamefilter(self, name: str) -> bool:  # noqa: ARG002 - the signature is pytest's
        """Take no class."""
        return False

    def _getobj(self) -> ModuleType:
        if self.path.resolve().parent != FOLDER:
            # Another folder may have had a file of this name, and a second run needs a second import.
            sys.modules.pop(self.path.stem, None)
            module: ModuleType = super()._getobj()  # type: ignore[no-untyped-call]
        else:
            module = importlib.import_module(f"{PACKAGE}.{self.path.stem}")
        problems = audit_module(module) + self._used_elsewhere(module)
        if problems:
            raise self.CollectError("\n".join(problems))
        self.config.stash[COLLECTED].update({claim.id: claim for claim in claims_of(module)})
        return module

    def _used_elsewhere(self, module: ModuleType) -> list[str]:
        seen = self.config.stash[_SEEN]
        owners = [(claim.id, seen.setdefault(claim.id, module.__name__)) for claim in claims_of(module)]
        return [f"claim {name}: is also in {owner}" for name, owner in owners if owner != module.__name__]
