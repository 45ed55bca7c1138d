"""The outside world comes in as events and replies go out."""
