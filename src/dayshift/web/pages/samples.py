"""Samples of what pages define for themselves."""

import msgspec

from dayshift.web.pages.events import EventDraft
from dayshift.web.pages.health import Health
from dayshift.web.pages.inbox import ItemMove
from dayshift.web.pages.offices import Pause, Pruning
from dayshift.web.pages.previews import Preview, PreviewDraft
from dayshift.web.pages.runs import Reason, Steer
from dayshift.web.pages.tasks import CommentDraft
from dayshift.web.pages.threads import MessageDraft, ReadMark

OWN: list[msgspec.Struct] = [
    Health(status="ok", version="0.1.0", database="sqlite", isolation="bubblewrap"),
    Pause(reason="Over the weekend."),
    Pruning(keep_days=30),
    ItemMove(before="I-87"),
    MessageDraft(text="Please make a landing page for the spring sale.", key="b7f0c9d2"),
    ReadMark(n=9),
    CommentDraft(text="Green, please, like the logo."),
    Reason(reason="The request was a mistake."),
    PreviewDraft(path="site/index.html"),
    Preview(path="/api/previews/p0cW5Jd6nB7aXk2mVt9sQeLr/site/index.html", expires_in_s=900),
    Steer(text="Leave the footer out."),
    EventDraft(
        source="webhook", type="new_pr", text="A pull request for the landing page was opened."
    ),
]
