"""Every mutant of the rooms that are judged, by the operators of cosmic-ray, and a random order of them.

A mutant is named by the text that it changes and not by a line number, so that its result is found again when
lines above it have moved. Left out are annotations, what only type checkers run, replacements that do not
compile or change nothing, and those between operators that do not meet (`+` by `<<`, `<` by `is`): they fail
in each test that runs the line, and would make the score look better than it is.
"""

import ast
import dataclasses
import difflib
import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

ROOT: Final = Path(__file__).resolve().parents[2]
# What judges other implementations, beside the two packages that compute.
JUDGES: Final = tuple(
    f"src/rkde/conformance/{name}"
    for name in ("comparison.py", "judging.py", "levels.py", "known.py", "vectors.py", "diagnosis")
)
ROOMS: Final = ("reference", "fast", *JUDGES)

ARITHMETIC: Final = ("Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow")
BITS: Final = ("BitOr", "BitAnd", "BitXor")
ORDER: Final = ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
IDENTITY: Final = ("Is", "IsNot")
OTHERS: Final = (
    "ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Invert",
    "ReplaceUnaryOperator_Delete_Not", "AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue",
    "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak",
    "ExceptionReplacer", "NumberReplacer", "RemoveDecorator", "ZeroIterationForLoop",
)  # fmt: skip
# How statements start that no test can judge.
UNTESTED: Final = ("if TYPE_CHECKING:", "__all__ =")
# "name_from_to", as cosmic-ray calls them.
OPERATORS: Final = (
    tuple(
        f"Replace{kind}Operator_{one}_{other}"
        for kind, names in (
            ("Binary", ARITHMETIC),
            ("Binary", BITS),
            ("Comparison", ORDER),
            ("Comparison", IDENTITY),
        )
        for one, other in itertools.permutations(names, 2)
    )
    + OTHERS
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file; `occurrence` counts the places in the file to which the operator applies."""

    file: str
    function: str
    line: int
    last_line: int
    text: str
    column: int
    operator: str
    nth: int
    occurrence: int

    @property
    def name(self) -> str:
        """What stays when lines move: the place by its text, and the change."""
        parts = (self.file, self.function, self.text, self.column, self.operator, self.nth)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    @property
    def room(self) -> str:
        """The package and the room, such as `fast/losses`."""
        parts = Path(self.file).parts
        if parts[0] == "src":
            return "conformance"
        return "/".join(parts[:2]).removesuffix(".py")


@dataclass(frozen=True, slots=True)
class Change:
    """A mutated file, and its changed lines before and after."""

    source: str
    before: str
    after: str


def files(root: Path = ROOT, rooms: Iterable[str] = ROOMS) -> list[str]:
    """Return the files of the rooms, from the root of a tree."""
    found: list[str] = []
    for room in rooms:
        path = root / room
        found += [room] if path.is_file() else [str(file.relative_to(root)) for file in path.rglob("*.py")]
    return sorted(found)


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    """Return the mutants of a file, but for annotations and what only type checkers run."""
    nodes = list(ast_nodes(get_ast(source)))
    lines = source.splitlines()
    tree = ast.parse(source)
    functions, skipped = _functions(tree), _skipped(tree)
    for operator in OPERATORS:
        applied = get_operator(f"core/{operator}")()
        places = [place for node in nodes for place in applied.mutation_positions(node)]
        seen: dict[tuple[Any, ...], int] = {}
        for occurrence, ((line, column), (last_line, _)) in enumerate(places):
            if any(first <= (line, column) < last for first, last in skipped):
                continue
            text = lines[line - 1]
            inside = column - (len(text) - len(text.lstrip()))
            function = functions.get(line, "")
            key = (function, text.strip(), inside)
            seen[key] = nth = seen.get(key, -1) + 1
            yield Mutant(file, function, line, last_line, text.strip(), inside, operator, nth, occurrence)


def change(mutant: Mutant, source: str) -> Change | None:
    """Return the mutated file, or None where it does not compile or says the same."""
    mutated = mutate_code(source, get_operator(f"core/{mutant.operator}")(), mutant.occurrence)
    if mutated is None:
        return None
    try:
        if ast.dump(ast.parse(mutated)) == ast.dump(ast.parse(source)):
            return None
        compile(mutated, mutant.file, "exec")
    except (SyntaxError, ValueError):
        return None
    return Change(mutated, *_changed_lines(source, mutated))


def in_random_order(mutants: Iterable[Mutant], seed: int) -> list[Mutant]:
    """Return the mutants in an order that a seed decides, and in which one more mutant moves no other."""
    return sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).digest())


def all_mutants(cache: Path, root: Path = ROOT) -> list[Mutant]:
    """Return the mutants of all rooms; a folder keeps those of each file, as long as it is not changed."""
    found: list[Mutant] = []
    cache.mkdir(parents=True, exist_ok=True)
    for file in files(root):
        source = (root / file).read_text("utf-8")
        kept = cache / f"{hashlib.sha256((file + source).encode()).hexdigest()[:24]}.json"
        if not kept.exists():
            listed = [dataclasses.astuple(mutant) for mutant in mutants_of(file, source)]
            kept.write_text(json.dumps(listed), "utf-8")
        found += [Mutant(*fields) for fields in json.loads(kept.read_text("utf-8"))]
    return found


def _changed_lines(source: str, mutated: str) -> tuple[str, str]:
    """Return the lines that differ, without their common indentation."""
    differences = list(difflib.ndiff(source.splitlines(), mutated.splitlines()))

    def marked(mark: str) -> str:
        texts = [line[2:].strip() for line in differences if line.startswith(mark)]
        return "\n".join(text for text in texts if text)

    return marked("- "), marked("+ ")


def _functions(tree: ast.Module) -> dict[int, str]:
    """Return the name of the innermost function or class around each line."""
    names: dict[int, str] = {}

    def walk(nodes: Sequence[ast.AST], outer: str) -> None:
        for node in nodes:
            name = outer
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                name = f"{outer}.{node.name}" if outer else node.name
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                for line in range(first, (node.end_lineno or first) + 1):
                    names[line] = name
            walk(list(ast.iter_child_nodes(node)), name)

    walk(tree.body, "")
    return names


Span = tuple[tuple[int, int], tuple[int, int]]


def _skipped(tree: ast.Module) -> list[Span]:
    """Return where annotations and the imports for type checkers stand."""
    nodes: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg):
            nodes.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            nodes.append(node.returns)
        elif isinstance(node, ast.If | ast.Assign) and ast.unparse(node).startswith(UNTESTED):
            nodes.append(node)
    return [_span(node) for node in nodes if node is not None]


def _span(node: Any) -> Span:
    """Return the first place of a node and the one after its last; columns of parso are characters."""
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
