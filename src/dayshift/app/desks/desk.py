"""The office as a whole, and its agents, as people see and change them."""

from collections.abc import Sequence

from dayshift.app.office import Office
from dayshift.app.office_edit import OfficeEditor
from dayshift.core.details import PromptView, Pruned, ToolView
from dayshift.core.errors import NotFoundError
from dayshift.core.views import AgentView, OfficeView
from dayshift.core.wishes import AgentChanges, OfficeChanges


class OfficeDesk:
    """The office as a whole."""

    def __init__(self, office: Office, editor: OfficeEditor) -> None:
        """``editor`` changes the office's file."""
        self._office = office
        self._editor = editor

    async def view(self) -> OfficeView:
        """The office now, its clock read anew."""
        return self._office.now()

    async def pause(self, reason: str, *, by: str) -> OfficeView:
        """Start no more runs; those under way end their turn."""
        return await self._office.pause(reason, by=by)

    async def resume(self, *, by: str) -> OfficeView:
        """Go on."""
        return await self._office.resume(by=by)

    async def prune(self, keep_days: int, *, by: str) -> Pruned:
        """Forget what ended before the last days."""
        return await self._office.retention.prune(keep_days, by=by)

    async def edit(self, changes: OfficeChanges, *, by: str) -> OfficeView:
        """Change the office file and the running office."""
        await self._editor.edit_office(changes, by=by)
        return self._office.now()


class Roster:
    """The office's agents."""

    def __init__(self, office: Office, editor: OfficeEditor) -> None:
        """``editor`` changes the office's file."""
        self._office = office
        self._editor = editor

    async def agents(self) -> Sequence[AgentView]:
        """All agents, in the order of the office file."""
        found = (self._office.book.get(agent.name) for agent in self._office.config.agents)
        return [view for view in found if view is not None]

    async def agent(self, name: str) -> AgentView:
        """One agent."""
        return self._office.book.one(name)

    async def edit(self, name: str, changes: AgentChanges, *, by: str) -> AgentView:
        """Change an agent in the office file and in the running office."""
        self._office.book.one(name)
        await self._editor.edit_agent(name, changes, by=by)
        return self._office.book.one(name)

    async def prompt(self, name: str) -> PromptView:
        """The system prompt the agent would have now."""
        agent = self._office.config.agent(name)
        if agent is None:
            raise NotFoundError(f"Nobody called {name} works here.")
        return self._office.briefer.prompt(agent).view

    async def tools(self, name: str) -> Sequence[ToolView]:
        """All tools, with whether the agent may use them."""
        agent = self._office.config.agent(name)
        if agent is None:
            raise NotFoundError(f"Nobody called {name} works here.")
        shown: list[ToolView] = []
        for tool in self._office.tools.values():
            allowed = agent.may_call(tool.name)
            named = agent.tools_allow is not None or tool.name in agent.tools_deny
            shown.append(
                ToolView(
                    name=tool.name,
                    family=tool.family,
                    description=tool.schema.description,
                    parameters=tool.schema.parameters,
                    allowed=allowed,
                    reason="by permissions.tools" if named else "allowed to everyone",
                    read_only=tool.read_only,
                    dangerous=tool.dangerous,
                    limit_s=tool.limit_s,
                )
            )
        return shown
