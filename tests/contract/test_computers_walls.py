"""What the walls of a local computer keep in and out, behind each isolation that works here."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dayshift.computers.enclosure import Limits
from dayshift.computers.isolation import SETTING, probe
from dayshift.computers.options import Options
from dayshift.core.errors import ComputerError, DeniedError, InvalidError
from tests.contract.computers_stage import CLOSED, LOCAL, Stage, opened, report, sh

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

CANARY = "canary-5f1c"
IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only a server that is root changes users")


@pytest.fixture(params=LOCAL)
async def stage(request: pytest.FixtureRequest) -> AsyncGenerator[Stage]:
    """Computers behind each isolation, none too."""
    async with opened(request.param) as here:
        yield here


@pytest.fixture(params=CLOSED)
async def closed(request: pytest.FixtureRequest) -> AsyncGenerator[Stage]:
    """Computers behind each isolation that is one."""
    async with opened(request.param) as here:
        yield here


async def test_a_command_sees_the_environment_it_was_given_and_no_other(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent's own variables are there, also odd ones; the server's are not.

    Demanded by: CAP-1, the working office (local computer).
    """
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    env = {"LOG_LEVEL": "debug", "ODD": "a b\n'\"$HOME\\"}
    iris = stage.computers.of("acme", "iris", Options(env=env))
    told = await sh(iris, 'printf "%s|" "$LOG_LEVEL" "$ODD" "$USER" "$HOME"; env')
    assert told.output.startswith(f"debug|a b\n'\"$HOME\\|agent|{iris.status().workspace}|")
    assert "ANTHROPIC_API_KEY" not in told.output


