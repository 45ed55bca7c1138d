"""How offices, agents and channels may be called: one rule for the file, the API and commands."""

OFFICE_NAME = r"^[a-z0-9][a-z0-9_-]{0,63}$"
NAME = r"^[a-zA-Z0-9_-]{1,64}$"

IN_WORDS = {
    OFFICE_NAME: "small letters, digits, _ and -, beginning with a letter or digit, at most 64",
    NAME: "letters, digits, _ and -, at most 64",
    r"\S": "a text that is not blank",
}
"""What a pattern asks for, as it is said to people."""
