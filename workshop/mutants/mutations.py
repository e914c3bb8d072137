"""The mutations of a source file: where each one is, what it changes, and the syntax tree with one of them applied."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], tuple[str, type[ast.cmpop], str]] = {
    ast.Lt: ("<", ast.LtE, "<="),
    ast.LtE: ("<=", ast.Lt, "<"),
    ast.Gt: (">", ast.GtE, ">="),
    ast.GtE: (">=", ast.Gt, ">"),
    ast.Eq: ("==", ast.NotEq, "!="),
    ast.NotEq: ("!=", ast.Eq, "=="),
    ast.In: ("in", ast.NotIn, "not in"),
    ast.NotIn: ("not in", ast.In, "in"),
    ast.Is: ("is", ast.IsNot, "is not"),
    ast.IsNot: ("is not", ast.Is, "is"),
}

_ARITHMETIC: dict[type[ast.operator], tuple[str, type[ast.operator], str]] = {
    ast.Add: ("+", ast.Sub, "-"),
    ast.Sub: ("-", ast.Add, "+"),
    ast.Mult: ("*", ast.FloorDiv, "//"),
    ast.FloorDiv: ("//", ast.Mult, "*"),
    ast.Mod: ("%", ast.Mult, "*"),
    ast.BitAnd: ("&", ast.BitOr, "|"),
    ast.BitOr: ("|", ast.BitAnd, "&"),
    ast.LShift: ("<<", ast.RShift, ">>"),
    ast.RShift: (">>", ast.LShift, "<<"),
}

#: What a function returns instead, by the beginning of its annotation.
_EMPTY = {"list": "[]", "dict": "{}", "set": "set()", "tuple": "()", "str": "''"}

#: Parts of a node that say what something is, not what happens.
_NOT_RUN = ("annotation", "returns", "decorator_list", "type_comment", "type_params", "bases")

#: Statements whose loss leaves a program that still runs.
_REMOVABLE = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)


@dataclass(frozen=True)
class Mutation:
    """One change of one file; `code` is the line as it stands, so that an excuse survives a shift of lines.

    `statement` is the line on which the statement around it begins.
    """

    file: str
    number: int
    line: int
    statement: int
    code: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}    {self.code}"


def of_file(root: Path, path: Path) -> list[Mutation]:
    """All mutations of a file, in a fixed order; `number` is the place in it."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    name = path.relative_to(root).as_posix()
    return [
        Mutation(name, number, change.line, change.statement, lines[change.line - 1].strip(), change.what)
        for number, change in enumerate(_walk(ast.parse(source), -1))
    ]


def mutated(source: str, number: int) -> ast.Module:
    """The syntax tree of a source with one mutation applied."""
    tree = ast.parse(source)
    for place, _ in enumerate(_walk(tree, number)):
        if place == number:
            return ast.fix_missing_locations(tree)
    raise IndexError(f"there is no mutation {number}")


def _walk(tree: ast.Module, wanted: int) -> Iterator[_Change]:
    """Every mutation; the wanted one is applied to the tree when it is reached."""
    for number, change in enumerate(_changes(tree, "", 0)):
        if number == wanted:
            change.apply()
        yield change


@dataclass
class _Change:
    """A place in the tree and what goes there; nothing happens before `apply`."""

    line: int
    what: str
    parent: ast.AST
    field: str
    new: ast.AST | object
    index: int | None = None
    statement: int = 0

    def apply(self) -> None:
        if self.index is None:
            setattr(self.parent, self.field, self.new)
        else:
            getattr(self.parent, self.field)[self.index] = self.new


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """The parts of a node that run: no annotations, decorators, assertions nor docstrings."""
    for field, value in ast.iter_fields(node):
        if field in _NOT_RUN or (field == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        if isinstance(value, ast.AST):
            yield field, None, value
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield field, index, item


def _skipped(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)


def _changes(node: ast.AST, returns: str, statement: int) -> Iterator[_Change]:
    """All changes below a node; `returns` is the annotation of the function around it."""
    for field, index, child in _children(node):
        if _skipped(child):
            continue
        inside = returns
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = ast.unparse(child.returns) if child.returns else ""
        line = child.lineno if isinstance(child, ast.stmt) else statement
        for change in _here(node, field, index, child, inside):
            change.statement = line
            yield change
        yield from _changes(child, inside, line)


def _here(parent: ast.AST, field: str, index: int | None, node: ast.AST, returns: str) -> Iterator[_Change]:
    """The mutations of one node."""
    line: int = getattr(node, "lineno", 0)

    def put(new: ast.AST, what: str) -> _Change:
        return _Change(line, what, parent, field, ast.copy_location(new, node), index)

    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            old, new, name = _COMPARISONS[type(operator)]
            yield _Change(line, f"{old} → {name}", node, "ops", new(), place)
    elif isinstance(node, ast.BoolOp):
        conjunction = isinstance(node.op, ast.And)
        yield _Change(
            line, "and → or" if conjunction else "or → and", node, "op", ast.Or() if conjunction else ast.And()
        )
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield put(node.operand, "not x → x")
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _ARITHMETIC:
        old, changed, name = _ARITHMETIC[type(node.op)]
        yield _Change(line, f"{old} → {name}", node, "op", changed())
    elif isinstance(node, ast.Constant):
        yield from _constant(put, parent, node)
    elif isinstance(node, ast.Return) and node.value is not None:
        new_value = _other_value(node.value, returns)
        if new_value is not None:
            yield put(ast.Return(new_value), f"return {ast.unparse(new_value):.40}")
    elif isinstance(node, ast.IfExp | ast.If | ast.While) and isinstance(
        node.test, ast.Name | ast.Call | ast.Attribute
    ):
        yield _Change(line, "if x → if not x", node, "test", ast.copy_location(_not(node.test), node.test))
    if field in ("body", "orelse", "finalbody") and _removable(node):
        yield put(ast.Pass(), f"removed: {ast.unparse(node).splitlines()[0]:.50}")


def _constant(put: Callable[[ast.AST, str], _Change], parent: ast.AST, node: ast.Constant) -> Iterator[_Change]:
    value = node.value
    if isinstance(value, bool):
        yield put(ast.Constant(not value), f"{value} → {not value}")
    elif isinstance(value, int):
        yield put(ast.Constant(value + 1), f"{value} → {value + 1}")
    elif isinstance(value, str) and isinstance(parent, ast.Compare | ast.Tuple | ast.List | ast.Set):
        yield put(ast.Constant(f"{value}#"), f"{value!r} → {value + '#'!r}")


def _removable(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    return isinstance(node, _REMOVABLE)


def _not(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), node)


def _other_value(value: ast.expr, returns: str) -> ast.expr | None:
    """Another value of the kind that a function returns; none where it would only be the same."""
    if returns == "bool":
        return None if isinstance(value, ast.Constant) else ast.copy_location(_not(value), value)
    if returns == "int":
        return None if isinstance(value, ast.Constant) else ast.BinOp(value, ast.Add(), ast.Constant(1))
    for kind, text in _EMPTY.items():
        if returns == kind or returns.startswith(f"{kind}["):
            empty = ast.parse(text, mode="eval").body
            return None if ast.unparse(value) == ast.unparse(empty) else empty
    return None
