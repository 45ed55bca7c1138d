"""Tool calls of a turn: checked, started up to three at a time, each result written down as it comes.

A call is written RUNNING before it starts. What a tool changes in the ledger is committed together with its result,
so that it happens exactly once.
"""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import structlog

from dayshift.core.artifacts import Artifact
from dayshift.core.entries import FileWritten
from dayshift.core.errors import FencedError, OfficeError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import PARALLEL_CALLS
from dayshift.core.model import CallPart, ToolMessage
from dayshift.core.states import CallState
from dayshift.core.tools import Tool, ToolContext, ToolResult, parse_arguments, refused
from dayshift.core.views import CallView, ItemView, RunView
from dayshift.facilities.journal import NewCall
from dayshift.run import capping
from dayshift.run.briefing import Prompt
from dayshift.run.dialogue import Dialogue
from dayshift.run.live import LiveOutput
from dayshift.run.workplace import Workplace

log = structlog.get_logger()
SHOWN_CHARS = 2_000
RESULTS_FOLDER = ".dayshift/results"
INTERRUPTED = (
    "The server stopped while this call was running. Its outcome is unknown: it may have taken effect in full, in part "
    "or not at all. Look before you do it again."
)
CANCELLED = "The run was cancelled while this call was running; the command was ended."
NOT_STARTED = "The run was cancelled before this call was started. Nothing was done."
CUT = (
    "Your answer was cut off by the output limit, so this call was not carried out. Nothing was done. "
    "Send it again in smaller parts."
)


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
                arguments=capping.clean(part.arguments)[:SHOWN_CHARS],
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
            capping.clean(part.arguments),
            dialogue.take_place(),
        )
        for index, part in enumerate(parts)
    ]


