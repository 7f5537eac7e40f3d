"""Which environments the checks run in: versions of everything, and settings of one machine."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

# The names that OPENBLAS_CORETYPE understands, oldest first, by architecture (dynamic.c, dynamic_arm64.c and
# dynamic_power.c of OpenBLAS). What a build or a processor lacks is found out by trying.
KERNELS: Final = {
    "x86_64": (
        "Prescott", "Nehalem", "SandyBridge", "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids",
    ),
    "aarch64": (
        "ARMV8", "CORTEXA57", "THUNDERX2T99", "NEOVERSEN1", "NEOVERSEV1", "NEOVERSEN2", "ARMV8SVE", "A64FX",
    ),
    "ppc64le": ("POWER8", "POWER9", "POWER10"),
}  # fmt: skip
SAME_ARCHITECTURE: Final = {"AMD64": "x86_64", "arm64": "aarch64"}
# OpenBLAS uses one table of functions for both, and answers with the name of the older one.
OTHER_NAMES: Final = {"prescott": "katmai"}

Resolution = Literal["highest", "lowest-direct"]
Extras = Literal["", "test"]


@dataclass(frozen=True, slots=True)
class Versions:
    """What is installed: a Python by its minor version, dependencies from one end, with or without extras."""

    python: str
    resolution: Resolution = "highest"
    extras: Extras = "test"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a row changes of the machine; the defaults change nothing."""

    kernel: str = ""
    numpy_simd: bool = True
    glibc_simd: bool = True
    threads: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One environment, and whether `--short` runs it."""

    name: str
    versions: Versions
    settings: Settings = Settings()
    short: bool = False


def kernels(architecture: str) -> tuple[str, ...]:
    """Return the kernels of OpenBLAS for an architecture as `platform.machine` names it."""
    return KERNELS.get(SAME_ARCHITECTURE.get(architecture, architecture), ())


def rows(pythons: Sequence[str], main: str, known_kernels: Sequence[str]) -> list[Row]:
    """Return all rows, for minor versions and kernels that are at hand, oldest first."""
    here = Versions(main)
    others = [minor for minor in pythons if minor != main]
    plain = Settings(numpy_simd=False, glibc_simd=False)
    oldest = [Row("oldest-processor", here, replace(plain, kernel=known_kernels[0]))] if known_kernels else []
    return [
        Row("newest", here),
        Row("lowest", Versions(pythons[0], "lowest-direct"), short=True),
        *(Row(f"python-{minor}", Versions(minor), short=minor == pythons[-1]) for minor in others),
        Row("bare", Versions(main, extras="")),
        Row("without-simd", here, plain, short=True),
        Row("numpy-without-simd", here, Settings(numpy_simd=False)),
        Row("glibc-without-fma", here, Settings(glibc_simd=False)),
        *oldest,
        *(Row(f"openblas-{kernel.lower()}", here, Settings(kernel)) for kernel in known_kernels),
        *(Row(f"threads-{count}", here, Settings(threads=count)) for count in (1, 2)),
    ]
