"""No file of the product that nobody of the product uses."""

from __future__ import annotations

import grimp

from tests.tidy.tree import python_files

# What is started from outside: by the console script, by name from the command line,
# by `python -m`, by Alembic, by users' tests.
DOORS = (
    "dayshift.app.cli",
    "dayshift.app.server",
    "dayshift.store.migrations",
    "dayshift.testing",
    "dayshift.web.wire",
)


def test_every_module_is_imported_by_another() -> None:
    """A module that only its own tests import is dead, or was forgotten in an explicit list.

    Demanded by: the house.
    """
    graph = grimp.build_graph("dayshift", cache_dir=None)
    packages = {
        file.path.removeprefix("src/").removesuffix("/__init__.py").replace("/", ".")
        for file in python_files("src/dayshift/")
        if file.path.endswith("__init__.py")
    }
    lonely = [
        module
        for module in graph.modules
        if module not in packages
        and not module.startswith(DOORS)
        and not module.endswith(".__main__")
        and not graph.find_modules_that_directly_import(module)
    ]
    assert sorted(lonely) == [], "import it where it is used, or delete it"
