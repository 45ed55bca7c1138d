"""A shell of a dozen words, for the computer in memory: enough for tests to say what they mean.

It knows ``;``, ``&&``, ``||``, ``|``, ``&``, ``>``, ``>>``, ``2>&1``, quotes and ``$NAME``, and the
commands listed in ``WORDS``. Whatever else a test needs, it brings along as a function.
"""

import asyncio
import fnmatch
import re
import shlex
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from dayshift.core.errors import NotFoundError, OfficeError

FALSE, WRONG_USE, UNKNOWN_COMMAND = 1, 2, 127
FIRST_PROCESS_ID = 100
_DOLLAR = "\ue000"
"""Stands for a dollar that is none of ours to expand; no test writes this one itself."""


class ExitError(Exception):
    """``exit`` was called."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Session:
    """What a command sees and changes.

    Attributes:
        read: A file's bytes by its path from the workspace; raises NotFoundError.
        walk: All paths of files below a folder.
        say: Takes what is printed.
        background: Ids of processes left running.
        extra: Commands of the test's own, over those here.
    """

    workspace: str
    folder: str
    env: Mapping[str, str]
    read: Callable[[str], bytes]
    write: Callable[[str, bytes], object]
    delete: Callable[[str], None]
    make_folder: Callable[[str], None]
    has_folder: Callable[[str], bool]
    walk: Callable[[str], list[str]]
    say: Callable[[str], None]
    background: list[int]
    extra: Mapping[str, "Word"] = field(default_factory=dict[str, "Word"])


Word = Callable[[Session, list[str], str], Awaitable[tuple[int, str]]]
"""A command: session, arguments and standard input to exit code and output."""


async def run(session: Session, command: str) -> int:
    """Run a command line; its exit code.

    Raises:
        OfficeError: A file of it could not be used; the shell turns what it can into messages.
    """
    try:
        tokens = _tokens(command)
    except ValueError as error:
        session.say(f"bash: {error}\n")
        return WRONG_USE
    code, skip = 0, False
    try:
        for pipeline, joint in _pipelines(tokens):
            if pipeline and not skip:
                code = await _pipeline(session, pipeline, is_background=joint == "&")
            skip = (joint == "&&" and code != 0) or (joint == "||" and code == 0)
    except ExitError as end:
        return end.code
    return code


def _tokens(command: str) -> list[str]:
    lexer = shlex.shlex(_shielded(command), posix=True, punctuation_chars=";&|<>\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def _shielded(command: str) -> str:
    """The command with every dollar between single quotes made to stand for itself."""
    shielded: list[str] = []
    quote = ""
    for sign in command:
        if sign in {"'", '"'} and quote in {"", sign}:
            quote = "" if quote else sign
        shielded.append(_DOLLAR if sign == "$" and quote == "'" else sign)
    return "".join(shielded)


def _pipelines(tokens: list[str]) -> list[tuple[list[str], str]]:
    """The parts of a line, each with the sign that follows it."""
    parts: list[tuple[list[str], str]] = []
    words: list[str] = []
    for token in [*tokens, ";"]:
        if token in {";", "&&", "||", "&"} or token.strip("\n") == "":
            parts.append((words, token))
            words = []
        else:
            words.append(token)
    return parts


async def _pipeline(session: Session, words: list[str], *, is_background: bool) -> int:
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    if is_background and stages[-1][:1] == ["sleep"]:
        session.background.append(FIRST_PROCESS_ID + len(session.background))
        return 0
    code, text = 0, ""
    for stage in stages:
        code, text = await _stage(session, stage, text)
    session.say(text)
    return code


async def _stage(session: Session, words: list[str], text: str) -> tuple[int, str]:
    """One command with its redirections; what it prints, unless that went into a file."""
    plain: list[str] = []
    target, appends = "", False
    rest = iter(words)
    for word in rest:
        if word in {">", ">>"}:
            target, appends = next(rest, ""), word == ">>"
        elif word == ">&":
            next(rest, "")
            plain = plain[:-1] if plain[-1:] == ["2"] else plain
        else:
            plain.append(_expanded(session, word))
    while plain and re.fullmatch(r"\w+=.*", plain[0]):
        plain.pop(0)
    name, *arguments = plain or ["true"]
    known = session.extra.get(name) or WORDS.get(name)
    if known is None:
        return UNKNOWN_COMMAND, f"bash: {name}: command not found\n"
    try:
        code, printed = await known(session, arguments, text)
        if target:
            path = path_in(session, target)
            before = _old(session, path) if appends else b""
            session.write(path, before + printed.encode())
            printed = ""
    except OfficeError as error:
        return FALSE, f"{name}: {error.message}\n"
    return code, printed


def _old(session: Session, path: str) -> bytes:
    try:
        return session.read(path)
    except NotFoundError:
        return b""


def path_in(session: Session, path: str) -> str:
    """A path as the shell means it: from where the shell is."""
    return path if path.startswith("/") else f"{session.folder}/{path}"


def _expanded(session: Session, word: str) -> str:
    known = {**session.env, "PWD": session.folder}
    expanded = re.sub(r"\$\{?(\w+)\}?", lambda found: known.get(found[1], ""), word)
    return expanded.replace(_DOLLAR, "$")


# --- the words ------------------------------------------------------------------------------------


async def _true(_session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    return 0, ""


async def _false(_session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    return FALSE, ""


async def _exit(_session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    raise ExitError(int(arguments[0]) if arguments else 0)


async def _sleep(_session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    await asyncio.sleep(float(arguments[0]))
    return 0, ""


async def _echo(_session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    return 0, " ".join(arguments) + "\n"


async def _printf(_session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    pattern, *values = arguments
    text = pattern.replace("\\n", "\n").replace("\\t", "\t")
    return 0, text.replace("%s", "{}").format(*values)


async def _pwd(session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    return 0, session.folder + "\n"


async def _cd(session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    path = path_in(session, arguments[-1]) if arguments else session.workspace
    words: list[str] = []
    for word in path.split("/"):
        if word == "..":
            words = words[:-1]
        elif word not in {"", "."}:
            words.append(word)
    folder = "/" + "/".join(words)
    if not session.has_folder(folder):
        return FALSE, f"bash: cd: {arguments[-1]}: No such file or directory\n"
    session.folder = folder
    return 0, ""


async def _cat(session: Session, arguments: list[str], text: str) -> tuple[int, str]:
    files = [session.read(path_in(session, name)) for name in arguments]
    return 0, b"".join(files).decode("utf-8", "replace") if files else text


async def _mkdir(session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    for name in arguments:
        if not name.startswith("-"):
            session.make_folder(path_in(session, name))
    return 0, ""


async def _rm(session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    for name in arguments:
        if not name.startswith("-"):
            session.delete(path_in(session, name))
    return 0, ""


async def _head(_session: Session, arguments: list[str], text: str) -> tuple[int, str]:
    return 0, "".join(text.splitlines(keepends=True)[: int(arguments[-1])])


async def _find(session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    """``find START ( -name A -o -name B ) -prune -o -type f [-name GLOB] -print0``."""
    cut = arguments.index("-prune")
    skipped, wanted = _after_name(arguments[:cut]), _after_name(arguments[cut:]) or ["*"]
    found = [
        path
        for path in session.walk(arguments[0])
        if not set(skipped) & set(path.split("/")[:-1])
        and fnmatch.fnmatchcase(path.rpartition("/")[2], wanted[0])
    ]
    return 0, "".join(f"{path}\0" for path in found)


def _after_name(words: list[str]) -> list[str]:
    return [word for before, word in pairwise(words) if before == "-name"]


async def _sort(_session: Session, _arguments: list[str], text: str) -> tuple[int, str]:
    return 0, "".join(f"{line}\0" for line in sorted(text.split("\0")[:-1]))


async def _xargs(session: Session, arguments: list[str], text: str) -> tuple[int, str]:
    words = [word for word in arguments if word not in {"-0", "-r"}]
    return await WORDS[words[0]](session, [*words[1:], *text.split("\0")[:-1]], "")


async def _grep(session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
    """``grep -nIH``, with ``-F`` and ``-i``."""
    pattern = arguments[arguments.index("-e") + 1]
    flags = re.IGNORECASE if "-i" in arguments else re.NOFLAG
    try:
        wanted = re.compile(re.escape(pattern) if "-F" in arguments else pattern, flags)
    except re.error as error:
        return WRONG_USE, f"grep: {error}\n"
    found: list[str] = []
    for path in arguments[arguments.index("--") + 1 :]:
        lines = session.read(path).decode("utf-8", "replace").splitlines()
        found += [f"{path}:{n}:{line}\n" for n, line in enumerate(lines, 1) if wanted.search(line)]
    return (0 if found else FALSE), "".join(found)


WORDS: Mapping[str, Word] = {
    "cat": _cat,
    "cd": _cd,
    "echo": _echo,
    "exit": _exit,
    "false": _false,
    "find": _find,
    "grep": _grep,
    "head": _head,
    "mkdir": _mkdir,
    "printf": _printf,
    "pwd": _pwd,
    "rm": _rm,
    "sleep": _sleep,
    "sort": _sort,
    "true": _true,
    "xargs": _xargs,
}
