"""Known failures of such systems: locked and damaged databases, and secrets that got out."""

from __future__ import annotations

import base64
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from dayshift.web.document import operations
from tests.spec.cli_stage import run
from tests.spec.known_failures_stage import Home, every, posted

if TYPE_CHECKING:
    from pathlib import Path

WRITERS = 8
EACH = 40
CANARY = "sk-ant-c4n4ry-0f-th3-0ff1c3-zq8w7e6r5t"


@pytest.mark.timeout(240)
def test_stor_02_a_slow_reader_does_not_lock_writers_out(tmp_path: Path) -> None:
    """While somebody reads for long, eight writers are all served, and nothing is lost.

    Demanded by: STOR-02; PLAT-7.
    """
    home = Home(tmp_path)
    with home.up(), home.client() as client, ThreadPoolExecutor(WRITERS) as threads:
        reader = sqlite3.connect(f"file:{_database(home)}?mode=ro", uri=True)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        codes = list(threads.map(lambda n: _write(home, n), range(WRITERS)))
        reader.close()
        messages = every(client, "threads/ch:general/messages")
    texts = [message["text"] for message in messages if message["author_kind"] == "person"]
    assert codes == [{200}] * WRITERS or codes == [{201}] * WRITERS
    assert len(texts) == len(set(texts)) == WRITERS * EACH


def _write(home: Home, writer: int) -> set[int]:
    with home.client() as client:
        return {
            client.post(
                "threads/ch:general/messages", json={"text": f"{writer}: {n}", "mode": "queue"}
            ).status_code
            for n in range(EACH)
        }


def _database(home: Home) -> Path:
    return next(path for path in home.folder.glob("*") if path.suffix in {".db", ".sqlite3"})


@pytest.mark.timeout(240)
async def test_stor_03_looking_at_the_database_does_not_damage_it(tmp_path: Path) -> None:
    """Doctor, files, usage and searches under load; then every page of the file is whole.

    Demanded by: STOR-03; PLAT-4, PLAT-7.
    """
    home = Home(tmp_path)
    with home.up(), ThreadPoolExecutor(2) as threads:
        writing = [threads.submit(_write, home, n) for n in range(2)]
        with home.client() as client:
            looked = [
                client.get(path).status_code
                for path in ("snapshot", "usage", "ledger", "agents/iris/files?path=", "events")
            ]
        doctor = [await run("doctor", "--json", home=home.folder) for _ in range(3)]
        codes = [job.result(30) for job in writing]
    checked = sqlite3.connect(_database(home))
    assert checked.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    checked.close()
    assert looked == [200] * 5
    assert [done.code for done in doctor] == [0] * 3
    assert len({frozenset(code) for code in codes}) == 1


@pytest.mark.needs("bwrap")
@pytest.mark.timeout(240)
def test_sec_09_a_secret_of_the_server_stands_nowhere(tmp_path: Path) -> None:
    """Planted in the environment, said by a person, printed by a command in four encodings.

    Then looked for in every file of the home, every page of the API and all that was logged.

    Demanded by: SEC-09; PLAT-6, invariant 13.
    """
    home = Home(tmp_path, env={"ANTHROPIC_API_KEY": CANARY})
    encoded = base64.b64encode(CANARY.encode()).decode()
    forms = [CANARY, encoded, quote(CANARY, safe=""), CANARY.encode().hex()]
    told: list[str] = []
    with home.up(), home.client() as client:
        for form in forms:
            posted(client, "kai", f"show echo {form}")
        posted(client, "kai", f"show ls https://user:{CANARY}@example.org/?key={CANARY}")
        posted(client, "iris", f"Use {CANARY} for it")
        client.post("events", json={"source": "custom", "type": "news", "text": CANARY})
        client.post("tasks", json={"title": f"Key {CANARY}", "description": encoded})
        client.get("messages", params={"q": CANARY})
        client.get(f"tasks/{CANARY}")
        home.settled_messages("dm:owner:kai", answers=len(forms) + 1)
        told += [client.get(path).text for path in _pages()]
        for found in every(client, "runs"):
            told.append(client.get(f"runs/{found['id']}").text)
            told.append(client.get(f"runs/{found['id']}/turns/1/request").text)
            told.append(client.get(f"runs/{found['id']}/turns/1/response").text)
    kept = [path.read_bytes() for path in home.folder.rglob("*") if path.is_file()]
    hits = [
        (form, place[max(0, at - 80) : at + 20])
        for place in [*kept, *(text.encode() for text in told)]
        for form in forms
        if (at := place.find(form.encode())) >= 0
    ]
    assert hits == []
    assert len(told) > 20


def _pages() -> list[str]:
    """Every page of the office that needs no id."""
    prefix = "/api/offices/{office}/"
    return [
        route.path.removeprefix(prefix)
        for method, route in operations()
        if method == "GET"
        and route.path.startswith(prefix)
        and "{" not in route.path.removeprefix(prefix)
        and not route.path.endswith("/feed")
    ]
