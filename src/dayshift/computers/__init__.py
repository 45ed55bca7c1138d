"""Where commands run, one file per kind; nobody else starts processes or speaks ssh."""

KINDS = ("local",)
"""The kinds there are: each a module of this name here."""
