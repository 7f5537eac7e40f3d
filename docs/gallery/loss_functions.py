"""The three losses of the paper's first figure: rho, psi and phi, which is the weight before normalising."""

import rkde.fast as rk
from rkde.plotting import plot_losses

panels = plot_losses([rk.Quadratic(), rk.Huber(0.5), rk.Hampel(0.5, 0.8, 1.1)])
panels[0].figure.savefig("loss_functions.png", dpi=200)
