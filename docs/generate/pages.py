"""Which pages there are in docs/reference, and what makes each."""

from collections.abc import Callable

from docs.generate.api import api_page
from docs.generate.cli import cli_page
from docs.generate.errors import errors_page
from docs.generate.events import entries_page
from docs.generate.known_failures import known_failures_page
from docs.generate.office_yaml import office_yaml_page
from docs.generate.settings import settings_page
from docs.generate.tools import tools_page

PAGES: dict[str, Callable[[], str]] = {
    "api.md": api_page,
    "cli.md": cli_page,
    "errors.md": errors_page,
    "events.md": entries_page,
    "known-failures.md": known_failures_page,
    "office-yaml.md": office_yaml_page,
    "settings.md": settings_page,
    "tools.md": tools_page,
}
