"""Ids: one NewType per noun, so that one cannot be passed for another.

Ids of things inside an office are counters with a letter (``R-17``), unique within their office,
short enough to say aloud, and the same again when a simulated office is replayed.
"""

from typing import NewType

OfficeId = NewType("OfficeId", str)
AgentName = NewType("AgentName", str)
PersonId = NewType("PersonId", str)
EventId = NewType("EventId", str)
ItemId = NewType("ItemId", str)
RunId = NewType("RunId", str)
CallId = NewType("CallId", str)
TaskId = NewType("TaskId", str)
ThreadId = NewType("ThreadId", str)
MessageId = NewType("MessageId", str)
DialogueId = NewType("DialogueId", str)
AlertId = NewType("AlertId", str)
EntryId = NewType("EntryId", str)
ModelRef = NewType("ModelRef", str)
"""``provider:model``, split at the first colon."""
