"""Tool calls of a turn: checked, up to three at a time, each result written down as it comes.

A call is written RUNNING before it starts. What a tool changes in the ledger is committed together
with its result, so that it happens exactly once.
"""

import asyncio
from collections.abc import Sequence

import msgspec
import structlog

from dayshift.core.artifacts import Artifact
from dayshift.core.entries import FileWritten
from dayshift.core.errors import (
    FencedError,
    OfficeError,
    StorageError,
)
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import BATCH_LIMIT_S, PARALLEL_CALLS
from dayshift.core.model import CallPart, ToolMessage
from dayshift.core.states import CallState
from dayshift.core.tools import Tool, ToolContext, ToolResult, parse_arguments, refused
from dayshift.core.views import CallView, ItemView, RunView
from dayshift.facilities.journal import NewCall
from dayshift.run import capping
from dayshift.run.briefing import Prompt
from dayshift.run.dialogue import Dialogue
from dayshift.run.faults import tell_fault
from dayshift.run.live import LiveOutput
from dayshift.run.outcome import Outcome
from dayshift.run.record import Ended, Record
from dayshift.run.workplace import Workplace

log = structlog.get_logger()
SHOWN_CHARS = 2_000
RESULTS_FOLDER = ".dayshift/results"
CUT = (
    "Your answer was cut off by the output limit, so this call was not carried out. Nothing was "
    "done. Send it again in smaller parts."
)
REFUSED = "The answer ended as a refusal, so this call was not carried out. Nothing was done."
LAST_TURN = "This was the last turn of the run; tools are no longer available. Nothing was done."


def new_calls(
    run: RunView, turn: int, parts: Sequence[CallPart], dialogue: Dialogue
) -> list[NewCall]:
    """The calls of an answer as they are written down first; their results' places are taken."""
    return [
        NewCall(
            CallView(
                id=f"{run.id}.{turn}.{index}",
                run=run.id,
                agent=run.agent,
                turn=turn,
                index=index,
                name=part.name,
                arguments=part.arguments[:SHOWN_CHARS],
                state=CallState.PENDING,
                code="",
                result="",
                result_bytes=0,
                result_path="",
                artifacts=[],
                started_at=None,
                ended_at=None,
                duration_ms=0,
            ),
            part.id,
            part.arguments,
            dialogue.take_place(),
        )
        for index, part in enumerate(parts)
    ]


