"""Cases of `kernel`: log k(x, y) with the right normaliser, near and far, in 1 to 1000 dimensions."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import OFFSET, gaussian, laplacian, lattice, student
from rkde.vectors.inventory.model import Entry, Group

_ALL: Final[tuple[tuple[str, dict[str, object], tuple[str, ...]], ...]] = (
    ("gaussian", gaussian(0.7), ("BASIC",)),
    ("laplacian", laplacian(0.7), ("BASIC",)),
    ("student-1", student(0.7, 1), ("BASIC",)),
    ("student-5", student(0.7, 5), ("BASIC", "MISPRINT")),
    ("student-2-5", student(1.3, 2.5), ("BASIC", "MISPRINT")),
)


def _dimension(dim: int) -> Group:
    points = lattice(4, dim)
    return Group(
        "kernel",
        f"Every kernel in {dim} dimensions, at distance 0 and at three others.",
        tuple(
            Entry(f"d{dim}-{name}", f"{name} in {dim} dimensions.", flags, {"kernel": kernel})
            for name, kernel, flags in _ALL
        ),
        {"x": list(points[0]), "Y": list(map(list, points))},
    )


_FAR_TAIL: Final = Group(
    "kernel",
    "So far out that the kernel itself is 0 in float64.",
    (
        Entry("far-gaussian", "log k near -1e12.", ("UNDERFLOW",), {"kernel": gaussian(0.7)}),
        Entry("far-laplacian", "log k near -1e6.", ("UNDERFLOW",), {"kernel": laplacian(0.7)}),
        Entry(
            "far-student", "The heavy tail does not underflow.", ("UNDERFLOW",), {"kernel": student(0.7, 3)}
        ),
    ),
    {"x": [0.25, -0.5], "Y": [[40.0, 30.0], [1e3, -1e3], [1e6, 1e6]]},
)

_SCALES: Final = Group(
    "kernel",
    "Bandwidth and coordinates far from 1, by the same power of ten.",
    tuple(
        Entry(
            f"scale-{label}-{name}",
            f"{name} at a scale of {scale:.0e}: squares leave float64, quotients do not.",
            ("EDGE",),
            {
                "kernel": {**kernel, "bandwidth": scale},
                "x": [0.0, 0.0],
                "Y": [[scale, 0.0], [scale, -3 * scale]],
            },
        )
        for label, scale in (("tiny", 1e-200), ("small", 1e-8), ("large", 1e8), ("huge", 1e200))
        for name, kernel, _ in (_ALL[0], _ALL[1], _ALL[3])
    ),
)

_SPECIAL: Final = Group(
    "kernel",
    "Ends of the range of the arguments.",
    (
        Entry(
            "offset-gaussian",
            "An offset of 1e8 changes nothing: the differences are exact.",
            ("CANCELLATION",),
            {
                "kernel": gaussian(0.5),
                "x": [OFFSET + 0.125, OFFSET],
                "Y": [[OFFSET + 0.75, OFFSET - 0.5], [OFFSET + 0.125, OFFSET + 0.25]],
            },
        ),
        Entry(
            "close-gaussian",
            "A distance of 2^-40: log k differs from its value at 0 far below the last digit.",
            ("EDGE",),
            {"kernel": gaussian(0.5), "x": [0.0], "Y": [[2.0**-40], [0.0]]},
        ),
        Entry(
            "dof-small",
            "Half a degree of freedom.",
            ("EDGE", "MISPRINT"),
            {"kernel": student(1.0, 0.5), "x": [0.0, 0.0], "Y": [[0.0, 0.0], [1.0, 2.0], [1e5, 0.0]]},
        ),
        Entry(
            "dof-large",
            "A million degrees of freedom: nearly Gaussian; the difference of log gammas must not cancel.",
            ("EDGE", "MISPRINT", "CANCELLATION"),
            {"kernel": student(1.0, 1000000), "x": [0.0, 0.0], "Y": [[0.0, 0.0], [1.0, 2.0]]},
        ),
        Entry(
            "no-rows",
            "No row, no answer, no error.",
            ("EDGE",),
            {"kernel": gaussian(1), "x": [0.0, 0.0], "Y": []},
        ),
        Entry(
            "integers",
            "Integers are numbers too.",
            ("BASIC",),
            {"kernel": gaussian(2), "x": [1, 2, 3], "Y": [[4, 5, 6], [1, 2, 3]]},
        ),
    ),
)

_ACCEPTED: Final[dict[str, object]] = {"kernel": gaussian(1), "x": [0.0], "Y": [[1.0]]}
_REFUSED: Final = Group(
    "kernel",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {**_ACCEPTED, **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("bandwidth-zero", "A bandwidth of 0.", {"kernel": gaussian(0)}),
            ("bandwidth-negative", "A negative bandwidth.", {"kernel": gaussian(-1.5)}),
            ("bandwidth-nan", "A bandwidth that is no number.", {"kernel": laplacian("nan")}),
            ("bandwidth-infinite", "An infinite bandwidth.", {"kernel": laplacian("inf")}),
            ("dof-zero", "No degrees of freedom.", {"kernel": student(1, 0)}),
            ("dof-missing", "Student needs them.", {"kernel": {"name": "student", "bandwidth": 1}}),
            ("dof-unwanted", "Degrees of freedom for a Gaussian.", {"kernel": {**gaussian(1), "dof": 3}}),
            ("unknown-kernel", "No kernel of the protocol.", {"kernel": {**gaussian(1), "name": "box"}}),
            ("columns-differ", "A row with one column more than x.", {"Y": [[1.0, 2.0]]}),
            ("ragged", "Rows of different lengths.", {"Y": [[1.0], [1.0, 2.0]]}),
            ("nan-point", "A coordinate that is no number.", {"x": ["nan"]}),
            ("infinite-point", "An infinite coordinate.", {"Y": [["inf"]]}),
        )
    ),
)  # fmt: skip

GROUPS: Final = (*(_dimension(dim) for dim in (1, 2, 3, 10, 1000)), _FAR_TAIL, _SCALES, _SPECIAL, _REFUSED)
