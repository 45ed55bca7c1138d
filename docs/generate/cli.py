"""The reference of the command line: every command with its arguments and options."""

import inspect
from collections.abc import Iterator
from typing import Any

import typer.main

from dayshift.app.cli import app
from docs.generate.markdown import code, page, prose, table

INTRODUCTION = """
`--json` prints one document on standard output; everything else goes to standard error.
With `tail` it is one document a line.
The exit code is 0 for done, 1 for failed, 2 for wrong use, 3 for refused and 4 for nothing there.
"""


def cli_page() -> str:
    """The page."""
    root = typer.main.get_command(app)
    return page("Command line", INTRODUCTION, *_commands(root, ("dayshift",)))


def _commands(command: Any, path: tuple[str, ...]) -> Iterator[str]:  # noqa: ANN401  typer keeps its type private
    """A command's section, then those of its subcommands."""
    subcommands = dict(getattr(command, "commands", {}))
    if not subcommands:
        yield _section(command, path)
    for name in sorted(subcommands):
        yield from _commands(subcommands[name], (*path, name))


def _section(command: Any, path: tuple[str, ...]) -> str:  # noqa: ANN401  as above
    parameters = list(command.params)
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    usage = " ".join([*path, *(_usage(each) for each in arguments), "[OPTIONS]"])
    rows = [_row(each) for each in parameters]
    text = inspect.cleandoc(command.help or "")
    return "\n\n".join(
        [
            f"## {' '.join(path)}",
            prose(text),
            f"```\n{usage}\n```",
            table(("parameter", "meaning", "default"), rows),
        ]
    )


def _usage(argument: Any) -> str:  # noqa: ANN401  as above
    name = (argument.metavar or argument.name.upper()).strip("[]")
    return name if argument.required else f"[{name}]"


def _row(parameter: Any) -> tuple[str, str, str]:  # noqa: ANN401  as above
    if parameter.param_type_name == "argument":
        name = code(_usage(parameter))
    else:
        value = "" if parameter.is_flag else f" {(parameter.metavar or _kind(parameter)).upper()}"
        name = ", ".join(code(f"{option}{value}") for option in parameter.opts)
    default = parameter.default
    shown = "" if default in {None, False, ""} or parameter.required else code(_value(default))
    return name, parameter.help or "", shown


def _kind(parameter: Any) -> str:  # noqa: ANN401  as above
    return str(parameter.name)


def _value(default: object) -> str:
    return str(getattr(default, "value", default))
