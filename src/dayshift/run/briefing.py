"""The system prompt: ordered blocks with caps, the same in each request so that caches hit.

Nothing in it changes from minute to minute; date and time come with each item. The base block is a
text of its own (``prompts/base.md``), versioned.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from dayshift.config.office import AgentConfig, OfficeConfig
from dayshift.core.details import PromptBlock, PromptView
from dayshift.core.model import ToolSet
from dayshift.core.tools import Tool
from dayshift.run.dialogue import tokens_in

BASE_VERSION = "1"
CAPS = {
    "base": 30_000,
    "office": 5_000,
    "team": 8_000,
    "place": 3_000,
    "identity": 2_000,
    "own": 20_000,
}
TOTAL_CAP = 100_000
MINIMAL = ("base", "identity", "own")
HEAD_SHARE = 0.75
HASH_CHARS = 12
LANGUAGES = {"en": "English", "zh": "Chinese (中文)"}


class Prompt(msgspec.Struct, frozen=True):
    """A composed prompt with the tools it goes with.

    Attributes:
        tokens: A cautious guess of what text and tools take.
    """

    text: str
    hash: str
    view: PromptView
    tools: ToolSet
    allowed: frozenset[str]
    tokens: int

    def snapshot(self) -> str:
        """The JSON that is kept of it; made when asked for, since the tools are most of it."""
        whole = {"system": self.text, "tools": self.tools.schemas, "view": self.view}
        return msgspec.json.encode(whole).decode()


class Briefer:
    """Composes the prompts of one office's agents, each once until something in it changes."""

    def __init__(
        self,
        config: Callable[[], OfficeConfig],
        tools: Callable[[], Sequence[Tool]],
        workspace_of: Callable[[str], str],
    ) -> None:
        """``workspace_of`` says what an agent's computer calls its workspace."""
        self._config = config
        self._tools = tools
        self._workspace_of = workspace_of
        self._made_of: OfficeConfig | None = None
        self._made: dict[str, Prompt] = {}
        self._offers: dict[tuple[str, ...], _Offer] = {}

    def prompt(self, agent: AgentConfig) -> Prompt:
        """The agent's prompt as the configuration is now."""
        config = self._config()
        if self._made_of is not config:
            # Nothing of what the office was is kept for agents that seldom work.
            self._made.clear()
            self._offers.clear()
            self._made_of = config
        made = self._made.get(agent.name)
        if made is None:
            made = self._made[agent.name] = self._compose(config, agent)
        return made

    def _compose(self, config: OfficeConfig, agent: AgentConfig) -> Prompt:
        allowed = [tool for tool in self._tools() if agent.may_call(tool.name)]
        texts = {
            "base": base_text(),
            "office": _office_text(config),
            "team": _team_text(config, agent),
            "place": _place_text(self._workspace_of(agent.name), agent),
            "identity": _identity_text(agent),
            "own": agent.prompt_inline.strip(),
        }
        kept = MINIMAL if agent.prompt_mode == "minimal" else tuple(texts)
        blocks = [_block(name, texts[name]) for name in kept if texts[name]]
        text = "\n\n".join(block.text for block in blocks)[:TOTAL_CAP]
        offer = self._offer(allowed)
        hash_ = hashlib.sha256(f"{text}\0{offer.written}".encode()).hexdigest()[:HASH_CHARS]
        view = PromptView(
            hash=hash_,
            mode=agent.prompt_mode,
            version=BASE_VERSION,
            chars=len(text),
            cap=TOTAL_CAP,
            blocks=blocks,
        )
        tokens = tokens_in(text) + offer.tokens
        return Prompt(text, hash_, view, offer.tools, offer.names, tokens)

    def _offer(self, allowed: Sequence[Tool]) -> "_Offer":
        key = tuple(tool.name for tool in allowed)
        known = self._offers.get(key)
        if known is None:
            tools = ToolSet(tuple(tool.schema for tool in allowed))
            written = msgspec.json.encode(tools.schemas).decode()
            known = _Offer(tools, frozenset(key), written, tokens_in(written))
            self._offers[key] = known
        return known


@dataclass(frozen=True)
class _Offer:
    """What is the same for all agents that may call the same tools."""

    tools: ToolSet
    names: frozenset[str]
    written: str
    tokens: int


@cache
def base_text() -> str:
    """The base prompt."""
    return files("dayshift.run").joinpath("prompts/base.md").read_text(encoding="utf-8").strip()


def _block(name: str, text: str) -> PromptBlock:
    cap = CAPS[name]
    cut = len(text) > cap
    if cut:
        head = int(cap * HEAD_SHARE)
        text = f"{text[:head]}\n[… {len(text) - cap:,} characters left out …]\n{text[head - cap :]}"
    return PromptBlock(
        name=name, title=name.capitalize(), text=text, chars=len(text), cap=cap, cut=cut
    )


def _office_text(config: OfficeConfig) -> str:
    lines = [f"# The office: {config.title or config.name}"]
    if config.description:
        lines.append(config.description.strip())
    lines.append(
        f"Write to people in {LANGUAGES.get(config.language, config.language)} unless they write "
        "in another language."
    )
    lines.append(f"Office time is {config.zone} time; each message says when it came.")
    return "\n".join(lines)


def _team_text(config: OfficeConfig, agent: AgentConfig) -> str:
    lines = ["# Who works here"]
    for one in config.agents:
        you = " (you)" if one.name == agent.name else ""
        job = one.title or one.description.strip().split("\n")[0]
        boss = f"; reports to {one.reports_to}" if one.reports_to else ""
        lines.append(f"- {one.name}{you}: {job}{boss}")
    channels = [c for c in config.channels if agent.name in c.members]
    if channels:
        lines.append("Your channels: " + ", ".join(f"#{c.name}" for c in channels))
    return "\n".join(lines)


def _place_text(workspace: str, agent: AgentConfig) -> str:
    network = "It has a network." if agent.computer.network else "It has no network."
    return (
        f"# Your computer\nYour workspace is {workspace}. Commands run there and start where the "
        f"last one ended. {network}\n"
        "Colleagues have computers of their own; read_agent_file reads a file of theirs."
    )


def _identity_text(agent: AgentConfig) -> str:
    lines = [f"# You\nYou are {agent.name}" + (f", {agent.title}." if agent.title else ".")]
    if agent.description:
        lines.append(agent.description.strip())
    if agent.skills:
        lines.append("Skills: " + ", ".join(agent.skills))
    if agent.reports_to:
        lines.append(f"Your manager is {agent.reports_to}.")
    return "\n".join(lines)