class CallRunner:
    """Carries out the calls of one run."""

    def __init__(self, place: Workplace, record: Record, *, item: ItemView, prompt: Prompt) -> None:
        """``record`` holds all writes to the run's fence."""
        self._place = place
        self._record = record
        self._item = item
        self._prompt = prompt
        self._slots = asyncio.Semaphore(PARALLEL_CALLS)

    async def carry_out(self, calls: Sequence[NewCall]) -> list[Outcome]:
        """Carry out the calls of one answer; returns what they came to, in order.

        Raises:
            FencedError: The run is no longer this worker's.
            StorageError: The disk refused a result.
        """
        until = asyncio.get_running_loop().time() + self._batch_limit_s(calls)
        if len(calls) == 1:
            return [await self._one(calls[0], until)]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._one(call, until), name=call.view.id) for call in calls
                ]
        except ExceptionGroup as group:
            raise _first_of(group) from None
        return [task.result() for task in tasks]

    def starting(self, calls: Sequence[NewCall]) -> list[NewCall]:
        """The calls with those marked that start at once, so that it is written with the answer."""
        free = PARALLEL_CALLS
        marked: list[NewCall] = []
        for call in calls:
            tool = self._place.means.tools.get(call.view.name)
            if free and not isinstance(self._check(tool, call), ToolResult):
                free -= 1
                call = msgspec.structs.replace(call, starts=self._started(call.view))  # noqa: PLW2901  the marked one
            marked.append(call)
        return marked

    def _started(self, view: CallView) -> CallView:
        now = self._place.clock.now()
        return msgspec.structs.replace(view, state=CallState.RUNNING, started_at=now)

    def dropped(self, calls: Sequence[NewCall], code: str, text: str) -> list[Ended]:
        """How calls end that are not carried out."""
        return [
            Ended(
                self._ended(call.view, ToolResult(ok=False, text=text, code=code), text),
                ToolMessage(call.provider_id, call.view.name, text, ok=False),
            )
            for call in calls
        ]

    def _batch_limit_s(self, calls: Sequence[NewCall]) -> float:
        tools = (self._place.means.tools.get(call.view.name) for call in calls)
        return max([self._place.patience.batch_s, *(self._limit_s(t) for t in tools if t)])

    def _limit_s(self, tool: Tool) -> float:
        """A tool's own limit where it declares a longer one than the rule's."""
        own = tool.limit_s
        return own if own > BATCH_LIMIT_S else min(own, self._place.patience.batch_s)

    async def _one(self, call: NewCall, until: float) -> Outcome:
        tool = self._place.means.tools.get(call.view.name)
        checked = self._check(tool, call)
        if tool is None or isinstance(checked, ToolResult):
            result = checked if isinstance(checked, ToolResult) else _unknown(call, self._prompt)
            return await self._settle(call, call.view, result)
        try:
            async with asyncio.timeout_at(until):
                await self._slots.acquire()
        except TimeoutError:
            return await self._settle(call, call.view, _never_started())
        try:
            return await self._carry_out(tool, call, checked, until)
        finally:
            self._slots.release()

    async def _carry_out(
        self, tool: Tool, call: NewCall, arguments: msgspec.Struct, until: float
    ) -> Outcome:
        running = call.starts
        if running is None:
            running = self._started(call.view)
            await self._record.running(running)
        began = self._place.monotonic()
        result = await self._call(tool, call, arguments, until)
        took_ms = int((self._place.monotonic() - began) * 1000)
        return await self._settle(
            call, msgspec.structs.replace(running, duration_ms=took_ms), result
        )

    def _check(self, tool: Tool | None, call: NewCall) -> msgspec.Struct | ToolResult:
        name = call.view.name
        if tool is None:
            return _unknown(call, self._prompt)
        if name not in self._prompt.allowed:
            return ToolResult(
                ok=False,
                text=f"You may not use {name}; the office's file does not allow it to you. "
                "Do without it, or say that you are blocked. Trying again will not help.",
                code="tool_denied",
            )
        return parse_arguments(tool, call.arguments)

    async def _call(
        self, tool: Tool, call: NewCall, arguments: msgspec.Struct, until: float
    ) -> ToolResult:
        run = self._record.run
        output = LiveOutput(call.view.id, run=run.id, agent=run.agent, voice=self._place.voice)
        context = ToolContext(
            office=self._place.office,
            agent=run.agent,
            run_id=run.id,
            call_id=call.view.id,
            thread_id=run.thread,
            task_id=run.task,
            hops=self._item.hops,
            now=self._place.clock.now(),
            computer=self._place.means.computer_of(run.agent),
            on_output=output.add,
        )
        ends_at = min(asyncio.get_running_loop().time() + self._limit_s(tool), until)
        limit = asyncio.timeout_at(ends_at)
        try:
            async with limit:
                return await tool.call(context, arguments)
        except TimeoutError as error:
            return _timed_out(tool) if limit.expired() else await self._at_fault(tool, error)
        except OfficeError as error:
            return refused(error)
        except Exception as error:  # noqa: BLE001  a bug in a tool must not end the office
            return await self._at_fault(tool, error)
        finally:
            output.stop()

    async def _at_fault(self, tool: Tool, error: Exception) -> ToolResult:
        await tell_fault("tool_failed", error, tool=tool.name, run_id=self._record.run.id)
        return ToolResult(
            ok=False,
            text=f"{tool.name} failed by a fault of its own ({type(error).__name__}). "
            "Trying again will not help.",
            code="internal",
        )

    # --- results ------------------------------------------------------------------------------

    async def _settle(self, call: NewCall, view: CallView, result: ToolResult) -> Outcome:
        """Write a result with its effect; an effect that is refused leaves the refusal."""
        try:
            return await self._settled(call, view, result)
        except (FencedError, StorageError):
            raise
        except OfficeError as error:
            if result.effect is None:
                raise
            return await self._settled(call, view, refused(error))

    async def _settled(self, call: NewCall, view: CallView, result: ToolResult) -> Outcome:
        capped, path = await self._kept_whole(view, result.text)
        last = [result]

        def write(unit: UnitOfWork) -> Ended:
            now = last[0] = (result.effect(unit) if result.effect is not None else None) or result
            text = capped.text if now is result else capping.cap(now.text, "").text
            images, note = capping.kept_images(now.images)
            for artifact in now.artifacts:
                self._note(unit, artifact, call)
            done = self._ended(view, now, text)
            if now is result:
                done = msgspec.structs.replace(done, result_path=path)
            message = ToolMessage(
                call.provider_id, view.name, text + note, ok=now.ok, images=images
            )
            return Ended(done, message)

        ended = await self._record.ended(call, write)
        return Outcome(
            view.turn,
            view.name,
            call.arguments,
            ok=last[0].ok,
            text=ended.message.text,
            ends_run=last[0].ends_run,
        )

    async def _kept_whole(self, view: CallView, text: str) -> tuple[capping.Capped, str]:
        """A text as the model reads it, and where in the workspace it lies whole.

        The path is empty when the text is short, or when it could not be kept.
        """
        path = f"{RESULTS_FOLDER}/{view.id}.txt"
        capped = capping.cap(text, path)
        if not capped.full:
            return capped, ""
        try:
            await self._place.means.computer_of(view.agent).write(path, capped.full.encode())
        except OfficeError as error:
            log.warning("result_not_kept", call_id=view.id, code=error.code)
            return capping.cap(text, ""), ""
        return capped, path

    def _note(self, unit: UnitOfWork, artifact: Artifact, call: NewCall) -> None:
        if artifact.kind == "file":
            entry = FileWritten(
                agent=call.view.agent,
                path=artifact.path,
                run=call.view.run,
                call=call.view.id,
                bytes=artifact.bytes,
                new=artifact.id == "new",
            )
            unit.append(entry)

    def _ended(self, view: CallView, result: ToolResult, text: str) -> CallView:
        return msgspec.structs.replace(
            view,
            state=CallState.SUCCEEDED if result.ok else CallState.FAILED,
            code=result.code,
            result=text[:SHOWN_CHARS],
            result_bytes=len(result.text.encode("utf-8", "replace")),
            artifacts=list(result.artifacts),
            ended_at=self._place.clock.now(),
        )


def _unknown(call: NewCall, prompt: Prompt) -> ToolResult:
    names = ", ".join(sorted(prompt.allowed))
    text = f"There is no tool {call.view.name}. Yours are: {names}."
    return ToolResult(ok=False, text=text, code="unknown_tool")


def _timed_out(tool: Tool) -> ToolResult:
    return ToolResult(
        ok=False,
        text=f"{tool.name} took too long and was ended. What it did until then stands.",
        code="timed_out",
        retryable=True,
    )


def _never_started() -> ToolResult:
    return ToolResult(
        ok=False,
        text="The time for the calls of this answer was over before this one could start. "
        "Nothing was done. Ask for fewer at a time.",
        code="timed_out",
        retryable=True,
    )


def _first_of(group: ExceptionGroup[Exception]) -> Exception:
    """The one error that ends a batch; a lost fence before all others."""
    errors = group.exceptions
    return next((error for error in errors if isinstance(error, FencedError)), errors[0])
