"""One word per thing: the words that docs/glossary.md rejects stand nowhere else."""

from __future__ import annotations

import re

from tests.tidy.tree import GENERATED, files, read

GLOSSARY = "docs/glossary.md"
ROW = re.compile(r"^\| \*\*(?P<word>[^*]+)\*\* \|[^|]*\| (?P<never>[^|]*) \|", re.MULTILINE)
SPOKEN = (".py", ".ts", ".tsx", ".md", ".json", ".yaml", ".yml", ".toml")
SPOKEN_IN = ("src/", "ui/src/", "docs/", "tests/", "README.md", "ARCHITECTURE.md", "wire/")
NOTHING = "\N{EN DASH}"
SILENT = (GLOSSARY, "tests/tidy/test_glossary.py", *GENERATED)


def _rejected() -> dict[str, str]:
    """Each rejected word, with the word to say in its place."""
    return {
        never.strip().strip("`"): row["word"]
        for row in ROW.finditer(read(GLOSSARY))
        for never in row["never"].split(";")
        if never.strip() not in {"", NOTHING}
    }


def _pattern(word: str) -> re.Pattern[str]:
    """Find a word in prose (`event schedule`) and in names (`event_schedule`, `EventSchedule`)."""
    joined = r"[ _-]?".join(re.escape(part) for part in re.split(r"[ _-]", word))
    return re.compile(rf"(?<![A-Za-z]){joined}s?(?![a-z])", re.IGNORECASE)


def test_no_synonym_of_a_word_of_ours_is_used() -> None:
    """Two words for one thing are two things to the reader.

    Demanded by: the product, one word per thing.
    """
    spoken = {
        name: read(name)
        for name in files()
        if name.startswith(SPOKEN_IN) and name.endswith(SPOKEN) and name not in SILENT
    }
    found = [
        f"{name}: {match[0]!r}, say {say!r}"
        for never, say in _rejected().items()
        for name, text in spoken.items()
        for match in _pattern(never).finditer(text)
    ]
    assert found == []


def test_the_glossary_was_read() -> None:
    """A check that sees nothing passes always.

    Demanded by: the house.
    """
    assert _rejected()
