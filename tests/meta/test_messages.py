"""Every error has one form: "<argument> must ..., got <value>; <imperative>", as CONTRIBUTING.md says."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from rkde import errors
from tests.meta.conftest import Source, nodes

# `BadCell` becomes an `InvalidInput` about one cell of a table.
ARGUMENT_ERRORS = ("InvalidInput", "InvalidType", "BadCell")
_ERRORS = [kind for kind in vars(errors).values() if isinstance(kind, type)]
KINDS = ("BadCell", *(kind.__name__ for kind in _ERRORS if issubclass(kind, errors.RkdeError)))
# Errors about an argument that tell what happened instead, each with the reason.
STATES = {
    "no such file": "the disk decides; these are the words of every other program",
    "no such model file": "the disk decides",
    "its folder does not exist": "the disk decides",
    "its folder is not writable": "the disk decides",
    "the file changed while it was read": "another program decides",
    "it cannot be read ({})": "the operating system gives the reason",
    "the gzip archive is damaged ({})": "the decompressor gives the reason",
    "the quoting is broken: {}": "the reader of CSV gives the reason",
}
# Files that need not follow the form, with the reason.
EXEMPT = {
    "fast/io/header.py": "the reader of model files turns all of them into one `CorruptFile`",
    "proofs_checks/formal/coq.py": "it passes on what the proof checker said",
    "proofs_checks/formal/sources.py": "the missing file is named, and only it can help",
    "proofs_checks/formal/__main__.py": "each problem that it lists names its own file",
}
# What the first words of a remedy may be: a verb in the imperative.
_VERBS = """
    add build change check choose close complete convert correct create delete divide draw drop fit get
    give install leave let make move multiply name pass put raise reinstall remove rescale run save set
    sort spread start try update use wrap write
"""
IMPERATIVES = frozenset(_VERBS.split())
# A rule that forbids a value, or demands one, has stated already what it got.
NEEDS_NO_VALUE = ("must not ", "must be given ")


@dataclass(frozen=True)
class Message:
    """One raised error, as far as its text can be read from the source."""

    place: str
    kind: str
    problems: tuple[str, ...]
    remedies: tuple[str, ...] | None
    has_value: bool


def texts(node: ast.expr, function: ast.AST) -> tuple[str, ...]:
    """Return the texts that an expression may have, with {} for what is computed; none if unknown."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return ("".join(map(str, parts)),)
    if isinstance(node, ast.BinOp):
        return texts(node.left, function)
    if isinstance(node, ast.IfExp):
        return texts(node.body, function) + texts(node.orelse, function)
    if isinstance(node, ast.BoolOp):
        return tuple(text for value in node.values for text in texts(value, function))
    if isinstance(node, ast.Name):
        return tuple(text for value in assigned(node.id, function) for text in texts(value, function))
    return ()


