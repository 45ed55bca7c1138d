"""Tools that read, write and search files."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from dayshift.core.artifacts import Artifact
from dayshift.core.limits import RESULT_CHARS_MAX
from dayshift.core.model import ImagePart
from dayshift.core.tools import ToolResult
from tests.contract.computers_stage import LOCAL, opened
from tests.spec.tools_stage import Desk, desk

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
POEM = "roses\nviolets\nsugar\nyou\n"


@pytest.fixture(params=["memory", *LOCAL])
async def at(request: pytest.FixtureRequest) -> AsyncGenerator[Desk]:
    """A desk with computers of every kind."""
    if request.param == "memory":
        yield desk()
        return
    async with opened(request.param) as stage:
        yield Desk({"iris": stage.iris, "kai": stage.kai})


async def test_read_file_gives_a_text_as_it_is(at: Desk) -> None:
    """A whole file comes without a word added, so that it can be edited by what was read.

    Demanded by: TOOL-3.
    """
    await at.iris.write("poem.txt", POEM.encode())
    workspace = at.iris.status().workspace
    assert (await at.call("read_file", path="poem.txt")).text == POEM.rstrip("\n")
    assert (await at.call("read_file", path=f"{workspace}/poem.txt")).text == POEM.rstrip("\n")


async def test_read_file_gives_parts_and_tells_how_to_go_on() -> None:
    """By lines; behind the end it says how long the file is.

    Demanded by: TOOL-3.
    """
    at = desk()
    await at.iris.write("poem.txt", POEM.encode())
    first = await at.call("read_file", path="poem.txt", limit=2)
    last = await at.call("read_file", path="poem.txt", offset=3)
    behind = await at.call("read_file", path="poem.txt", offset=9)
    assert first.text == "roses\nviolets\n[Lines 1 to 2 of 4; go on with offset 3.]"
    assert last.text == "sugar\nyou\n[Lines 3 to 4 of 4.]"
    assert (behind.ok, behind.text) == (False, "poem.txt has 4 lines, none from 9 on.")


async def test_read_file_never_gives_more_than_a_result_may_hold() -> None:
    """A part fits below the cap of all tools, so that its middle is never cut out.

    Demanded by: RUN-7, CTX-04.
    """
    at = desk()
    await at.iris.write("long.txt", b"0123456789abcdef\n" * 300_000)
    await at.iris.write("wide.txt", b"x" * 3_000_000)
    long = await at.call("read_file", path="long.txt", limit=5_000)
    wide = await at.call("read_file", path="wide.txt")
    assert 15_000 < len(long.text) <= RESULT_CHARS_MAX
    assert "of 300,000; go on with offset" in long.text
    assert wide.text == "x" * 2_000 + "[… 3,000,000 characters in this line]"


async def test_read_file_shows_images_as_images(at: Desk) -> None:
    """By what is in the file, not by its name; what is neither text nor image is said to be so.

    Demanded by: TOOL-3, MODEL-1 (images in).
    """
    await at.iris.write("logo", PNG)
    await at.iris.write("blob.txt", b"a\0b")
    image = await at.call("read_file", path="logo")
    blob = await at.call("read_file", path="blob.txt")
    assert image.images == (ImagePart("image/png", base64.b64encode(PNG).decode()),)
    assert (blob.ok, blob.code) == (False, "binary")


async def test_write_file_tells_people_what_changed(at: Desk) -> None:
    """The file, whether it is new, and the difference.

    Demanded by: TOOL-3.
    """
    new = await at.call("write_file", path="./site/a.txt", content="one\n")
    again = await at.call("write_file", path="site/a.txt", content="two\n")
    diff = "--- a/site/a.txt\n+++ b/site/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
    assert new.artifacts == (Artifact(kind="file", path="site/a.txt", id="new", bytes=4),)
    assert again.artifacts == (
        Artifact(kind="file", path="site/a.txt", bytes=4),
        Artifact(kind="diff", path="site/a.txt", diff=diff),
    )
    assert (await at.iris.read("site/a.txt")).data == b"two\n"


async def test_edit_file_makes_all_replacements_or_none(at: Desk) -> None:
    """Each is looked for in the file as it was; the difference goes along.

    Demanded by: TOOL-3.
    """
    await at.iris.write("poem.txt", POEM.encode())
    swap = [
        {"old_text": "roses", "new_text": "violets"},
        {"old_text": "violets", "new_text": "tulips"},
    ]
    made = await at.call("edit_file", path="poem.txt", replacements=swap)
    half = [*swap, {"old_text": "salt", "new_text": "pepper"}]
    refused = await at.call("edit_file", path="poem.txt", replacements=half)
    assert (made.ok, made.artifacts[1].kind) == (True, "diff")
    assert "-roses\n violets\n+tulips\n sugar\n" in made.artifacts[1].diff
    assert (refused.ok, refused.code) == (False, "invalid")
    assert (await at.iris.read("poem.txt")).data == b"violets\ntulips\nsugar\nyou\n"


@pytest.mark.parametrize(
    ("old_text", "told"),
    [
        ("o", "is there 3 times, at lines 1, 2, 4"),
        ("rosis", "Closest to it is line 1:\nroses"),
        (
            "  sugar\n  you",
            "Lines 3 to 4 differ from it in white space only; they are:\nsugar\nyou",
        ),
        ("quite another thing", "read the file again"),
        ("roses\nviolets", "Lines 1 to 2 differ from it in white space only"),
    ],
)
async def test_edit_file_says_what_was_wrong_with_the_old_text(old_text: str, told: str) -> None:
    """Not unique, nearly there, other white space, or nowhere; the model can mend each.

    Demanded by: TOOL-3.
    """
    at = desk()
    await at.iris.write("poem.txt", POEM.replace("\n", "\r\n", 1).encode())
    result = await at.call(
        "edit_file", path="poem.txt", replacements=[{"old_text": old_text, "new_text": "x"}]
    )
    assert (result.ok, told in result.text) == (False, True)


async def test_edit_file_keeps_the_files_own_line_ends_and_mark() -> None:
    """A model writes plain line ends; a file from elsewhere keeps its own.

    Demanded by: TOOL-3.
    """
    at = desk()
    await at.iris.write("dos.txt", "\ufeffone\r\ntwo\r\n".encode())
    replacement = {"old_text": "one\ntwo", "new_text": "one\nand\ntwo"}
    result = await at.call("edit_file", path="dos.txt", replacements=[replacement])
    assert result.ok
    assert (await at.iris.read("dos.txt")).data == "\ufeffone\r\nand\r\ntwo\r\n".encode()


async def test_edit_file_refuses_what_is_no_text() -> None:
    """Bytes that are no UTF-8 would not survive.

    Demanded by: TOOL-3, TEXT-01.
    """
    at = desk()
    await at.iris.write("latin.txt", b"caf\xe9")
    replacement = {"old_text": "caf", "new_text": "tea"}
    result = await at.call("edit_file", path="latin.txt", replacements=[replacement])
    assert (result.ok, result.code) == (False, "invalid")
    assert (await at.iris.read("latin.txt")).data == b"caf\xe9"


async def test_ls_tells_files_from_folders(at: Desk) -> None:
    """By name, bounded, and it says when there is more.

    Demanded by: TOOL-3.
    """
    await at.iris.write("b.txt", b"12345")
    await at.iris.write("a/c.txt", b"")
    whole = await at.call("ls")
    part = await at.call("ls", limit=1)
    assert whole.text == "a/\nb.txt  5 bytes"
    assert part.text == "a/\n[The first 1 entries; there are more.]"


async def test_find_knows_names_and_folders(at: Desk) -> None:
    """A bare name is looked for everywhere but in what others made; ** is any number of folders.

    Demanded by: TOOL-3.
    """
    for path in ("a.css", "src/b.css", "src/deep/c.css", "src/deep/c.js", "node_modules/d.css"):
        await at.iris.write(path, b"")
    patterns = ("*.css", "src/*.css", "src/**/*.css", "**/deep/*", "node_modules/*.css")
    found = [(await at.call("find", pattern=one)).text.split() for one in patterns]
    below = await at.call("find", pattern="deep/*.js", path="src")
    nothing = await at.call("find", pattern="*.py")
    assert found == [
        ["a.css", "src/b.css", "src/deep/c.css"],
        ["src/b.css"],
        ["src/b.css", "src/deep/c.css"],
        ["src/deep/c.css", "src/deep/c.js"],
        ["node_modules/d.css"],
    ]
    assert below.text == "src/deep/c.js"
    assert nothing == ToolResult(ok=True, text="No file has such a name.")


async def test_grep_finds_lines_by_pattern(at: Desk) -> None:
    """With file and number; as plain text, without case, in some files, and bounded.

    Demanded by: TOOL-3.
    """
    await at.iris.write("a/one.py", b"def first(x):\n    return 42\n")
    await at.iris.write("a/two.txt", b"FIRST (x)\n")
    await at.iris.write("node_modules/three.py", b"first\n")
    every = await at.call("grep", pattern=r"first\(\w+\)|42")
    loose = await at.call("grep", pattern="first", ignore_case=True, glob="*.txt")
    plain = await at.call("grep", pattern="(x)", literal=True, path="a", limit=1)
    nothing = await at.call("grep", pattern="second")
    wrong = await at.call("grep", pattern="(")
    assert every.text == "a/one.py:1:def first(x):\na/one.py:2:    return 42"
    assert loose.text == "a/two.txt:1:FIRST (x)"
    assert plain.text == "a/one.py:1:def first(x):\n[The first 1 lines; there are more.]"
    assert nothing == ToolResult(ok=True, text="No line matches.")
    assert (wrong.ok, wrong.code) == (False, "invalid")


async def test_grep_takes_no_pattern_for_a_command(at: Desk) -> None:
    """Quotes, dollars and dashes are searched for, not run.

    Demanded by: TOOL-3.
    """
    await at.iris.write("a.txt", b"-e it's $HOME; done\n")
    result = await at.call("grep", pattern="-e it's $HOME; done", literal=True)
    assert result.text == "a.txt:1:-e it's $HOME; done"


async def test_a_colleagues_files_can_be_read_but_for_what_is_private(at: Desk) -> None:
    """Only its workspace, of the same office, and not what it keeps to itself there.

    Demanded by: TOOL-7.
    """
    kai = at.computers["kai"]
    for path in ("plan.md", "private/diary.md", "memory/private/x", "app/.env.local"):
        await kai.write(path, b"# Plan")
    read = [
        await at.call("read_agent_file", agent="kai", path=path)
        for path in ("plan.md", "private/diary.md", "memory/private/x", "app/.env.local")
    ]
    dotted = await at.call("read_agent_file", agent="kai", path="x/../private/diary.md")
    outside = await at.call("read_agent_file", agent="kai", path="../../iris/workspace/a")
    stranger = await at.call("read_agent_file", agent="cleo", path="plan.md")
    assert [(one.ok, one.code) for one in read] == [(True, "ok"), *[(False, "denied")] * 3]
    assert (dotted.code, outside.code, stranger.code) == ("denied", "denied", "not_found")
    assert "# Plan" not in "".join(one.text for one in [*read[1:], dotted, outside, stranger])
    assert not kai.status().on


@pytest.mark.parametrize("kind", LOCAL)
async def test_links_lead_no_tool_outside(kind: str) -> None:
    """By every tool that takes a path, for the agent's own files and a colleague's.

    Demanded by: SEC-05, TOOL-7.
    """
    async with opened(kind) as stage:
        at = Desk({"iris": stage.iris, "kai": stage.kai})
        await stage.kai.write("private/secret.txt", b"canary-11")
        links = "ln -s ../../kai/workspace/private k; ln -s k/secret.txt s; ln -s .. up"
        await at.call("bash", command=links)
        await stage.kai.run(
            "ln -s private/secret.txt s",
            timeout_s=5,
            on_output=lambda _text: None,
            output_bytes_max=1_000,
        )
        results = [
            await at.call("read_file", path="s"),
            await at.call("read_file", path="k/secret.txt"),
            await at.call("ls", path="k"),
            await at.call("find", pattern="*", path="up"),
            await at.call("grep", pattern=".", path="k"),
            await at.call("write_file", path="k/new.txt", content="x"),
            await at.call("edit_file", path="s", replacements=[{"old_text": "c", "new_text": "x"}]),
            await at.call("read_agent_file", agent="kai", path="s"),
        ]
        assert [result.ok for result in results] == [False] * 8
        assert "canary-11" not in "".join(result.text for result in results)
        assert (await stage.kai.read("private/secret.txt")).data == b"canary-11"
