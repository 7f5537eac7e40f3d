"""`rkde adapter`: answer the line protocol on standard input and output."""

import sys

import click

from rkde.adapter import DEFAULT_DIGITS, fast_implementation, reference_implementation, serve

_EXAMPLE = """\b
One JSON object is read per line, and one answer is written per line, in the same order:
  printf '{"id": 1, "op": "hello", "protocol": 1}\\n' | rkde adapter"""


@click.command(epilog=_EXAMPLE)
@click.option(
    "--implementation",
    type=click.Choice(["fast", "reference"]),
    default="fast",
    show_default=True,
    help="What computes the answers: float64 code, or the reference at any precision.",
)
@click.option(
    "--digits",
    type=click.IntRange(min=1),
    default=DEFAULT_DIGITS,
    show_default=True,
    help="Decimal digits of the reference; has no effect on fast.",
)
def adapter(implementation: str, digits: int) -> None:
    """Answer requests on standard input until it ends.

    A request that breaks the protocol is answered with an error, and the adapter continues.
    """
    lib = fast_implementation() if implementation == "fast" else reference_implementation(digits)
    serve(lib, sys.stdin.buffer, sys.stdout.buffer)
