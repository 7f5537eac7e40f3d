"""What the last digits of a result can depend on: versions, BLAS, SIMD, threads and the settings of each."""

import os
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, cast

from rkde import __version__

# The distributions that compute, generate examples or judge; mpmath uses gmpy2 where it is installed.
LIBRARIES: Final = (
    "numpy", "scipy", "mpmath", "gmpy2", "python-flint", "sympy", "z3-solver", "threadpoolctl",
    "scikit-learn", "matplotlib", "hypothesis", "pytest", "jsonschema",
)  # fmt: skip
# The variables that choose between implementations of one operation, or set the number of threads.
VARIABLES: Final = (
    "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
    "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "GLIBC_TUNABLES",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThreadPool:
    """One thread pool that numpy or scipy has loaded.

    Attributes
    ----------
    use : str
        ``blas`` or ``openmp``.
    library : str
        Such as ``openblas``; `version` is empty where it is unknown.
    version : str
        Version of the library.
    threads : int
        The number of threads that it would use now.
    threading : str
        How it makes threads; empty where that is unknown.
    kernel : str
        The family of processors whose code it runs; empty where that is unknown.
    file : str
        The last two parts of the path of the library.
    """

    use: str
    library: str
    version: str
    threads: int
    threading: str
    kernel: str
    file: str


@dataclass(frozen=True, slots=True)
class Simd:
    """The instruction sets of the processor that numpy needs, uses, and was built for but does not use."""

    baseline: tuple[str, ...]
    found: tuple[str, ...]
    not_found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything outside of the data that can change the last digits of a result, or its time.

    Attributes
    ----------
    rkde, python, implementation : str
        The version of this package; version and implementation of Python.
    system : str
        The operating system, its architecture and C library.
    processor : str
        The name of the processor, as far as the system tells it.
    processors : int
        The number of processors that this process may use.
    libraries : dict of str to str
        Versions of the installed ones of `LIBRARIES`.
    pools : tuple of ThreadPool
        The BLAS libraries of numpy and scipy, and other thread pools.
    simd : Simd
        Instruction sets, by numpy's names.
    memory_free, memory_limit : int
        Bytes that this process can still allocate, and the limit of a computation that is given none.
    variables : dict of str to str
        The variables of the environment among `VARIABLES` that are set.
    """

    rkde: str
    python: str
    implementation: str
    system: str
    processor: str
    processors: int
    libraries: dict[str, str]
    pools: tuple[ThreadPool, ...]
    simd: Simd
    memory_free: int
    memory_limit: int
    variables: dict[str, str]


def describe_machine() -> Machine:
    """Look at this process and what it runs on.

    Result: loads numpy and scipy, since a BLAS that is not loaded cannot be asked. Names no user and no host.

    Examples
    --------
    >>> describe_machine().python.count(".")
    2
    """
    from rkde.fast._resources import available_memory, memory_budget

    return Machine(
        rkde=__version__,
        python=platform.python_version(),
        implementation=platform.python_implementation(),
        system=_system(),
        processor=processor_name(),
        processors=_usable_processors(),
        libraries={name: found for name in LIBRARIES if (found := _version(name))},
        pools=_pools(),
        simd=_simd(),
        memory_free=available_memory(),
        memory_limit=memory_budget(None),
        variables={name: os.environ[name] for name in VARIABLES if name in os.environ},
    )


def machine_facts() -> dict[str, object]:
    """Return `describe_machine()` as a dictionary for JSON.

    Result: the fields of `Machine`, with dictionaries and lists in place of records and tuples; where numpy
    is missing, as in the checker that is one file, only those that need no library.

    Examples
    --------
    >>> sorted(machine_facts()["simd"])
    ['baseline', 'found', 'not_found']
    """
    try:
        return asdict(describe_machine())
    except ModuleNotFoundError:
        return {
            "rkde": __version__,
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "system": _system(),
            "processor": processor_name(),
            "processors": _usable_processors(),
        }


def processor_name() -> str:
    """Return the name of the processor, as far as the system tells it.

    Result: without a name, the architecture.
    """
    described = Path("/proc/cpuinfo")
    lines = described.read_text("utf-8").splitlines() if described.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def texts(found: Machine) -> dict[str, str]:
    """Return what can change a digit as one text by kind, to be stored beside a result.

    Result: free memory is left out: it differs from run to run and changes no digit.

    Examples
    --------
    >>> list(texts(describe_machine()))
    ['system', 'processor', 'pools', 'simd', 'settings']
    """
    return {
        "system": found.system,
        "processor": f"{found.processor} ({found.processors} usable)",
        "pools": "; ".join(pool_text(pool) for pool in found.pools) or "none known",
        "simd": " ".join(found.simd.found) or "baseline only",
        "settings": " ".join(f"{name}={value}" for name, value in found.variables.items()) or "none",
    }


def pool_text(pool: ThreadPool) -> str:
    """Return one line about a thread pool.

    Examples
    --------
    >>> pool_text(ThreadPool("blas", "openblas", "0.3.30", 2, "pthreads", "Haswell", "lib/blas.so"))
    'BLAS: openblas 0.3.30, threads: 2, pthreads, Haswell, lib/blas.so'
    """
    name = f"{pool.library} {pool.version or '(version unknown)'}"
    parts = [name, f"threads: {pool.threads}", pool.threading, pool.kernel, pool.file]
    return f"{pool.use.upper()}: {', '.join(part for part in parts if part)}"


def _system() -> str:
    """Leave out the release of a Linux kernel: it changes no result and may name the machine."""
    if platform.system() != "Linux":
        return platform.platform(terse=True)
    library = " ".join(part for part in platform.libc_ver() if part)
    return ", ".join(part for part in (f"Linux {platform.machine()}", library) if part)


def _usable_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _pools() -> tuple[ThreadPool, ...]:
    import numpy as np  # noqa: F401 (loads its BLAS)
    import scipy.linalg  # noqa: F401 (loads the BLAS of scipy, which need not be numpy's)
    from threadpoolctl import threadpool_info

    pools = [
        ThreadPool(
            use=pool["user_api"],
            library=pool["internal_api"],
            version=pool["version"] or "",
            threads=pool["num_threads"],
            threading=pool.get("threading_layer") or "",
            kernel=pool.get("architecture") or "",
            file="/".join(Path(pool["filepath"]).parts[-2:]),
        )
        for pool in threadpool_info()
    ]
    # threadpoolctl lists them in an order that changes from process to process.
    return tuple(sorted(pools, key=lambda pool: pool.file))


def _simd() -> Simd:
    import numpy as np

    # numpy leaves out a list that would be empty.
    found = cast(dict[str, list[str]], np.show_config(mode="dicts").get("SIMD Extensions", {}))
    return Simd(*(tuple(found.get(name, ())) for name in ("baseline", "found", "not found")))
