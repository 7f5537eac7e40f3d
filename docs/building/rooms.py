"""Draw the import structure of rkde.fast: `python docs/building/rooms.py OUT.png FOLDER [FOLDER ...]`.

One panel for each folder that holds the sources of the package, at one revision or several. A room is a
folder, or a file that belongs to none; its height is its floor, one above the highest room that it imports,
and a line leads from a room down to each room that it imports.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator
from PIL import Image

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.meta.import_graph import circles, imports, modules  # noqa: E402

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PACKAGE: Final = "rkde.fast"
BLUE, GREY, RED = "#0072b2", "#999999", "#d55e00"
# Rooms up to which their names are readable in a panel.
MOST_NAMES: Final = 20
COLOURS: Final = 32


def room_graph(folder: Path) -> dict[str, set[str]]:
    """Return for each room of a package the rooms that it imports."""
    files = modules(folder, PACKAGE)
    below: dict[str, set[str]] = {_room(name): set() for name in files}
    for one in imports(files):
        below[_room(one.importer)].add(_room(one.module))
    below.pop("", None)
    return {room: {other for other in others if other not in ("", room)} for room, others in below.items()}


def _room(module: str) -> str:
    return module.removeprefix(PACKAGE).lstrip(".").partition(".")[0]


def floors(below: dict[str, set[str]]) -> dict[str, int]:
    """Return the floor of each room, 1 at the ground; the rooms of a circle stand on one floor."""
    group = {room: room for room in below}
    for circle in circles((room, other) for room, others in below.items() for other in others):
        group.update(dict.fromkeys(circle, circle[0]))
    height: dict[str, int] = {}

    def height_of(name: str) -> int:
        if name not in height:
            members = [room for room in below if group[room] == name]
            lower = {group[other] for room in members for other in below[room]} - {name}
            height[name] = 1 + max(map(height_of, lower), default=0)
        return height[name]

    return {room: height_of(group[room]) for room in below}


def draw(axes: Axes, below: dict[str, set[str]], title: str) -> None:
    """Draw one panel."""
    height = floors(below)
    in_circle = {room for circle in circles((r, o) for r, os in below.items() for o in os) for room in circle}
    by_floor: dict[int, list[str]] = defaultdict(list)
    for room in sorted(below):
        by_floor[height[room]].append(room)
    place = {
        room: ((index + 1) / (len(rooms) + 1), floor)
        for floor, rooms in by_floor.items()
        for index, room in enumerate(rooms)
    }
    for room, others in below.items():
        for other in others:
            axes.annotate(
                "",
                place[other],
                place[room],
                arrowprops={"arrowstyle": "-", "color": GREY, "lw": 0.6, "alpha": 0.6},
            )
    named = len(below) <= MOST_NAMES
    for room, (x, y) in place.items():
        colour = RED if room in in_circle else BLUE
        if not named:
            axes.plot(x, y, "o", color=colour, markersize=4, zorder=3)
            continue
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7, "zorder": 3}
        axes.text(x, y, room, bbox={"boxstyle": "round", "fc": "white", "ec": colour, "lw": 0.8}, **style)
    arrows = sum(map(len, below.values()))
    axes.set_title(f"{title}: {len(below)} rooms, {max(height.values())} floors, {arrows} arrows", fontsize=9)
    axes.set(xlim=(0, 1), ylim=(0.4, max(height.values()) + 0.6), ylabel="floor")
    axes.set_xticks([])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[:].set_visible(False)


def main() -> None:
    """Draw the folders that are named."""
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    out, *folders = map(Path, sys.argv[1:])
    figure, panels = plt.subplots(1, len(folders), figsize=(3.7 * len(folders), 4.4), squeeze=False)
    titles = ("before", "after") if len(folders) == 2 else [folder.name for folder in folders]
    for axes, folder, title in zip(panels[0], folders, titles, strict=True):
        draw(axes, room_graph(folder), title)
    figure.tight_layout()
    figure.savefig(out, dpi=200)
    # A few colours are enough, at a quarter of the size.
    Image.open(out).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(out, optimize=True)


if __name__ == "__main__":
    main()