def assigned(name: str, function: ast.AST) -> Iterator[ast.expr]:
    """Yield what a function assigns to a name."""
    for node in nodes(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                yield node.value


@cache
def messages(source: Source) -> list[Message]:
    """Return the errors of our tree that a file makes."""
    if not any(isinstance(node, ast.Name) and node.id in KINDS for node in nodes(source.tree)):
        return []
    found = {}
    functions = [node for node in nodes(source.tree) if isinstance(node, ast.FunctionDef)]
    # The innermost function comes last, and a constant of the module is seen from everywhere.
    for function in (source.tree, *functions):
        for node in nodes(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS and node.args:
                found[node] = _message(node, function, source)
    return list(found.values())


def _message(call: ast.Call, function: ast.AST, source: Source) -> Message:
    kind = getattr(call.func, "id", "")
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    remedy = call.args[1] if kind == "BadCell" else named.get("remedy")

    def read(node: ast.expr) -> tuple[str, ...]:
        return texts(node, function) or texts(node, source.tree)

    return Message(
        f"{source.path}:{call.lineno}",
        kind,
        read(call.args[0]),
        None if remedy is None else read(remedy),
        kind == "BadCell" or "value" in named,
    )


def out_of_form(source: Source) -> list[str]:
    """Return the places and texts of messages that break the form."""
    found = []
    for message in messages(source):
        if message.kind in ARGUMENT_ERRORS and source.path not in EXEMPT:
            found += [
                f"{message.place}: {text}"
                for text in message.problems
                if text not in STATES and not _is_rule(text, has_value=message.has_value)
            ]
        if message.remedies is None and source.path not in EXEMPT:
            found.append(f"{message.place}: it lacks a remedy")
        found += [f"{message.place}: {text}" for text in message.remedies or () if not _is_imperative(text)]
    return found


def _is_rule(text: str, *, has_value: bool) -> bool:
    return text.startswith("must ") and (has_value or ", got " in text or text.startswith(NEEDS_NO_VALUE))


def _is_imperative(text: str) -> bool:
    """Tell whether a remedy begins with a verb; computed ones and continuations are judged elsewhere."""
    return not text or text.startswith(("{}", ", ", "; ")) or text.split()[0].rstrip(":") in IMPERATIVES


def test_every_error_has_the_form(sources: list[Source]) -> None:
    judged = [source for source in sources if not source.path.startswith("tests/")]
    assert sum(len(messages(source)) for source in judged) > 250
    assert not [place for source in judged for place in out_of_form(source)]


# Errors outside of our tree whose text goes to users as it is.
_TOLD = """
    AdapterError AnswersError BadParameter CannotStartError DataError KnownFailuresError
    RunError StoreError UnusableError UsageError VectorsError
"""
TOLD_AS_THEY_ARE = frozenset(_TOLD.split())


def without_remedy(source: Source) -> list[str]:
    """Return the errors told as they are that say neither what to do nor the reason of another error."""
    found = []
    for function in nodes(source.tree):
        for call in nodes(function) if isinstance(function, ast.FunctionDef) else ():
            name = getattr(call, "func", None)
            if getattr(name, "id", getattr(name, "attr", "")) in TOLD_AS_THEY_ARE:
                told = (text for argument in call.args[:1] for text in texts(argument, function))
                found += [
                    f"{source.path}:{call.lineno}: {text}"
                    for text in told
                    if "; " not in text and not text.endswith("{}")
                ]
    return found


def test_every_other_error_says_what_to_do(sources: list[Source]) -> None:
    judged = [source for source in sources if not source.path.startswith("tests/")]
    assert not [place for source in judged for place in without_remedy(source)]


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ('UsageError("--fix must not be combined with --show; leave out --show.")', 0),
        ('VectorsError(f"{path}: {error}")', 0),
        ('click.UsageError("--fix is wrong.")', 1),
        ('VectorsError("holds no case" if a else "lacks a case; add one")', 1),
    ],
)
def test_a_lacking_remedy_is_found(call: str, count: int) -> None:
    tree = ast.parse(f"def f(path, error, a):\n    raise {call}\n")
    assert len(without_remedy(Source("sample.py", tree))) == count


def test_every_exception_is_needed(sources: list[Source]) -> None:
    made = {text for source in sources for message in messages(source) for text in message.problems}
    assert set(STATES) <= made
    assert set(EXEMPT) <= {source.path for source in sources}


@pytest.mark.parametrize(
    ("call", "is_right"),
    [
        ('InvalidInput("must be above 0", where="h", value=h, remedy="pass a positive number")', True),
        ('InvalidInput(f"must have {n} rows, got {m}", where="X", remedy="pass more")', True),
        ('InvalidInput("must not be empty", where="X", remedy="add a row")', True),
        ('InvalidInput("no such file", where=path, remedy="check the path")', True),
        ('MemoryLimit("the matrix is too large", remedy="use fewer rows")', True),
        ('InvalidInput("is not above 0", where="h", value=h, remedy="pass a positive number")', False),
        ('InvalidInput("must be above 0", where="h", remedy="pass a positive number")', False),
        ('InvalidInput("must be above 0", where="h", value=h)', False),
        ('InvalidInput("must be above 0", where="h", value=h, remedy="positive numbers only")', False),
        ('InvalidType("must be a loss" if a else "not a loss", value=h, remedy="pass one")', False),
        ('MemoryLimit("the matrix is too large")', False),
        ('BadCell("not a number", "correct the cell")', False),
        ('BadCell("must be a number", "the cell is wrong")', False),
    ],
)
def test_the_form_is_judged_rightly(call: str, is_right: bool) -> None:
    sample = f"def f(h):\n    problem = 'nothing'\n    raise {call}\n"
    assert (out_of_form(Source("sample.py", ast.parse(sample))) == []) == is_right


def test_a_text_is_found_where_it_was_assigned() -> None:
    sample = "R = 'nothing'\ndef f():\n    text = 'is bad'\n    raise InvalidInput(text, value=1, remedy=R)\n"
    (message,) = messages(Source("sample.py", ast.parse(sample)))
    assert (message.problems, message.remedies) == (("is bad",), ("nothing",))
