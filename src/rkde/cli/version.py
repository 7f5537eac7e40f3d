"""`rkde version`: whatever can change the last digits of a result."""

import json
from dataclasses import asdict
from typing import Final

import click

from rkde.machine import Machine, describe_machine, pool_text

# The libraries that have lines of their own in the short form, which needs nothing else but the pools.
_ALWAYS: Final = ("numpy", "scipy", "mpmath")
_SHORT: Final = ("rkde", "python", "implementation", "system", "libraries", "pools")
_GIGABYTE: Final = 10**9
_EPILOG: Final = """\b
Examples:
  rkde version
  rkde version --machine
  rkde version --machine --json > machine.json"""


@click.command(epilog=_EPILOG)
@click.option(
    "--machine",
    is_flag=True,
    help="Add the processor, its instruction sets, memory, other libraries and settings, for a bug report.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of text.")
def version(*, machine: bool, as_json: bool) -> None:
    """Show the versions of rkde and of its numerical libraries.

    The output names no user, host or folder, so it can be published.
    """
    found = describe_machine()
    if as_json:
        click.echo(json.dumps(_fields(found, everything=machine), allow_nan=False))
    else:
        click.echo("\n".join([*_versions(found), *(_machine_lines(found) if machine else ())]))


def version_lines() -> list[str]:
    """Return the versions of the package, of Python and of the numerical libraries, one on each line.

    Result: the first line is ``rkde VERSION``; each thread pool (BLAS, OpenMP) follows with its threads.
    """
    return _versions(describe_machine())


def _versions(found: Machine) -> list[str]:
    libraries = [f"{name} {found.libraries[name]}" for name in _ALWAYS if name in found.libraries]
    pools = [pool_text(pool) for pool in found.pools] or ["BLAS: none that threadpoolctl knows"]
    return [
        f"rkde {found.rkde}",
        f"Python {found.python} ({found.implementation}, {found.system})",
        *libraries,
        *pools,
    ]


def _machine_lines(found: Machine) -> list[str]:
    others = [f"{name} {text}" for name, text in found.libraries.items() if name not in _ALWAYS]
    settings = [f"{name}={text}" for name, text in found.variables.items()]
    free, limit = found.memory_free / _GIGABYTE, found.memory_limit / _GIGABYTE
    return [
        f"other libraries: {', '.join(others) or 'none'}",
        f"processor: {found.processor}, {found.processors} usable",
        f"SIMD of numpy: needed {_listed(found.simd.baseline)}; found {_listed(found.simd.found)}; "
        f"not found {_listed(found.simd.not_found)}",
        f"memory: {free:.1f} GB free, of which a computation may take {limit:.1f} GB by default",
        f"settings: {', '.join(settings) or 'none'}",
    ]


def _listed(names: tuple[str, ...]) -> str:
    return " ".join(names) or "none"


def _fields(found: Machine, *, everything: bool) -> dict[str, object]:
    facts = asdict(found)
    if not everything:
        libraries = {name: text for name, text in found.libraries.items() if name in _ALWAYS}
        facts = {**{name: facts[name] for name in _SHORT}, "libraries": libraries}
    return {"format": "rkde-machine", "version": 1, **facts}
