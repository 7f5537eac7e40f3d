"""Why two rows of the tutorial's table stand out: the surprise of each cell, given the others of its row."""

import numpy as np

import rkde

rng = np.random.default_rng(7)
height = rng.normal(172, 9, 300)
mass = 72 + 0.9 * (height - 172) + rng.normal(0, 6, 300)
pulse = rng.normal(68, 8, 300)
table = np.column_stack([height, mass, pulse]).round(1)
table[[40, 77, 160]] = [17.2, 70, 64], [170, 690, 70], [169, 66, 310]
table[250] = 187, 53, 66
kept = np.arange(300) % 20 != 5  # the rows without a pulse

model = rkde.fit(table[kept])
numbers = np.flatnonzero(kept)
why = rkde.explain(model, rows=[int(np.flatnonzero(numbers == row)[0]) for row in (250, 160)])
figure = why.plot(names=("height", "mass", "pulse"), labels=("p250", "p160"))
figure.savefig("surprises.png", dpi=200)
