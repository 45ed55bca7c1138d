"""One agent works one inbox item: briefing, model turn, tool calls, budget, cancellation."""
