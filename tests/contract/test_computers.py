"""What every computer keeps: the real one behind each isolation, and the one in memory."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dayshift.core.computer import FileContent, FileInfo
from dayshift.core.errors import ConflictError, DeniedError, InvalidError, NotFoundError
from dayshift.testing.memory_computer import MemoryComputer
from tests.contract.computers_stage import LOCAL, OTHERS, of_kind, opened, sh

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from dayshift.core.computer import Computer

CANCEL_LIMIT_S = 1.0


@pytest.fixture(params=[pytest.param("memory"), *LOCAL, *OTHERS])
async def computer(request: pytest.FixtureRequest) -> AsyncGenerator[Computer]:
    """A computer that is off."""
    if request.param == "memory":
        yield MemoryComputer()
        return
    if request.param in OTHERS:
        async with of_kind(request.param) as other:
            yield other
        return
    async with opened(request.param) as stage:
        yield stage.iris


class TestCommands:
    """Commands run where the last one ended, and end when they must."""

    async def test_a_command_tells_its_output_and_its_exit_code(self, computer: Computer) -> None:
        """What is printed comes back whole, with its size and the code.

        Demanded by: TOOL-3.
        """
        result = await sh(computer, "echo ready; exit 7")
        assert (result.output, result.output_bytes, result.exit_code) == ("ready\n", 6, 7)
        assert (result.timed_out, result.background) == (False, ())

    async def test_output_is_shown_while_it_comes(self, computer: Computer) -> None:
        """Who watches sees the same text as the result holds.

        Demanded by: TOOL-3.
        """
        seen: list[str] = []
        result = await sh(computer, "echo one; echo two", watch=seen.append)
        assert "".join(seen) == result.output == "one\ntwo\n"
        assert "" not in seen

    async def test_the_working_directory_carries_over(self, computer: Computer) -> None:
        """The next command starts where this one ended.

        Demanded by: TOOL-3.
        """
        first = await sh(computer, "mkdir -p site/css; cd site/css")
        second = await sh(computer, "pwd")
        assert first.cwd == computer.status().cwd == f"{computer.status().workspace}/site/css"
        assert second.output == f"{first.cwd}\n"

    async def test_a_folder_that_is_gone_is_left_for_the_workspace(
        self, computer: Computer
    ) -> None:
        """A command does not fail because somebody removed the folder it would start in.

        Demanded by: TOOL-3.
        """
        await sh(computer, "mkdir gone; cd gone")
        await computer.delete("gone")
        result = await sh(computer, f"cd {computer.status().workspace}; pwd")
        assert (result.exit_code, result.cwd) == (0, computer.status().workspace)

    async def test_a_command_that_takes_too_long_is_ended(self, computer: Computer) -> None:
        """What it printed until then stays, and the computer goes on.

        Demanded by: TOOL-3.
        """
        late = await sh(computer, "echo begun; sleep 60; echo never", timeout_s=0.3)
        next_one = await sh(computer, "echo again")
        assert (late.timed_out, late.output, late.exit_code != 0) == (True, "begun\n", True)
        assert (next_one.output, next_one.timed_out) == ("again\n", False)

    async def test_a_cancelled_command_is_ended_within_a_second(self, computer: Computer) -> None:
        """Stopping a run leaves no command behind, and the computer goes on.

        Demanded by: RUN-4.
        """
        await sh(computer, "true")
        begun = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            task = group.create_task(
                sh(computer, "echo begun; sleep 60", watch=lambda _text: begun.set())
            )
            await asyncio.wait_for(begun.wait(), 30)
            task.cancel()
            await asyncio.wait([task], timeout=CANCEL_LIMIT_S)
        assert task.cancelled()
        assert (await sh(computer, "echo again")).output == "again\n"

    async def test_what_runs_in_the_background_is_listed_and_ends_with_the_computer(
        self, computer: Computer
    ) -> None:
        """A server outlives its command, not its computer.

        Demanded by: TOOL-3.
        """
        result = await sh(computer, "sleep 60 & sleep 61 & true")
        listed = computer.status().background
        await computer.off()
        status = computer.status()
        assert (len(result.background), listed) == (2, 2)
        assert (status.on, status.background, status.cwd) == (False, 0, status.workspace)

    async def test_long_output_keeps_its_head_and_its_tail(self, computer: Computer) -> None:
        """Within the bound, with a line that tells how much is left out, and the whole size.

        Demanded by: RUN-7.
        """
        await computer.write("long.txt", b"head " + b"x" * 10_000 + b" tail")
        result = await sh(computer, "cat long.txt", bytes_max=1_000)
        assert result.output_bytes == 10_010
        assert (result.output[:6], result.output[-5:]) == ("head x", " tail")
        assert "9010 bytes left out" in result.output
        assert len(result.output) < 1_100

    async def test_a_command_with_nul_is_refused(self, computer: Computer) -> None:
        """No shell can be given one.

        Demanded by: the working office, bad input.
        """
        with pytest.raises(InvalidError):
            await sh(computer, "echo a\0b")

    async def test_commands_run_beside_each_other(self, computer: Computer) -> None:
        """Three calls of one turn do not wait for each other.

        Demanded by: RUN-3.
        """
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            slow = group.create_task(sh(computer, "sleep 2; cat signal.txt"))
            group.create_task(sh(computer, "echo here > signal.txt"))
        assert slow.result().output == "here\n"


class TestFiles:
    """Files are read and written from outside, on or off."""

    async def test_a_file_is_written_whole_and_read_in_parts(self, computer: Computer) -> None:
        """Folders on the way are made; the second writing is no new file.

        Demanded by: TOOL-3.
        """
        is_new = await computer.write("site/css/main.css", b"body { margin: 0 }\n")
        is_new_again = await computer.write("site/css/main.css", b"body {}\n")
        part = await computer.read("site/css/main.css", offset=5, limit=2)
        assert (is_new, is_new_again) == (True, False)
        assert part == FileContent(data=b"{}", size_bytes=8)
        assert not computer.status().on

    async def test_files_are_the_same_for_commands(self, computer: Computer) -> None:
        """What tools write the shell reads and changes, and the other way round.

        Demanded by: TOOL-3, PROC-05.
        """
        await computer.write("site/index.html", b"<p>one</p>\n")
        workspace = computer.status().workspace
        seen = await sh(
            computer, f"cd site; echo two >> index.html; cat {workspace}/site/index.html"
        )
        after = await computer.read(f"{workspace}/site/index.html")
        assert seen.output == after.data.decode() == "<p>one</p>\ntwo\n"

    async def test_folders_list_what_is_in_them(self, computer: Computer) -> None:
        """By name, bounded; a walk gives files of all folders but those it should skip.

        Demanded by: TOOL-3.
        """
        await computer.write("b.txt", b"12")
        await computer.write("a/deep/c.txt", b"1")
        await computer.write("node_modules/d.txt", b"1")
        listed = [
            (i.path, i.kind, i.size_bytes) for i in await computer.entries("") if i.kind == "file"
        ]
        walked = [info.path for info in await computer.walk(".", skip=["node_modules"])]
        assert listed == [("b.txt", "file", 2)]
        assert [i.path for i in await computer.entries("a")] == ["a/deep"]
        assert [i.path for i in await computer.entries("", limit=1)] == ["a"]
        assert walked == ["b.txt", "a/deep/c.txt"]
        assert len(await computer.walk("", limit=2)) == 2

    async def test_an_entry_tells_what_it_is(self, computer: Computer) -> None:
        """Kind, size and the path from the workspace, however it was asked for.

        Demanded by: TOOL-3.
        """
        await computer.write("a/b.txt", b"123")
        file = await computer.info(f"{computer.status().workspace}/a/./b.txt")
        folder = await computer.info("a")
        assert file == FileInfo("a/b.txt", "file", 3, file.modified_at)
        assert (folder.path, folder.kind) == ("a", "folder")

    async def test_only_what_is_empty_is_deleted(self, computer: Computer) -> None:
        """A folder with something in it stays, and so does the workspace.

        Demanded by: TOOL-3.
        """
        await computer.write("a/b.txt", b"")
        with pytest.raises(ConflictError):
            await computer.delete("a")
        with pytest.raises(DeniedError):
            await computer.delete(".")
        await computer.delete("a/b.txt")
        await computer.delete("a")
        assert await computer.entries("") == []

    @pytest.mark.parametrize(
        ("path", "error"),
        [
            ("missing.txt", NotFoundError),
            ("missing/file.txt", NotFoundError),
            ("folder", InvalidError),
            ("file/below", InvalidError),
            ("nul\0byte", InvalidError),
            ("half\ud83d", InvalidError),
            ("..", DeniedError),
            ("../kai/workspace/x", DeniedError),
            ("folder/../../x", DeniedError),
            ("/etc/passwd", DeniedError),
            ("/workspaces", DeniedError),
            ("//etc/passwd", DeniedError),
        ],
    )
    async def test_what_cannot_be_read_says_why(
        self, computer: Computer, path: str, error: type[Exception]
    ) -> None:
        """Missing, no file, no name, and outside are told apart; nothing is read.

        Demanded by: the working office, bad input; SEC-05.
        """
        await computer.write("file", b"secret")
        await computer.write("folder/inside", b"secret")
        with pytest.raises(error) as caught:
            await computer.read(path)
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize(
        ("path", "error"),
        [
            ("folder", InvalidError),
            ("", InvalidError),
            ("file/below", InvalidError),
            ("../x", DeniedError),
            ("/tmp/x", DeniedError),  # noqa: S108  not ours to write, as the test says
        ],
    )
    async def test_what_cannot_be_written_changes_nothing(
        self, computer: Computer, path: str, error: type[Exception]
    ) -> None:
        """Neither the file nor any folder on the way to it.

        Demanded by: the working office, bad input.
        """
        await computer.write("file", b"1")
        await computer.write("folder/inside", b"1")
        with pytest.raises(error):
            await computer.write(path, b"2")
        files = [info.path for info in await computer.walk("")]
        assert files == ["file", "folder/inside"]
        assert (await computer.read("file")).data == b"1"
