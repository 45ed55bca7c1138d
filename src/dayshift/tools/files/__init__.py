"""Tools that read, write and search files: the agent's own, and those of colleagues."""

from dayshift.core.tools import Tool, define
from dayshift.tools.files import changing, reading, searching
from dayshift.tools.files.reading import FilesDesk

FAMILY = "files"


def tools(desk: FilesDesk) -> list[Tool]:
    """The tools of this family."""
    read_agent_file = reading.of_colleagues(desk)
    return [
        define(
            reading.ReadFile, reading.read_file, name="read_file", family=FAMILY, read_only=True
        ),
        define(changing.WriteFile, changing.write_file, name="write_file", family=FAMILY),
        define(changing.EditFile, changing.edit_file, name="edit_file", family=FAMILY),
        define(reading.Ls, reading.ls, name="ls", family=FAMILY, read_only=True),
        define(searching.Grep, searching.grep, name="grep", family=FAMILY, read_only=True),
        define(searching.Find, searching.find, name="find", family=FAMILY, read_only=True),
        define(
            reading.ReadAgentFile,
            read_agent_file,
            name="read_agent_file",
            family=FAMILY,
            read_only=True,
        ),
    ]
