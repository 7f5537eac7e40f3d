"""Rooms: a package imports in one order, through doors, without a circle, and takes no private name."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.meta.import_graph import DOOR, Import, circle, imports, modules

# Package -> its folder; the order of its rooms is the line of CONTRIBUTING.md that begins with its name.
PACKAGES: Final = {
    "rkde.fast": "fast",
    "rkde.reference": "reference",
    "rkde": "src/rkde",
    "benchmarks": "benchmarks",
}
ORDER_LINE: Final = re.compile(r"^- `([\w.]+)`: ([^.]+)\.$", re.MULTILINE)
# What a room may take from the front of its package: facts that are known before anything is loaded.
FROM_THE_FRONT: Final = ("__version__",)
# Their rooms are folders whose files are run one by one, without a door.
WITHOUT_DOORS: Final = ("benchmarks",)


def room_of(module: str, package: str) -> str:
    """Return the folder or file directly in the package that a module belongs to; empty for the package."""
    return module.removeprefix(package).lstrip(".").partition(".")[0]


def read_orders(markdown: str) -> dict[str, list[list[str]]]:
    """Return the order of the rooms of each package, lowest first; rooms on one floor stand together."""
    return {
        package: [re.findall(r"\w+", floor) for floor in line.split("<")]
        for package, line in ORDER_LINE.findall(markdown)
    }


def upward(found: list[Import], package: str, floors: list[list[str]]) -> list[str]:
    """Return the imports of a room that stands no lower than the importer, and rooms without a floor."""
    height = {room: floor for floor, rooms in enumerate(floors) for room in rooms}
    wrong = []
    for one in found:
        here, there = room_of(one.importer, package), room_of(one.module, package)
        if here == there or not here or not there:
            continue
        if here not in height or there not in height:
            wrong.append(f"{one}: {here if here not in height else there} has no place in the order")
        elif height[there] >= height[here]:
            wrong.append(str(one))
    return wrong


def past_a_door(found: list[Import], package: str, files: Mapping[str, Path]) -> list[str]:
    """Return the imports of a file inside another room, where the room's door was to be used."""
    return [
        str(one)
        for one in found
        if room_of(one.importer, package) != room_of(one.module, package)
        and room_of(one.importer, package)
        and one.module.removeprefix(package).count(".") > 1
        and files[one.module].name != DOOR
    ]


def through_the_front(found: list[Import], package: str) -> list[str]:
    """Return the imports of a package's own front by its rooms, which stand below it."""
    return [
        str(one)
        for one in found
        if one.module == package and one.importer != package and one.name not in FROM_THE_FRONT
    ]


def private_across_rooms(found: list[Import], package: str) -> list[str]:
    """Return the imports of a name or file of another room that begins with an underscore."""
    wrong = []
    for one in found:
        here, there = room_of(one.importer, package), room_of(one.module, package)
        inside = one.module.removeprefix(package).strip(".").split(".")[1:]
        names = [*inside, one.name or ""]
        if here != there and any(re.match(r"_(?!_)", name) for name in names):
            wrong.append(str(one))
    return wrong


@pytest.fixture(scope="module")
def orders(root: Path) -> dict[str, list[list[str]]]:
    return read_orders((root / "CONTRIBUTING.md").read_text("utf-8"))


@pytest.fixture(scope="module", params=sorted(PACKAGES))
def package(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def files(root: Path, package: str) -> dict[str, Path]:
    return modules(root / PACKAGES[package], package)


@pytest.fixture(scope="module")
def found(files: dict[str, Path]) -> list[Import]:
    return list(imports(files))


def test_imports_go_downwards(found: list[Import], package: str, orders: dict[str, list[list[str]]]) -> None:
    assert len(found) > len(orders[package])
    assert not upward(found, package, orders[package])


def test_the_order_names_every_room_once(
    files: dict[str, Path], package: str, orders: dict[str, list[list[str]]]
) -> None:
    named = [room for floor in orders[package] for room in floor]
    assert sorted(named) == sorted({room_of(module, package) for module in files} - {""})


def test_rooms_are_entered_by_their_doors(found: list[Import], package: str, files: dict[str, Path]) -> None:
    if package not in WITHOUT_DOORS:
        assert not past_a_door(found, package, files)


def test_no_room_enters_by_the_front_of_its_package(found: list[Import], package: str) -> None:
    assert not through_the_front(found, package)


def test_no_private_name_is_taken_from_another_room(found: list[Import], package: str) -> None:
    assert not private_across_rooms(found, package)


def test_no_circle(found: list[Import], package: str) -> None:
    # The front door loads what it offers when it is asked, long after everything is imported.
    edges = [(one.importer, one.module) for one in found if package not in (one.importer, one.module)]
    assert edges
    assert not circle(edges)


@pytest.mark.parametrize("name", ["rkde.fast", "rkde.reference"])
@pytest.mark.parametrize("importing", ["src/rkde", "proofs_checks", "benchmarks"])
def test_the_rest_of_the_project_comes_through_the_doors(root: Path, name: str, importing: str) -> None:
    """Claims may open the ball arithmetic itself: they are proofs in it."""
    others = modules(root / importing, f"outside.{importing.replace('/', '.')}")
    own = modules(root / PACKAGES[name], name)
    seen = [one for one in imports(others | own) if one.importer in others and one.module in own]
    assert seen or importing == "benchmarks"
    opened = ("rkde.reference.certify.",) if importing == "proofs_checks" else ()
    assert not past_a_door([one for one in seen if not one.module.startswith(opened)], name, own)


def test_no_file_of_a_room_is_flat_or_private(root: Path) -> None:
    assert [path.name for path in (root / "fast").glob("*.py")] == [DOOR]
    hidden = [path for name in ("fast", "reference") for path in (root / name).rglob("_*.py")]
    assert [path for path in hidden if path.name != DOOR] == []


def test_each_rule_sees_an_offence(tmp_path: Path) -> None:
    texts = {
        "__init__.py": "from p.high import door\n",
        "low/__init__.py": "from p.low.file import name\n",
        "low/file.py": "name = 1\n_own = 2\n",
        "low/late.py": "def f():\n    from p.high import door\n    from p import door\n",
        "high/__init__.py": "from p.high.part import door\n",
        "high/part.py": "from p.low import file, name\nfrom p.low.file import _own\ndoor = name\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    files = modules(tmp_path, "p")
    found = list(imports(files))
    order = read_orders("- `p`: `low` <\n  `high`, `side`.\n- no order.\n")
    assert order == {"p": [["low"], ["high", "side"]]}
    assert upward(found, "p", order["p"]) == ["p.low.late:2 p.high.door"]
    assert upward(found, "p", [["low"]])[0].endswith("high has no place in the order")
    assert past_a_door(found, "p", files) == ["p.high.part:1 p.low.file", "p.high.part:2 p.low.file._own"]
    assert through_the_front(found, "p") == ["p.low.late:3 p.door"]
    assert private_across_rooms(found, "p") == ["p.high.part:2 p.low.file._own"]
    assert set(circle([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "d")])) == {"a", "b", "c"}
    assert circle([("a", "b"), ("a", "c"), ("b", "c"), ("c", "c")]) == []
