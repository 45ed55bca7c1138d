"""Agents: the staff, their prompts and their tools."""

from typing import Annotated

from fastapi import Depends

from dayshift.access.audit import told
from dayshift.core.details import Page, PromptView, ToolView
from dayshift.core.views import AgentView
from dayshift.core.wishes import AgentChanges
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Reply
from dayshift.web.route import page, whole

router = page("/api/offices/{office}/agents", "Agents")
Reading = Annotated[Inside, Depends(InOffice("agents:read"))]


@router.get("")
async def list_agents(inside: Reading) -> Reply[Page[AgentView]]:
    """All agents, in the order of the office file."""
    return Reply(whole(await inside.rooms.roster.agents()))


@router.get("/{agent}")
async def read_agent(agent: str, inside: Reading) -> Reply[AgentView]:
    """One agent."""
    return Reply(await inside.rooms.roster.agent(agent))


@router.patch("/{agent}")
async def edit_agent(
    agent: str,
    inside: Annotated[Inside, Depends(InOffice("agents:edit"))],
    changes: Annotated[AgentChanges, Depends(BodyOf(AgentChanges))],
) -> Reply[AgentView]:
    """Change an agent, in the office file and at once."""
    edited = await inside.rooms.roster.edit(agent, changes, by=inside.by)
    subject = f"{inside.office}/{agent}: {told(changes)}"
    await inside.building.reception.audit.note(inside.by, "agent_edited", subject)
    return Reply(edited)


@router.get("/{agent}/prompt")
async def read_prompt(agent: str, inside: Reading) -> Reply[PromptView]:
    """The agent's system prompt as it is now, block by block."""
    return Reply(await inside.rooms.roster.prompt(agent))


@router.get("/{agent}/tools")
async def list_tools(agent: str, inside: Reading) -> Reply[list[ToolView]]:
    """All tools, and whether and why the agent may use each."""
    return Reply(list(await inside.rooms.roster.tools(agent)))