async def test_no_environment_of_another_process_can_be_read(
    closed: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the server's either, by way of the kernel's list of processes.

    Demanded by: CAP-1, security from day one.
    """
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    child = await asyncio.create_subprocess_exec("sleep", "60")
    told = await sh(closed.iris, f"cat /proc/[0-9]*/environ; cat /proc/{child.pid}/environ; true")
    child.kill()
    await child.wait()
    assert CANARY not in told.output
    assert "DAYSHIFT_COMPUTER" in told.output


async def test_the_machines_secrets_and_the_servers_home_are_out_of_reach(closed: Stage) -> None:
    """Passwords, the database, private folders and colleagues' files cannot be read.

    Demanded by: SEC-05, STOR-03, CAP-1.
    """
    await closed.kai.write("plan.txt", CANARY.encode())
    database = closed.home / "dayshift.db"
    database.write_text(CANARY)
    private = closed.workspace("iris").parent / "private"
    await closed.iris.write("own.txt", b"own")
    private.mkdir(exist_ok=True)
    (private / "key").write_text(CANARY)
    others = f"/etc/shadow {database} {private}/key {closed.workspace('kai')}/plan.txt"
    told = await sh(
        closed.iris, f"cat own.txt; cat {others}; ls -R {closed.home} /root /home; true"
    )
    assert told.output.startswith("own")
    assert CANARY not in told.output
    assert "root:" not in told.output
    assert "plan.txt\n" not in told.output


async def test_nothing_outside_can_be_written(closed: Stage) -> None:
    """Only the workspace and the temporary folder take files.

    Demanded by: CAP-1.
    """
    outside = ["/usr/x", "/etc/x", "/x", "/dev/x", "/var/x", "/home/x", f"{closed.home}/x"]
    told = await sh(
        closed.iris, f"for f in {' '.join(outside)}; do echo 1 > $f && echo $f; done; true"
    )
    taken = await sh(
        closed.iris, "echo 1 > here && echo 2 > $TMPDIR/there && cat here $TMPDIR/there"
    )
    lines = told.output.splitlines()
    assert [line for line in lines if line in outside] == []
    assert taken.output == "1\n2\n"


async def test_no_server_on_this_machine_can_be_reached(closed: Stage) -> None:
    """A command has no network unless its agent was given one.

    Demanded by: CAP-1.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        told = await sh(closed.iris, f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached; true")
    assert "reached" not in told.output


async def test_an_agent_with_network_reaches_it() -> None:
    """The owner may open the network for an agent.

    Demanded by: CAP-1.
    """
    async with opened((await asyncio.to_thread(probe)).in_force) as stage:
        iris = stage.computers.of("acme", "iris", Options(network=True))
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            told = await sh(iris, f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached")
        assert told.output == "reached\n"
        assert iris.status().network


async def test_a_command_is_nobody_special(stage: Stage) -> None:
    """Never root, without capabilities, and without a way to get them.

    Demanded by: CAP-1.
    """
    told = await sh(stage.iris, "id -u; grep -E '^(CapEff|CapPrm|NoNewPrivs):' /proc/self/status")
    uid, *facts = told.output.split()
    assert uid != "0"
    assert facts == ["CapPrm:", "0" * 16, "CapEff:", "0" * 16, "NoNewPrivs:", "1"]


async def test_a_command_cannot_end_the_server(closed: Stage) -> None:
    """Signals to the server, or to all, reach nobody outside.

    Demanded by: CALL-03.
    """
    child = await asyncio.create_subprocess_exec("sleep", "60")
    told = await sh(closed.iris, f"kill -9 {os.getpid()} {child.pid} || echo refused")
    assert "refused" in told.output
    assert child.returncode is None
    child.kill()
    await child.wait()


async def test_limits_hold_for_every_command(stage: Stage) -> None:
    """Processes, files, memory and processor time of a command are bounded.

    Demanded by: CAP-1.
    """
    limits = Limits(
        processes=64, open_files=100, file_bytes=1 << 20, memory_bytes=1 << 30, cpu_s=60
    )
    iris = stage.computers.of("acme", "iris", Options(limits=limits))
    told = await sh(iris, "ulimit -c; ulimit -u; ulimit -n; ulimit -f; ulimit -d; ulimit -t")
    big = await sh(iris, "head -c 2000000 /dev/zero > big; stat -c %s big")
    assert told.output.split() == ["0", "64", "100", "1024", "1048576", "60"]
    assert big.output.splitlines()[-1] == str(1 << 20)


async def test_five_megabytes_come_back_whole(stage: Stage) -> None:
    """Nothing of a large output is lost, doubled or out of order.

    Demanded by: CTX-04.
    """
    told = await sh(stage.iris, "seq 1 700000")
    lines = told.output.split()
    assert told.output_bytes == len(told.output) == 4_788_895
    assert (len(lines), lines[0], lines[-1], len(set(lines))) == (700_000, "1", "700000", 700_000)


async def test_a_flood_is_counted_and_does_not_take_the_loop(stage: Stage) -> None:
    """A command that prints without end is ended at its limit; others go on meanwhile.

    Demanded by: CTX-04.
    """
    turns = 0
    async with asyncio.TaskGroup() as group:
        flood = group.create_task(sh(stage.iris, "yes", timeout_s=0.5, bytes_max=100_000))
        await sh(stage.kai, "true")
        while not flood.done():
            turns += 1
            await asyncio.sleep(0)
    result = flood.result()
    assert (result.timed_out, result.output_bytes > 1_000_000) == (True, True)
    assert len(result.output) < 101_000
    assert turns > 100


async def test_what_is_no_unicode_becomes_a_mark(stage: Stage) -> None:
    """Half an emoji, also as a file's name, never leaves the computer.

    Demanded by: TEXT-01.
    """
    seen: list[str] = []
    half = r"\xed\xa0\xbd"
    told = await sh(stage.iris, rf"printf 'a{half}b'; touch $'{half}.txt'", watch=seen.append)
    names = [info.path for info in await stage.iris.entries("")]
    whole = (
        told.output.encode().decode() + "".join(seen).encode().decode() + names[0].encode().decode()
    )
    assert whole.count("\ufffd") >= 3
    assert told.output[:1] + told.output[-1:] == "ab"


async def test_agents_read_and_change_what_a_person_put_there(stage: Stage) -> None:
    """Whoever put a file into the workspace, its agent may change it after the next start.

    Demanded by: PROC-05.
    """
    await sh(stage.iris, "echo mine > mine.txt; chmod 600 mine.txt")
    await stage.iris.off()
    folder = stage.workspace() / "brief"
    folder.mkdir(mode=0o700)
    (folder / "brief.txt").write_text("one\n")
    (folder / "brief.txt").chmod(0o600)
    told = await sh(stage.iris, "echo two >> brief/brief.txt; cat brief/brief.txt")
    assert told.output == "one\ntwo\n"
    assert (stage.workspace() / "mine.txt").read_text() == "mine\n"


@needs_root
async def test_every_agent_is_a_user_of_its_own(stage: Stage) -> None:
    """Two agents are two users; what is written for one from outside is that one's.

    Demanded by: CAP-1.
    """
    await stage.iris.write("site/a.txt", b"1")
    await sh(stage.kai, "echo 1 > b.txt")
    iris = {path.stat().st_uid for path in (stage.workspace(), *stage.workspace().rglob("*"))}
    kai = {path.stat().st_uid for path in stage.workspace("kai").rglob("*")}
    assert (len(iris), len(kai), len(iris | kai | {0})) == (1, 1, 3)


@needs_root
async def test_a_second_name_does_not_hand_over_a_file_from_outside(stage: Stage) -> None:
    """Making a workspace its agent's never changes whose a file outside is.

    Demanded by: SEC-05.
    """
    secret = stage.home / "secret"
    secret.write_text(CANARY)
    await stage.iris.write("a.txt", b"1")
    (stage.workspace() / "b.txt").hardlink_to(secret)
    (stage.workspace() / "c").symlink_to(secret)
    await sh(stage.iris, "true")
    assert secret.stat().st_uid == 0
    with pytest.raises(DeniedError) as caught:
        await stage.iris.read("b.txt")
    assert CANARY not in str(caught.value)


async def test_links_lead_nowhere(stage: Stage) -> None:
    """A link made by the agent, to a file or a folder, is refused from outside, read or written.

    Demanded by: SEC-05, TOOL-7.
    """
    await stage.kai.write("secret.txt", CANARY.encode())
    kais = "../../kai/workspace"
    await sh(stage.iris, f"ln -s {kais}/secret.txt a; ln -s .. up; ln -s {kais} k; echo 1 > x")
    refusals: list[str] = []
    for path in ("a", "up/kai/workspace/secret.txt", "k/secret.txt", "up/x", "k/../x"):
        with pytest.raises((DeniedError, InvalidError)) as caught:
            await stage.iris.read(path)
        refusals.append(str(caught.value))
        with pytest.raises((DeniedError, InvalidError)):
            await stage.iris.write(path, b"taken over")
    with pytest.raises(DeniedError):
        await stage.iris.entries("k")
    assert CANARY not in "".join(refusals)
    assert (await stage.kai.read("secret.txt")).data == CANARY.encode()
    assert [(i.path, i.kind) for i in await stage.iris.walk("")] == [
        ("a", "link"),
        ("k", "link"),
        ("up", "link"),
        ("x", "file"),
    ]


async def test_without_isolation_nothing_runs_until_the_owner_opts_in() -> None:
    """The refusal names the setting; files can be read and written all the same.

    Demanded by: CAP-1, the working office (local computer).
    """
    async with opened("refused") as stage:
        await stage.iris.write("a.txt", b"1")
        with pytest.raises(ComputerError) as caught:
            await sh(stage.iris, "true")
        assert (caught.value.message, caught.value.hint) == ("No walls.", "Set IT.")
        assert (await stage.iris.read("a.txt")).data == b"1"
        assert not stage.iris.status().on
    assert SETTING == "DAYSHIFT_ALLOW_UNISOLATED"


def test_the_isolation_in_force_is_found_by_trying() -> None:
    """It says why it is the one, and what would make it stronger.

    Demanded by: CAP-1, PLAT-4.
    """
    found = probe()
    assert found == probe()
    assert found.in_force == ("bubblewrap" if Path("/usr/bin/bwrap").exists() else found.in_force)
    assert found.why
    assert report("refused").improve
