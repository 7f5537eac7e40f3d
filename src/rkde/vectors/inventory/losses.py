"""Cases of `loss`: rho, psi, phi, q and q from the left, on every piece and at every kink."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import ABSOLUTE, QUADRATIC, hampel, huber
from rkde.vectors.inventory.model import Entry, Group

_ALL: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("quadratic", QUADRATIC),
    ("absolute", ABSOLUTE),
    ("huber", huber(0.5)),
    ("hampel", hampel(0.5, 0.75, 1.25)),
)

_GRID: Final = Group(
    "loss",
    "Every loss on a grid that meets each of its pieces.",
    tuple(
        Entry(f"grid-{name}", f"The {name} loss on a grid.", ("BASIC",), {"loss": loss})
        for name, loss in _ALL
    ),
    {"t": [0.1, 0.3, 0.45, 0.6, 0.7, 0.8, 1.0, 1.2, 1.3]},
)

_ZERO: Final = Group(
    "loss",
    "At distance 0: phi is 1, for the absolute loss infinite; q has no limit from the left.",
    tuple(Entry(f"zero-{name}", f"The {name} loss at 0.", ("EDGE",), {"loss": loss}) for name, loss in _ALL),
    {"t": [0]},
)

_FAR: Final = Group(
    "loss",
    "Far out, where Huber's phi is small and Hampel's is 0.",
    tuple(
        Entry(f"far-{name}", f"The {name} loss at 1e10.", ("EDGE",), {"loss": loss}) for name, loss in _ALL
    ),
    {"t": [1e10]},
)

_NEAR: Final = Group(
    "loss",
    "So near to 0 that t^2 underflows.",
    tuple(
        Entry(f"near-{name}", f"The {name} loss at 1e-170.", ("EDGE", "UNDERFLOW"), {"loss": loss, "t": [t]})
        for name, loss, t in (
            ("quadratic", QUADRATIC, 1e-150),
            ("absolute", ABSOLUTE, 1e-170),
            ("huber", huber(0.5), 1e-150),
            ("hampel", hampel(0.5, 0.75, 1.25), 1e-150),
        )
    ),
)

_ULP: Final = 2.0**-52

_KINKS: Final = Group(
    "loss",
    "At a kink and one unit in the last place on either side: q jumps, everything else is continuous.",
    (
        Entry(
            "kink-huber",
            "Huber at a.",
            ("EDGE",),
            {"loss": huber(1), "t": [1 - _ULP / 2, 1, 1 + _ULP]},
        ),
        Entry(
            "kink-hampel-a",
            "Hampel at a: from the identity to the flat piece.",
            ("EDGE",),
            {"loss": hampel(1, 2, 4), "t": [1 - _ULP / 2, 1, 1 + _ULP]},
        ),
        Entry(
            "kink-hampel-b",
            "Hampel at b: from the flat piece to the ramp.",
            ("EDGE",),
            {"loss": hampel(1, 2, 4), "t": [2 - _ULP, 2, 2 + 2 * _ULP]},
        ),
        Entry(
            "kink-hampel-c",
            "Hampel at c: the ramp ends at 0.",
            ("EDGE",),
            {"loss": hampel(1, 2, 4), "t": [3, 4 - 2 * _ULP, 4, 4 + 4 * _ULP]},
        ),
        Entry(
            "ramp-end",
            "The last 2^-14 of the ramp: psi and phi are small and have full relative accuracy.",
            ("EDGE", "CANCELLATION"),
            {"loss": hampel(1, 2, 4), "t": [4 - 2.0**-14]},
        ),
        Entry(
            "decimal-kinks",
            "Kinks that are no float64: the same decimal is the same number.",
            ("EDGE",),
            {"loss": hampel(0.1, 0.3, 0.7), "t": [0.1, 0.3, 0.7]},
        ),
        Entry(
            "no-plateau",
            "Hampel with a = b: at the kink the slope jumps from 1 to the ramp's.",
            ("EDGE",),
            {"loss": hampel(0.5, 0.5, 2), "t": [0.25, 0.5, 1, 1.5, 2, 3]},
        ),
        Entry(
            "steep-ramp",
            "A ramp of width 2^-14: q is large there.",
            ("EDGE",),
            {"loss": hampel(0.5, 1, 1 + 2.0**-14), "t": [0.75, 1, 1 + 2.0**-15, 1 + 2.0**-14]},
        ),
    ),
)

_REFUSED: Final = Group(
    "loss",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"t": [0.5], **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("negative-argument", "A negative distance.", {"loss": huber(1), "t": [0.5, -0.5]}),
            ("nan-argument", "A distance that is no number.", {"loss": QUADRATIC, "t": ["nan"]}),
            ("huber-zero", "A threshold of 0.", {"loss": huber(0)}),
            ("huber-negative", "A negative threshold.", {"loss": huber(-1)}),
            ("hampel-a-above-b", "Thresholds out of order.", {"loss": hampel(2, 1, 3)}),
            ("hampel-b-above-c", "Thresholds out of order.", {"loss": hampel(1, 3, 2)}),
            ("hampel-infinite", "An infinite threshold.", {"loss": hampel(1, 2, "inf")}),
            ("hampel-without-c", "A threshold is missing.", {"loss": {"name": "hampel", "a": 1, "b": 2}}),
            ("absolute-with-a", "A threshold too many.", {"loss": {"name": "absolute", "a": 1}}),
            ("unknown-loss", "A loss that the protocol does not have.", {"loss": {"name": "cauchy"}}),
        )
    ),
)  # fmt: skip

GROUPS: Final = (_GRID, _ZERO, _FAR, _NEAR, _KINKS, _REFUSED)
