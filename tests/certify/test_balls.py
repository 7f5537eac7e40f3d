"""Balls, their decimals, and the message of a missing library."""

import subprocess
import sys
from fractions import Fraction

import pytest

from rkde.errors import InvalidInput
from rkde.reference import Gaussian
from tests.support.balls import certify, flint


def ends(ball: flint.arb) -> tuple[Fraction, Fraction]:
    """The exact ends of a ball."""
    mid, rad = (part.fmpq() for part in (ball.mid(), ball.rad()))
    middle, radius = (Fraction(int(part.p), int(part.q)) for part in (mid, rad))
    return middle - radius, middle + radius


@pytest.mark.parametrize("digits", [1, 5, 40])
@pytest.mark.parametrize(
    "ball",
    [
        flint.arb(0),
        flint.arb(1),
        flint.arb(0.1),
        flint.arb(-3, 0.25),
        flint.arb("1e-300", "1e-310"),
        flint.arb("1e300").sqrt(),
        flint.arb(0, 1e-30),
        flint.arb("0.35", "1e-20"),
        flint.arb(12345678),
        -flint.arb.pi(),
    ],
)
def test_decimals_contain_the_ball(ball: flint.arb, digits: int) -> None:
    shown = certify.decimal_ball(ball, digits)
    low, high = ends(ball)
    assert Fraction(shown.midpoint) - Fraction(shown.radius) <= low
    assert high <= Fraction(shown.midpoint) + Fraction(shown.radius)


def test_a_sharp_ball_has_sharp_decimals() -> None:
    with certify.working_bits(256):
        shown = certify.decimal_ball(flint.arb.pi())
    assert shown.midpoint == "3.141592653589793238462643383279502884197"
    assert Fraction(shown.radius) < Fraction("1e-39")


def test_exponents_beyond_any_float_are_written() -> None:
    shown = certify.decimal_ball(flint.arb(-(10**30)).exp(), 10)
    assert shown.midpoint.endswith("e-434294481903251827651128918917")
    assert certify.decimal_ball(flint.arb(3)).radius == "0"


def test_an_infinite_ball_has_no_decimals() -> None:
    with pytest.raises(InvalidInput):
        certify.decimal_ball(flint.arb.pos_inf())


@pytest.mark.parametrize("bits", [52, 0, -1, True, 64.0, "64"])
def test_precisions_that_are_refused(bits: object) -> None:
    with pytest.raises(InvalidInput, match="bits"):
        certify.working_bits(bits)


def test_the_precision_is_restored_after_a_failure() -> None:
    before = flint.ctx.prec
    with pytest.raises(InvalidInput):
        certify.certify_median([], Gaussian(1), bits=300)
    assert flint.ctx.prec == before


def test_roots_of_balls_that_reach_below_zero() -> None:
    root = certify.balls.square_root
    assert root(flint.arb(0)).is_zero()
    assert root(flint.arb(0, 4)).contains(2)
    assert root(flint.arb(0, 4)).contains(0)
    assert root(flint.arb(4)) == 2
    assert not root(flint.arb(-4)).is_finite()


def test_without_python_flint_the_error_says_what_to_install() -> None:
    program = "import sys; sys.modules['flint'] = None; import rkde.reference.certify"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert 'pip install "rkde[verify]"' in answer.stderr.splitlines()[-1]


def test_the_reference_does_not_need_python_flint() -> None:
    program = "import sys; sys.modules['flint'] = None; import rkde.reference; print(rkde.reference.__name__)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "rkde.reference"
