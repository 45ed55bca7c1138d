"""Commands about agents and what waits in their inboxes."""

from typing import TYPE_CHECKING, Annotated

import typer

from dayshift.app.cli.choice import the_office
from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.shown import moment, state
from dayshift.core.details import Page, PromptView, ToolView
from dayshift.core.snapshot import Snapshot
from dayshift.core.states import ItemState
from dayshift.core.views import AgentView, ItemView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Server

agents = typer.Typer(help="The staff: list, look closer, hold and release inboxes.")
items = typer.Typer(help="What waits for an agent: hold, release, move, take out.")
Name = Annotated[str, typer.Argument(metavar="AGENT", help="The agent's name.")]
Id = Annotated[str, typer.Argument(metavar="ITEM", help="Its id, for example I-12.")]


@command(agents, "list")
def list_agents(desk: Desk, office: OfficeArgument = None) -> None:
    """List the agents of an office."""
    raw, page = desk.read(Page[AgentView], "agents", doing="Reading the roster", office=office)
    found = page.items
    rows = [
        (
            agent.name,
            state(agent.duty),
            state(agent.activity),
            agent.run or "-",
            agent.reports_to or "-",
            agent.model,
            agent.title,
        )
        for agent in found
    ]
    head = ("AGENT", "DUTY", "ACTIVITY", "RUN", "REPORTS TO", "MODEL", "TITLE")
    desk.show_table(raw, head, rows, empty="No agents.")


@command(agents, "show", in_office=True)
def show_agent(desk: Desk, agent: Name) -> None:
    """Show one agent."""
    raw, found = desk.read(AgentView, "agents", agent, doing="Reading the agent")
    facts = {
        "group": found.group,
        "reports to": found.reports_to,
        "model": found.model,
        "thinking": found.thinking,
        "priority": found.priority,
        "duty": state(found.duty),
        "activity": state(found.activity),
        "run": found.run,
        "computer": found.computer,
        "inbox": "held" if found.inbox_paused else "",
        "tools": ", ".join(found.tools),
    }
    told = [f"{name}: {fact}" for name, fact in facts.items() if fact]
    lines = [f"{found.name}  {found.title}".rstrip(), *told]
    if found.description:
        lines += ["", found.description]
    desk.show(raw, "\n".join(lines))


@command(agents, "pause", in_office=True)
def pause_agent(desk: Desk, agent: Name) -> None:
    """Let an agent take nothing more from its inbox; a run under way goes on."""
    _hold(desk, agent, "pause")


@command(agents, "resume", in_office=True)
def resume_agent(desk: Desk, agent: Name) -> None:
    """Let an agent take from its inbox again."""
    _hold(desk, agent, "resume")


@command(agents, "edit", in_office=True)
def edit_agent(
    desk: Desk,
    agent: Name,
    *,
    model: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The model it works on.")
    ] = None,
    thinking: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="off, minimal, low, medium or high.")
    ] = None,
    priority: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="idle, low, normal, high or critical.")
    ] = None,
    reports_to: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Its manager; empty for a person.")
    ] = None,
    description: Annotated[str | None, typer.Option(help="What it does.")] = None,
) -> None:
    """Change an agent, in the office file and as it works; what is not given stays as it is."""
    told = {
        "model": model,
        "thinking": thinking,
        "priority": priority,
        "reports_to": reports_to,
        "description": description,
    }
    changes = {field: value for field, value in told.items() if value is not None}

    raw, now = desk.tell(
        "PATCH", AgentView, "agents", agent, body=changes, doing="Changing the agent"
    )
    desk.show(raw, f"{now.name} is changed.")


@command(agents, "prompt", in_office=True)
def agent_prompt(desk: Desk, agent: Name) -> None:
    """Print the system prompt an agent would have now; its blocks and sizes with --json."""
    raw, found = desk.read(PromptView, "agents", agent, "prompt", doing="Reading the prompt")
    desk.show(raw, "\n\n".join(block.text for block in found.blocks))
    desk.output.note(f"{found.chars:,} of {found.cap:,} characters, version {found.version}")


@command(agents, "tools", in_office=True)
def agent_tools(desk: Desk, agent: Name) -> None:
    """List all tools, and which of them an agent may use."""
    raw, found = desk.read(list[ToolView], "agents", agent, "tools", doing="Reading the tools")
    rows = [
        (tool.name, tool.family, "yes" if tool.allowed else "no", tool.reason) for tool in found
    ]
    desk.show_table(raw, ("TOOL", "FAMILY", "ALLOWED", "WHY"), rows, empty="No tools.")


def _hold(desk: Desk, agent: str, verb: str) -> None:
    raw, now = desk.tell(
        "POST", AgentView, "agents", agent, "inbox", verb, doing="Telling the office"
    )
    told = "is held" if now.inbox_paused else "is worked off"
    desk.show(raw, f"The inbox of {now.name} {told}.")


def inbox(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Only this agent's.")] = "",
    status: Annotated[
        ItemState | None, typer.Option("--state", help="Only in this state; needs --agent.")
    ] = None,
) -> None:
    """List what waits for the agents, in the order it will be taken."""
    if status and not agent:
        raise typer.BadParameter("--state needs --agent")

    async def work(server: "Server") -> "tuple[object, list[ItemView]]":
        name = await the_office(server, office or "")
        if agent:
            path = ("offices", name, "agents", agent, "inbox")
            reply = await server.get(*path, query={"state": status})
            return reply.raw, (await reply.read(Page[ItemView])).items
        snapshot = await (await server.get("offices", name, "snapshot")).read(Snapshot)
        found = sorted(snapshot.items.values(), key=_as_taken)
        return {"items": found, "next": None}, found

    document, found = desk.ask(work, doing="Reading the inboxes")
    rows = [
        (item.id, item.agent, state(item.state), str(item.priority), item.sender, item.text)
        for item in found
    ]
    head = ("ITEM", "AGENT", "STATE", "PRIORITY", "FROM", "TEXT")
    desk.show_table(document, head, rows, empty="Nothing waits.")


def _as_taken(item: ItemView) -> tuple[str, bool, int, int]:
    return item.agent, item.state != ItemState.TAKEN, -item.priority, item.order


@command(items, "pause", in_office=True)
def pause_item(desk: Desk, item: Id) -> None:
    """Hold one waiting item back."""
    _act(desk, item, "pause")


@command(items, "resume", in_office=True)
def resume_item(desk: Desk, item: Id) -> None:
    """Let a held item go on."""
    _act(desk, item, "resume")


@command(items, "cancel", in_office=True)
def cancel_item(desk: Desk, item: Id) -> None:
    """Take a waiting item out of the inbox."""
    _act(desk, item, "cancel")


@command(items, "move", in_office=True)
def move_item(
    desk: Desk,
    item: Id,
    *,
    before: Annotated[
        str | None, typer.Option(metavar="ITEM", help="The item it goes before; else to the end.")
    ] = None,
) -> None:
    """Put a waiting item elsewhere among those of its priority."""
    _act(desk, item, "move", {"before": before})


def _act(desk: Desk, item: str, verb: str, body: dict[str, str | None] | None = None) -> None:
    raw, now = desk.tell(
        "POST", ItemView, "items", item, verb, body=body, doing="Telling the office"
    )
    desk.show(raw, f"{now.id} of {now.agent} is {state(now.state)}.")


def item_lines(item: ItemView) -> list[str]:
    """An item with what is known of it, as lines."""
    return [
        f"{item.id}  for {item.agent} from {item.sender}: {state(item.state)}",
        f"queued {moment(item.queued_at)}, priority {item.priority}, attempts {item.attempts}",
        item.text,
    ]
