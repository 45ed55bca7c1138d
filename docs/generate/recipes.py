"""The recipes of docs/extend: what each adds and changes, shown from its own sample files."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec

from docs.generate.markdown import ROOT

EXTEND = ROOT / "docs" / "extend"
SAMPLES = EXTEND / "samples"
BEGIN = "<!-- recipe: "
SHOWN = "<!-- Made from `docs/extend/samples/` by `python -m docs.generate`; do not edit below. -->"
END = "<!-- end of the recipe -->"
LANGUAGES = {
    ".json": "json",
    ".md": "markdown",
    ".py": "python",
    ".ts": "typescript",
    ".tsx": "tsx",
}


class New(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is added: where, and the sample it is a copy of."""

    path: str
    sample: str


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change to a file that is there: ``old`` stands in it once, and ``new`` takes its place."""

    path: str
    old: str
    new: str


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to add one thing.

    Attributes:
        word: The sample's own name, in the form ``two_words``; another takes its place everywhere.
        made: Files that ``make docs`` writes anew.
        check: Tests that must pass afterwards.
        ui: Whether the UI is touched, so that its types are made anew and checked.
        resolve: A model that must be known afterwards.
    """

    made: list[str]
    check: list[str]
    word: str = ""
    new: list[New] = []
    edit: list[Edit] = []
    ui: bool = False
    resolve: str = ""

    def paths(self) -> list[str]:
        """Every file that is added or changed, by name."""
        written = [each.path for each in (*self.new, *self.edit)]
        return sorted({*written, *self.made})


def names() -> list[str]:
    """The recipes there are."""
    return sorted(path.parent.name for path in SAMPLES.glob("*/recipe.toml"))


def recipe(name: str) -> Recipe:
    """One recipe."""
    text = (SAMPLES / name / "recipe.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Recipe)


def apply(name: str, tree: Path, *, called: str = "") -> list[str]:
    """Do what a recipe says to a copy of the repository; the files it wrote.

    Args:
        name: The recipe.
        tree: The copy.
        called: What the new thing is called, in the form ``two_words``; the sample's own name when
            left out.

    Raises:
        ValueError: A place that is to be changed is not there, or not once; or a file that is to be
            added is there. Nothing was written.
    """
    told = recipe(name)
    rename = _renaming(told.word, called)
    texts: dict[str, str] = {}
    for each in told.new:
        path = rename(each.path)
        if (tree / path).exists():
            raise ValueError(f"{path} is there already")
        texts[path] = rename((SAMPLES / name / each.sample).read_text(encoding="utf-8"))
    for edit in told.edit:
        text = texts.get(edit.path) or (tree / edit.path).read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            message = f"{edit.path} holds {edit.old!r} {text.count(edit.old)} times, not once"
            raise ValueError(message)
        texts[edit.path] = text.replace(edit.old, rename(edit.new))
    for path, text in texts.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")
    return list(texts)


def _renaming(word: str, called: str) -> Callable[[str], str]:
    """What puts another name into a sample, in each of the forms a name is written in."""
    forms = list(zip(_forms(word), _forms(called), strict=True)) if word and called else []

    def rename(text: str) -> str:
        for old, new in forms:
            text = text.replace(old, new)
        return text

    return rename


def _forms(word: str) -> list[str]:
    """``two_words`` as it stands in code, addresses, classes, variables and texts."""
    parts = word.split("_")
    return [
        word,
        "-".join(parts),
        "".join(part.capitalize() for part in parts),
        word.upper(),
        " ".join(parts),
    ]


def pages() -> dict[Path, str]:
    """Every page of docs/extend with its recipe shown."""
    made: dict[Path, str] = {}
    for path in sorted(EXTEND.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        before, begin, rest = text.partition(BEGIN)
        if begin:
            name, _, after = rest.partition(" -->\n")
            tail = after.partition(END + "\n")[2] if END in after else after
            made[path] = f"{before}{begin}{name} -->\n{shown(name)}\n{END}\n{tail}"
    return made


def shown(name: str) -> str:
    """A recipe as Markdown."""
    told = recipe(name)
    parts = [SHOWN, _summary(told)]
    for each in told.new:
        text = (SAMPLES / name / each.sample).read_text(encoding="utf-8").rstrip("\n")
        parts.append(f"Write **{each.path}**:\n\n{_fence(each.path, text)}")
    for path in dict.fromkeys(edit.path for edit in told.edit):
        edits = [edit for edit in told.edit if edit.path == path]
        parts.append(f"Change **{path}**:\n\n" + "\n\n".join(_diff(edit) for edit in edits))
    if told.made:
        listed = "\n".join(f"- {path}" for path in told.made)
        parts.append(f"`make docs` then writes anew:\n\n{listed}")
    return "\n\n".join(parts) + "\n"


def _summary(told: Recipe) -> str:
    by_hand = len(told.paths()) - len(told.made)
    made = f", {len(told.made)} more by `make docs`" if told.made else ""
    return f"**Files: {by_hand} by hand{made}.**"


def _fence(path: str, text: str) -> str:
    return f"```{LANGUAGES.get(Path(path).suffix, 'text')}\n{text}\n```"


def _diff(edit: Edit) -> str:
    """A change as the lines that go and come."""
    old, new = edit.old.splitlines(), edit.new.splitlines()
    kept = [line for line in old if line in new]
    lines = [f"-{line}" for line in old if line not in new]
    lines += [f" {line}" if line in kept else f"+{line}" for line in new]
    return "```diff\n" + "\n".join(lines) + "\n```"
