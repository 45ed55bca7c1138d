"""The list of all documents, from their titles."""

import re

from docs.generate.markdown import MADE_BY, ROOT

DOCS = ROOT / "docs"
CHAPTERS = (
    ("tutorial", "Begin", "A first office, step by step."),
    ("howto", "Do something", "One page for one thing to be done."),
    (
        "explain",
        "Understand",
        "Why things are as they are: the problem first, what was rejected last.",
    ),
    ("reference", "Look something up", "Made from the code."),
    ("extend", "Add something", "Recipes; each is played by a test, and its files are counted."),
    ("adr", "Decisions", "What was decided, why, and how it is checked."),
    ("contribute", "Work here", "Style, beside CONTRIBUTING.md and ARCHITECTURE.md."),
)


def index_page() -> str:
    """The page."""
    parts = ["# Documents", MADE_BY]
    for folder, title, about in CHAPTERS:
        pages = sorted((DOCS / folder).glob("*.md"))
        lines = [f"- [{_title(page.read_text('utf-8'))}]({folder}/{page.name})" for page in pages]
        parts.append("\n".join([f"## {title}", "", about, "", *lines]))
    parts.append("The words we use are in [the glossary](glossary.md).")
    return "\n\n".join(parts) + "\n"


def _title(text: str) -> str:
    """A page's title; a decision's number without its full stop, which would end a sentence."""
    title = text.partition("\n")[0].removeprefix("# ").strip()
    return re.sub(r"^(\d+)\. ", r"\1 ", title)
