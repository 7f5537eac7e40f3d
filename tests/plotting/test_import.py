"""The package of pictures is light to import, and says what to install where matplotlib is missing."""

import subprocess
import sys

import pytest

from rkde.fast import Gaussian, Quadratic, Student

HIDDEN = "import sys; sys.modules['matplotlib'] = None; import rkde.plotting as p; from rkde.fast import *; "
CALLS = {
    "density": "p.plot_density([[0.0]], Gaussian(1), [1])",
    "contours": "p.plot_contours([[0.0, 0.0]], Gaussian(1), [1])",
    "losses": "p.plot_losses(Huber(1))",
    "path": "p.plot_path([1.0])",
    "influence": "p.plot_influence([[0.0], [1.0]], Gaussian(1), 2.0, {'KDE': Quadratic()})",
}


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)


def test_importing_draws_nothing_in() -> None:
    code = "import sys, rkde.plotting; assert not {'numpy', 'matplotlib', 'rkde.fast'} & set(sys.modules)"
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_without_matplotlib_every_picture_says_what_to_install() -> None:
    attempts = "".join(
        f"\ntry:\n    {call}\nexcept ModuleNotFoundError as error:\n    print({name!r}, error.name, error)"
        for name, call in CALLS.items()
    )
    done = run(HIDDEN + attempts)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [[name, "matplotlib"] for name in CALLS]
    assert all(line.endswith('run: python -m pip install "rkde[plot]"') for line in lines)


def test_new_figures_come_from_pyplot() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from matplotlib import pyplot as plt

    from rkde.plotting import plot_density, plot_losses

    before = plt.get_fignums()
    axes = plot_density([[0.0], [1.0]], Gaussian(1.0), [0.5, 0.5])
    panels = plot_losses(Quadratic())
    assert len(plt.get_fignums()) == len(before) + 2
    assert len({panel.figure for panel in panels}) == 1
    plt.close(axes.figure)
    plt.close(panels[0].figure)


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Student(0.7, 1.5)])
def test_the_marginal_of_a_kernel_is_the_kernel_of_fewer_columns(kernel: Gaussian | Student) -> None:
    """What pictures of some columns of a model rest on: integrating a coordinate out keeps the kernel."""
    import numpy as np
    from scipy.integrate import quad

    for x in (0.0, 0.5, 3.0):
        value, error = quad(
            lambda y, x=x: float(np.exp(kernel.log_kernel([0.0, 0.0], [[x, y]])[0])), -np.inf, np.inf
        )
        direct = float(np.exp(kernel.log_kernel([0.0], [[x]])[0]))
        assert abs(value - direct) <= error
