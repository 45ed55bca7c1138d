"""What an agent can do; thin: check arguments, call a facility or the computer, return a result."""

FAMILIES = ("board", "files", "messages", "shell", "time")
"""The families there are: each a module of this name here, with ``tools(desk)``."""
