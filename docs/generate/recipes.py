"""The recipes of docs/extend: what each adds and changes, shown from its own sample files."""

import tomllib
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
        made: Files that ``make docs`` writes anew.
        check: Tests that must pass afterwards.
        ui: Whether the UI is touched, so that its types are made anew and checked.
        resolve: A model that must be known afterwards.
    """

    made: list[str]
    check: list[str]
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


def apply(name: str, tree: Path) -> None:
    """Do what a recipe says to a copy of the repository.

    Raises:
        ValueError: A place that is to be changed is not there, or not once.
    """
    told = recipe(name)
    for each in told.new:
        path = tree / each.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((SAMPLES / name / each.sample).read_bytes())
    for edit in told.edit:
        path = tree / edit.path
        text = path.read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            message = f"{edit.path} holds {edit.old!r} {text.count(edit.old)} times, not once"
            raise ValueError(message)
        path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")


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
