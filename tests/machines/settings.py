"""Variables that make the settings of a row, and proof that they had their effect."""

import json
import signal
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.machines.rows import OTHER_NAMES, Settings
from tests.machines.running import run
from tests.machines.workshop import NoEnvironmentError, clean_variables

PROBE: Final = Path(__file__).with_name("probe.py")
CORETYPE: Final = "OPENBLAS_CORETYPE"
# The names of glibc 2.33 and later, and those of earlier ones; unknown names are ignored.
WITHOUT_FMA: Final = (
    "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX512F_Usable"
)
SECONDS: Final = 120


class SkipError(Exception):
    """A row says nothing on this machine, and why."""


def probe(python: Path, variables: Mapping[str, str]) -> dict[str, Any]:
    """Use the linear algebra of an environment and return what it found; a signal is a reason to skip."""
    return dict(_probe(python, tuple(sorted(variables.items()))))


@cache
def _probe(python: Path, variables: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    environment = {**clean_variables(), **dict(variables)}
    done = run([python, "-P", PROBE], PROBE.parent, environment, SECONDS)
    if done.code is not None and done.code < 0:
        raise SkipError(f"the processor cannot execute it ({signal.Signals(-done.code).name})")
    if done.code != 0:
        raise NoEnvironmentError(done.last_lines)
    found: dict[str, Any] = json.loads(done.output)
    return found


def variables_of(settings: Settings, python: Path, *, own_kernel: bool = False) -> dict[str, str]:
    """Return the variables of a row, tried in its environment; those without an effect are a skip."""
    before = clean_variables()
    if settings.kernel and CORETYPE in before and not own_kernel:
        raise SkipError(f"{CORETYPE} is {before[CORETYPE]} already; --override-coretype overrides it")
    plain = probe(python, {})
    found: dict[str, str] = {}
    if settings.kernel:
        found[CORETYPE] = settings.kernel
    if not settings.numpy_simd:
        features = plain["machine"]["simd"]["found"]
        if not features:
            raise SkipError("numpy uses no instruction set here that could be switched off")
        found["NPY_DISABLE_CPU_FEATURES"] = " ".join(features)
    if not settings.glibc_simd:
        found["GLIBC_TUNABLES"] = ":".join(filter(None, (before.get("GLIBC_TUNABLES"), WITHOUT_FMA)))
    if settings.threads:
        found |= {name: str(settings.threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
    if found:
        _check(settings, plain, probe(python, found))
    return found


def kernels_of(probed: Mapping[str, Any]) -> set[str]:
    """Return the kernels that the OpenBLAS libraries of a process take."""
    pools = probed["machine"]["pools"]
    return {pool["kernel"] for pool in pools if pool["library"] == "openblas"}


def _check(settings: Settings, plain: Mapping[str, Any], changed: Mapping[str, Any]) -> None:
    """Refuse settings that had no effect: their row would show nothing."""
    if settings.kernel:
        taken, asked = kernels_of(changed), settings.kernel.lower()
        if not taken:
            raise SkipError("no OpenBLAS is used")
        if {name.lower() for name in taken} != {OTHER_NAMES.get(asked, asked)}:
            raise SkipError(f"OpenBLAS takes {' and '.join(sorted(taken))} instead")
        if taken == kernels_of(plain) and settings == Settings(settings.kernel):
            raise SkipError("it is the kernel that is taken without a setting: see the row newest")
    if not settings.numpy_simd and changed["machine"]["simd"]["found"]:
        raise SkipError("numpy's instruction sets cannot be switched off")
    if not settings.glibc_simd and changed["library_bits"] == plain["library_bits"]:
        raise SkipError("the setting changes no digit of the C library's functions here")
    if settings.threads:
        counts = [{pool["threads"] for pool in one["machine"]["pools"]} for one in (plain, changed)]
        if counts[1] != {settings.threads}:
            raise SkipError("the libraries take another number of threads")
        if counts[0] == counts[1]:
            raise SkipError("it is the number of threads without a setting: see the row newest")
