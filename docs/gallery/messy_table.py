"""The table of the tutorial: three columns of different units, with four bad rows among 285.

The circle of each row has the area of its weight, and crosses are rows without weight: the four bad ones, and
one at the edge of the good ones. The cross beside the contours of height and mass is a row of which each
column is ordinary by itself.
"""

import numpy as np

import rkde

rng = np.random.default_rng(7)
height = rng.normal(172, 9, 300)
mass = 72 + 0.9 * (height - 172) + rng.normal(0, 6, 300)
pulse = rng.normal(68, 8, 300)
table = np.column_stack([height, mass, pulse]).round(1)
# What no measurement is: a missing pulse, a slip of the decimal point, rows of two people in one.
table[5::20, 2] = -999
table[[40, 77, 160]] = [17.2, 70, 64], [170, 690, 70], [169, 66, 310]
table[250] = 187, 53, 66

model = rkde.fit(table[table[:, 2] != -999])
figure = model.plot(names=("height", "mass", "pulse"), units=("cm", "kg", "1/min"))
figure.savefig("messy_table.png", dpi=200)
