"""A test that is wrong on purpose: it asks for the bits that ``python last_bit.py`` recorded."""

import json
import math
import sys
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).with_name("recorded.json")
# Long enough that each way to add up rounds differently somewhere.
LENGTH = 257


def bits() -> list[str]:
    """Return products, sums, exponentials and logarithms, to the last bit."""
    vectors = np.random.default_rng(2012).standard_normal((8, LENGTH))
    products = vectors @ vectors.T
    exponentials = np.exp(vectors[0])
    logarithms = [math.log(value) for value in exponentials]
    return [float(value).hex() for value in (*products.ravel(), *exponentials, *logarithms)]


def test_the_bits_are_those_that_were_recorded() -> None:
    assert bits() == json.loads(RECORDED.read_text("ascii"))


if __name__ == "__main__":
    sys.exit(RECORDED.write_text(json.dumps(bits()), "ascii") == 0)
