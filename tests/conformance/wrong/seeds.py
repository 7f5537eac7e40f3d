"""The planted mistakes, one function each; most were found in published programs, some in the paper's print.

To add one: write a function that breaks the copy of the example that it is given, and list it in the `SEEDS`
of its module with the name of the pattern that the diagnosis must name, or without one if no pattern could.
"""

from typing import Final

from tests.conformance.wrong import kernels, losses, recipe, statistics, steps, tuning

SEEDS: Final = (*kernels.SEEDS, *losses.SEEDS, *steps.SEEDS, *tuning.SEEDS, *recipe.SEEDS, *statistics.SEEDS)
