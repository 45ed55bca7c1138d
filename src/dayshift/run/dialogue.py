"""A dialogue in memory: the fragments a request is joined from, and their places."""

import re
from collections import OrderedDict
from dataclasses import dataclass, field

from dayshift.core.model import (
    AssistantMessage,
    CallPart,
    Fragment,
    ImagePart,
    Message,
    ReasoningPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from dayshift.facilities.journal import Journal, StoredDialogue

CHARS_PER_TOKEN = 3.6
WIDE_TOKENS = 0.9
_WIDE = re.compile("[\u2e80-\U0010ffff]+")
"""Characters of the scripts that take about a token for each: from CJK radicals on."""
IMAGE_TOKENS = 1_200
MESSAGE_TOKENS = 6
KEPT_MIN = 16
KEPT_BYTES_MAX = 24_000_000
"""Memory that all dialogues of an office may take, by a guess, beyond the latest ``KEPT_MIN``."""
TOKEN_BYTES = 8
"""A token is four characters, which stand in a message and in its encoded form."""
MESSAGE_BYTES = 900
"""A message and its encoded form, beside their text."""


def tokens_in(text: str) -> int:
    """A cautious guess of a text's tokens: letters by the group, wide ones (CJK) one by one."""
    if text.isascii():
        return int(len(text) / CHARS_PER_TOKEN) + 1
    wide = sum(map(len, _WIDE.findall(text)))
    return int((len(text) - wide) / CHARS_PER_TOKEN + wide * WIDE_TOKENS) + 1


def tokens_of(message: Message) -> int:
    """A cautious guess of a message's tokens."""
    if isinstance(message, ToolMessage):
        return MESSAGE_TOKENS + tokens_in(message.text) + IMAGE_TOKENS * len(message.images)
    total = MESSAGE_TOKENS
    for part in message.parts:
        match part:
            case TextPart(text=text) | ReasoningPart(text=text):
                total += tokens_in(text)
            case CallPart(arguments=arguments):
                total += MESSAGE_TOKENS + tokens_in(arguments)
            case ImagePart():
                total += IMAGE_TOKENS
    return total


@dataclass
class Dialogue:
    """One agent's dialogue. Places count up from 1; a place is taken once and for all.

    ``id`` is empty while it has none in the ledger.
    """

    id: str
    key: str = ""
    fragments: list[Fragment] = field(default_factory=list[Fragment])
    places: list[int] = field(default_factory=list[int])
    sizes: list[int] = field(default_factory=list[int])
    summary: Fragment | None = None
    summary_text: str = ""
    summary_size: int = 0
    version: int = 0
    last: int = 0
    tokens: int = 0
    """A cautious guess of the whole dialogue's tokens."""

    @property
    def first(self) -> int:
        """The place of the first message that is sent whole."""
        return self.places[0] if self.places else self.last + 1

    def take_place(self) -> int:
        """The next free place."""
        self.last += 1
        return self.last

    def put(self, place: int, message: Message) -> None:
        """Put a committed message in its place; results may come in any order."""
        at = len(self.places)
        while at and self.places[at - 1] > place:
            at -= 1
        self.places.insert(at, place)
        self.fragments.insert(at, Fragment(message))
        size = tokens_of(message)
        self.sizes.insert(at, size)
        self.tokens += size

    def sent(self) -> list[Fragment]:
        """What a request carries: the summary, if any, then the messages."""
        return [self.summary, *self.fragments] if self.summary is not None else list(self.fragments)

    def begin_at(self, index: int, summary: str) -> None:
        """Forget the messages before ``index``; ``summary`` is told in their place."""
        self.version += 1
        del self.places[:index], self.fragments[:index], self.sizes[:index]
        self.tell_summary(summary)

    def tell_summary(self, summary: str) -> None:
        """Let a summary stand before the messages; empty for none."""
        self.summary_text = summary
        self.summary = Fragment(UserMessage((TextPart(summary),))) if summary else None
        self.summary_size = tokens_in(summary) + MESSAGE_TOKENS if summary else 0
        self.tokens = self.summary_size + sum(self.sizes)

    def group_starts(self) -> list[int]:
        """Indexes at which the dialogue may be cut: never between a call and its result."""
        return [
            index
            for index, fragment in enumerate(self.fragments)
            if isinstance(fragment.message, UserMessage | AssistantMessage)
            and not (index and _has_calls(self.fragments[index - 1].message))
        ]


def _has_calls(message: Message) -> bool:
    return isinstance(message, AssistantMessage) and bool(message.calls)


class Dialogues:
    """The dialogues of one office that were used lately; the rest is in the ledger."""

    def __init__(self, journal: Journal) -> None:
        """Nothing is loaded until it is asked for."""
        self._journal = journal
        self._kept: OrderedDict[tuple[str, str], tuple[Dialogue, int]] = OrderedDict()
        self._bytes = 0

    async def open(self, agent: str, key: str) -> Dialogue:
        """The agent's dialogue under a key; its id is empty while it has none in the ledger."""
        kept = self._kept.get((agent, key))
        if kept is not None:
            return self._keep(agent, kept[0])
        stored = await self._journal.dialogue(agent, key)
        return self._keep(agent, loaded(stored) if stored else Dialogue("", key))

    async def reopen(self, agent: str, id_: str) -> Dialogue:
        """A dialogue as it is in the ledger now."""
        return self._keep(agent, loaded(await self._journal.dialogue_by_id(id_)))

    def rest(self, agent: str, dialogue: Dialogue) -> None:
        """Count a dialogue that has grown in a run, unless it was let go of meanwhile."""
        kept = self._kept.get((agent, dialogue.key))
        if kept is not None and kept[0] is dialogue:
            self._keep(agent, dialogue)

    def forget(self, agent: str, key: str) -> None:
        """Load it from the ledger next time."""
        kept = self._kept.pop((agent, key), None)
        if kept is not None:
            self._bytes -= kept[1]

    def _keep(self, agent: str, dialogue: Dialogue) -> Dialogue:
        """Keep it as the one used last, and no more of the others than there is room for."""
        self.forget(agent, dialogue.key)
        size = bytes_of(dialogue)
        self._kept[agent, dialogue.key] = (dialogue, size)
        self._bytes += size
        while self._bytes > KEPT_BYTES_MAX and len(self._kept) > KEPT_MIN:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return dialogue


def bytes_of(dialogue: Dialogue) -> int:
    """A guess of the memory that a dialogue takes."""
    return dialogue.tokens * TOKEN_BYTES + len(dialogue.fragments) * MESSAGE_BYTES


def loaded(stored: StoredDialogue) -> Dialogue:
    """A dialogue as it is written down."""
    dialogue = Dialogue(stored.id, stored.key, version=stored.version, last=stored.last)
    dialogue.tell_summary(stored.summary)
    for place, message in stored.messages:
        if place > 0:
            dialogue.put(place, message)
    return dialogue
