"""Counts what may have taken a right away, so that who is in need be asked again only then."""


class Changes:
    """A number that grows whenever a session, a token or a role ends or changes."""

    def __init__(self) -> None:
        self.count = 0

    def note(self) -> None:
        """Something was taken away or changed."""
        self.count += 1
