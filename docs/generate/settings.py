"""The reference of settings."""

from dayshift.app.settings import described
from docs.generate.markdown import code, page, table

INTRODUCTION = """
A setting is a flag where a command has one, a variable, or a line of the home's settings file.
A flag wins over the environment, the environment over the file, and the file over the default.
`dayshift config show` prints what is in force and where it came from.
"""


def settings_page() -> str:
    """The page."""
    rows = [
        (
            code(setting.variable),
            setting.description,
            setting.bounds,
            setting.unit,
            "never shown" if setting.is_secret else code(str(setting.default)) or "empty",
        )
        for setting in described()
    ]
    head = ("variable", "meaning", "accepts", "unit", "default")
    return page("Settings", INTRODUCTION, table(head, rows))
