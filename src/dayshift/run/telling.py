"""How an inbox item is told to the model: who, where, when, what, and where an answer goes."""

from collections.abc import Callable, Sequence
from datetime import datetime

from dayshift.core.model import TextPart, UserMessage
from dayshift.core.views import ItemView, MessageView, RunView
from dayshift.run.capping import clean

TITLE_CHARS = 120
TASK_WORDS = {
    "task_ready": "A task is yours and ready: start on it now",
    "task_restarted": "A task of yours was put back to todo: work on it again",
    "task_done": "A task you made is done",
    "task_failed": "A task you made has failed",
    "task_blocked": "A task you made is blocked",
    "task_remark": "Somebody remarked on a task of yours",
}


def title_of(item: ItemView) -> str:
    """One line for lists: the first that says something."""
    line = " ".join(item.text.strip().partition("\n")[0].split())
    return line if len(line) <= TITLE_CHARS else f"{line[: TITLE_CHARS - 1]}…"


def moment(now: datetime) -> str:
    """Office date and time as agents read them."""
    return f"{now:%Y-%m-%d %a %H:%M}"


def name_of(actor: str, person_name: Callable[[str], str]) -> str:
    """An actor as agents read it."""
    kind, _, name = actor.partition(":")
    if kind == "person":
        return f"{person_name(name) or name} (a person, id {name})"
    if kind == "office":
        return "the office"
    return name if kind == "agent" else actor


def tell(
    item: ItemView,
    *,
    now: datetime,
    person_name: Callable[[str], str],
    before: Sequence[MessageView] = (),
    run: RunView | None = None,
    channel: str = "",
) -> UserMessage:
    """The message that begins a run, or enters ``run`` as steering.

    ``channel`` is what the item's channel is called now; empty when it came by none.
    """
    sender = name_of(item.sender, person_name)
    head, foot = _frame(item, sender, run, channel)
    lines = [f"[{moment(now)} · {head}]"]
    if before:
        lines.append("Said there before:")
        lines += [f"  {_said(message, person_name)}" for message in before]
    lines.append(item.text)
    if foot:
        lines.append(f"[{foot}]")
    return UserMessage((TextPart(clean("\n".join(lines))),))


def _said(message: MessageView, person_name: Callable[[str], str]) -> str:
    who = (
        person_name(message.author) or message.author
        if message.author_kind == "person"
        else message.author
    )
    text = " ".join(message.text.split())
    return f"{who}: {text[:400]}"


def _frame(item: ItemView, sender: str, run: RunView | None, channel: str) -> tuple[str, str]:
    """What stands before and after the text: where it came from, and where an answer goes."""
    if item.source == "task":
        what = TASK_WORDS.get(item.type, "News of a task")
        return f"{what} · {item.task} · from {sender}", _task_foot(item)
    if channel:
        foot = "Answer there with post_channel, if it concerns you; otherwise end without a word."
        return f"Message in #{channel} from {sender}", foot
    if item.source == "person" or item.kind == "steer":
        meanwhile = " · said while you work: take it into account from now on" if run else ""
        return f"Direct message from {sender}{meanwhile}", _direct_foot(item, run)
    if item.source == "talk":
        name = item.sender.partition(":")[2]
        return (
            f"Message from your colleague {sender}",
            f"Only message_agent to {name} reaches them; thanks need no answer.",
        )
    return f"Event {item.source}/{item.type} from {sender}", ""


def _direct_foot(item: ItemView, run: RunView | None) -> str:
    """The run's last text goes to whoever's direct message began it, and to nobody else."""
    if run is None or (run.kind in {"message", "steer"} and run.thread == item.thread):
        return "Your last text of this run is sent as the answer."
    person = item.sender.partition(":")[2]
    return f"Your text of this run does not reach them; message_user to {person} does."


def _task_foot(item: ItemView) -> str:
    if item.type in {"task_ready", "task_restarted"}:
        return (
            f"End it with task_update {item.task}: done with result and evidence, failed, or "
            "blocked with the reason."
        )
    return ""


def note(text: str, now: datetime) -> UserMessage:
    """A note of the office to a running run."""
    return UserMessage((TextPart(f"[{moment(now)} · note of the office]\n{text}"),))
