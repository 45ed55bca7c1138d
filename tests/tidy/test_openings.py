"""Every file opens with a sentence about itself."""

from __future__ import annotations

import ast

from tests.tidy.tree import python_files, read, ui_files

SENTENCE_ENDS = (".", "!", "?", "…", ":")


def test_every_python_file_opens_with_a_sentence() -> None:
    """Who opens a file reads first what it is for.

    Demanded by: the house.
    """
    silent = [file.path for file in python_files() if not _opening(file.tree)]
    assert silent == [], "begin the file with a docstring whose first line is a sentence"


def _opening(tree: ast.Module) -> bool:
    """Tell whether a module begins with a docstring whose first paragraph is a sentence."""
    first = (ast.get_docstring(tree) or "").split("\n\n")[0].strip()
    return first.endswith(SENTENCE_ENDS)


def test_every_ui_file_opens_with_a_sentence() -> None:
    """The same for TypeScript: a comment at the top, behind what the compiler must read first.

    Demanded by: the house.
    """
    silent = [name for name in ui_files() if not _ui_opening(read(name))]
    assert silent == [], "begin the file with a /** sentence about itself */"


def _ui_opening(text: str) -> bool:
    """Tell whether the first line that is no reference to types begins a comment."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("///")]
    return bool(lines) and lines[0].startswith(("/**", "// "))
