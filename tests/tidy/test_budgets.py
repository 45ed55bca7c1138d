"""What fits into a head: the sizes that files, functions and classes may have.

One list of exceptions per budget; it started empty and may only shrink.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.tidy.tree import MIGRATIONS, python_files, read, ui_files

if TYPE_CHECKING:
    from tests.tidy.tree import Function

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 7
METHODS_MAX = 20
COMPONENT_LINES_MAX = 250

LONG_FILES: set[str] = set()
LONG_FUNCTIONS: set[str] = set()
MANY_PARAMETERS: set[str] = set()
LARGE_CLASSES: set[str] = set()
LONG_COMPONENTS: set[str] = set()
LATE_IMPORTS: set[str] = set()


def _judge(found: set[str], allowed: set[str], *, remedy: str) -> None:
    """Compare what breaks a budget with what is allowed to."""
    assert sorted(found - allowed) == [], remedy
    assert sorted(allowed - found) == [], "mended: take it off the list of exceptions"


def _body_lines(function: Function) -> int:
    """How long a function is, without its signature and its docstring."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def _parameters(function: Function) -> list[str]:
    """The names of a function's parameters; self and cls do not count."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in every if argument.arg not in {"self", "cls"}]


def test_no_python_file_is_too_long() -> None:
    """A file longer than 500 lines has more than one subject.

    Demanded by: the house.
    """
    found = {
        file.path
        for file in python_files()
        if file.text.count("\n") > FILE_LINES_MAX and not file.path.startswith(MIGRATIONS)
    }
    _judge(found, LONG_FILES, remedy="cut the file along its data: what is written together stays")


def test_no_function_is_too_long() -> None:
    """A function of more than 60 lines hides its steps.

    Demanded by: the house.
    """
    found = {
        f"{file.path}:{function.name}"
        for file in python_files()
        for function in file.functions()
        if _body_lines(function) > FUNCTION_LINES_MAX and not file.path.startswith(MIGRATIONS)
    }
    _judge(found, LONG_FUNCTIONS, remedy="name the steps of the function, and call them")


def test_no_function_takes_too_many_parameters() -> None:
    """More than seven parameters are an object that nobody named.

    Demanded by: the house.
    """
    found = {
        f"{file.path}:{function.name}"
        for file in python_files("src/")
        for function in file.functions()
        if len(_parameters(function)) > PARAMETERS_MAX
    }
    _judge(found, MANY_PARAMETERS, remedy="give the group of parameters a name: a frozen dataclass")


def test_no_class_has_too_many_methods() -> None:
    """A class of more than twenty methods answers "and" when asked what it does.

    Demanded by: the house.
    """
    found = {
        f"{file.path}:{class_.name}"
        for file in python_files("src/")
        for class_ in file.classes()
        if sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in class_.body)
        > METHODS_MAX
    }
    _judge(found, LARGE_CLASSES, remedy="cut the class along its data")


def test_no_ui_component_is_too_long() -> None:
    """A component longer than 250 lines is several.

    Demanded by: the house.
    """
    components = [name for name in ui_files() if name.endswith(".tsx") and ".test." not in name]
    found = {name for name in components if read(name).count("\n") > COMPONENT_LINES_MAX}
    _judge(found, LONG_COMPONENTS, remedy="one component per file; pass props")


def test_nobody_imports_our_own_modules_inside_a_function() -> None:
    """A late import of ours hides a circle.

    Demanded by: the house.
    """
    found = {
        f"{file.path}:{node.lineno}"
        for file in python_files("src/")
        for function in file.functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom) and _names_us(node)
    }
    _judge(found, LATE_IMPORTS, remedy="import at the top; a circle is broken by a protocol")


def _names_us(node: ast.Import | ast.ImportFrom) -> bool:
    """Tell whether an import names a module of ours."""
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "dayshift"
    return any(alias.name.split(".")[0] == "dayshift" for alias in node.names)


def test_the_budgets_saw_something() -> None:
    """A check that sees nothing passes always.

    Demanded by: the house.
    """
    assert python_files("src/")
    assert ui_files()