class CallRunner:
    """Carries out the calls of one run."""

    def __init__(
        self, place: Workplace, run: RunView, *, item: ItemView, dialogue: Dialogue, prompt: Prompt
    ) -> None:
        """``run`` names the fence all writes are held to."""
        self._place = place
        self.run = run
        self._item = item
        self._dialogue = dialogue
        self._prompt = prompt
        self._slots = asyncio.Semaphore(PARALLEL_CALLS)

    async def carry_out(self, calls: Sequence[NewCall]) -> list[tuple[str, str, bool, str]]:
        """Carry out calls; returns name, arguments, ok and result of each, in order.

        Raises:
            FencedError: The run is no longer this worker's.
        """
        if len(calls) == 1:
            return [await self._one(calls[0])]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(call), name=call.view.id) for call in calls]
        except* FencedError as lost:
            raise lost.exceptions[0] from None
        return [task.result() for task in tasks]

    async def drop(
        self, calls: Sequence[NewCall], *, state: CallState, code: str, text: str
    ) -> None:
        """End calls that are not carried out, with a result that says so."""
        moved = [
            (self._ended(call.view, state, code=code, text=text, whole=text), text)
            for call in calls
        ]
        results = [(call.slot, _message(call, text, ok=False)) for call in calls]
        await self._place.rooms.journal.commit(
            self._place.rooms.journal.plan_calls(self.run, moved, results),
            actor=f"agent:{self.run.agent}",
        )
        for place, message in results:
            self._dialogue.put(place, message)

    async def _one(self, call: NewCall) -> tuple[str, str, bool, str]:
        async with self._slots:
            name = call.view.name
            tool = self._place.means.tools.get(name)
            parsed = self._check(name, tool, call)
            if tool is None or isinstance(parsed, ToolResult):
                result = parsed if isinstance(parsed, ToolResult) else _unknown(name, self._prompt)
                return await self._settle(call, call.view, result)
            running = msgspec.structs.replace(
                call.view, state=CallState.RUNNING, started_at=self._place.clock.now()
            )
            await self._write(self._place.rooms.journal.plan_calls(self.run, [(running, "")]))
            began = self._place.monotonic()
            try:
                result = await self._call(tool, call, parsed)
            except asyncio.CancelledError:
                await asyncio.shield(self._cancelled(call, running))
                raise
            took_ms = int((self._place.monotonic() - began) * 1000)
            return await self._settle(
                call, msgspec.structs.replace(running, duration_ms=took_ms), result
            )

    def _check(self, name: str, tool: Tool | None, call: NewCall) -> msgspec.Struct | ToolResult:
        if tool is None:
            return _unknown(name, self._prompt)
        if name not in self._prompt.allowed:
            return ToolResult(
                ok=False,
                text=f"You may not use {name}; the office's file does not allow it to you. Do without it, or say that you are blocked.",
                code="tool_denied",
            )
        return parse_arguments(tool, call.arguments)

    async def _call(self, tool: Tool, call: NewCall, arguments: msgspec.Struct) -> ToolResult:
        output = LiveOutput(
            call.view.id, run=self.run.id, agent=self.run.agent, tell=self._place.live
        )
        context = ToolContext(
            office=self._place.office,
            agent=self.run.agent,
            run_id=self.run.id,
            call_id=call.view.id,
            thread_id=self.run.thread,
            task_id=self.run.task,
            hops=self._item.hops,
            now=self._place.clock.now(),
            computer=self._place.means.computer_of(self.run.agent),
            on_output=output.add,
        )
        try:
            async with asyncio.timeout(tool.limit_s):
                return await tool.call(context, arguments)
        except TimeoutError:
            return ToolResult(
                ok=False,
                text=f"{tool.name} took longer than {tool.limit_s:g} s and was ended. What it did until then stands.",
                code="timed_out",
                retryable=True,
            )
        except OfficeError as error:
            return refused(error)
        except Exception as error:  # a bug in a tool must not end the office
            log.exception("tool_failed", tool=tool.name, run_id=self.run.id)
            return ToolResult(
                ok=False,
                text=f"{tool.name} failed by a fault of its own ({type(error).__name__}). Trying again will not help.",
                code="internal",
            )
        finally:
            output.flush()

    async def _settle(
        self, call: NewCall, view: CallView, result: ToolResult
    ) -> tuple[str, str, bool, str]:
        try:
            return await self._settled(call, view, result)
        except FencedError:
            raise
        except OfficeError as error:
            return await self._settled(call, view, refused(error))

    async def _settled(
        self, call: NewCall, view: CallView, result: ToolResult
    ) -> tuple[str, str, bool, str]:
        path = f"{RESULTS_FOLDER}/{view.id}.txt"
        capped = capping.cap(result.text, path)
        if capped.full:
            await self._place.means.computer_of(self.run.agent).write(path, capped.full.encode())
        final: list[ToolResult] = [result]
        ended: list[CallView] = []

        def effect(unit: UnitOfWork) -> None:
            if result.effect is not None:
                replaced = result.effect(unit)
                if replaced is not None:
                    final[0] = replaced
            for artifact in final[0].artifacts:
                self._note(unit, artifact, call)

        def plan(unit: UnitOfWork) -> None:
            effect(unit)
            now = final[0]
            text = capped.text if now is result else capping.cap(now.text, path).text
            state = CallState.SUCCEEDED if now.ok else CallState.FAILED
            done = self._ended(
                view, state, code=now.code, text=text, whole=now.text, artifacts=now.artifacts
            )
            if capped.full and now is result:
                done = msgspec.structs.replace(done, result_path=path)
            ended.append(done)
            message = ToolMessage(
                call.provider_id, call.view.name, text, ok=now.ok, images=now.images
            )
            messages.append(message)
            self._place.rooms.journal.plan_calls(self.run, [(done, text)], [(call.slot, message)])(
                unit
            )

        messages: list[ToolMessage] = []
        await self._write(plan)
        self._dialogue.put(call.slot, messages[-1])
        return call.view.name, call.arguments, final[0].ok, messages[-1].text

    def _note(self, unit: UnitOfWork, artifact: Artifact, call: NewCall) -> None:
        if artifact.kind == "file":
            entry = FileWritten(
                agent=self.run.agent,
                path=artifact.path,
                run=self.run.id,
                call=call.view.id,
                bytes=artifact.bytes,
                new=artifact.id == "new",
            )
            unit.append(entry)

    async def _cancelled(self, call: NewCall, view: CallView) -> None:
        if self._place.is_stopping():
            return
        await self.drop(
            [msgspec.structs.replace(call, view=view)],
            state=CallState.CANCELLED,
            code="cancelled",
            text=CANCELLED,
        )

    async def _write(self, plan: Callable[[UnitOfWork], None]) -> None:
        await self._place.rooms.journal.commit(plan, actor=f"agent:{self.run.agent}")

    def _ended(
        self,
        view: CallView,
        state: CallState,
        *,
        code: str,
        text: str,
        whole: str,
        artifacts: Sequence[Artifact] = (),
    ) -> CallView:
        return msgspec.structs.replace(
            view,
            state=state,
            code=code,
            result=text[:SHOWN_CHARS],
            result_bytes=len(whole.encode("utf-8", "replace")),
            artifacts=list(artifacts),
            ended_at=self._place.clock.now(),
        )


def _unknown(name: str, prompt: Prompt) -> ToolResult:
    names = ", ".join(sorted(prompt.allowed))
    return ToolResult(
        ok=False, text=f"There is no tool {name}. Yours are: {names}.", code="unknown_tool"
    )


def _message(call: NewCall, text: str, *, ok: bool) -> ToolMessage:
    return ToolMessage(call.provider_id, call.view.name, text, ok=ok)
