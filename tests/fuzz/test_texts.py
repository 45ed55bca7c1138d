"""Texts of any kind into our readers: office.yaml, event streams, and the redactor."""

from __future__ import annotations

import base64
import html
import json
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote, quote_plus

from hypothesis import given, settings
from hypothesis import strategies as st

from dayshift.app.cli.sse import FrameReader
from dayshift.config.office import OfficeConfig, load
from dayshift.core.errors import ConfigErrors
from dayshift.core.redaction import Redactor
from dayshift.models.sse import EventReader, EventTooLongError

BOUNDED = settings(max_examples=150, deadline=None, derandomize=True)

WORDS = st.sampled_from(
    ["office", "agents", "channels", "name", "title", "model", "budget", "clock", "reports_to"]
)
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=True)
    | st.text(max_size=20)
    | WORDS
)
NESTED = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=20,
)
AGENT = st.fixed_dictionaries(
    {"name": st.sampled_from(["iris", "juno", "Iris", "", "a b", "-x"])},
    optional={
        "reports_to": st.sampled_from(["iris", "juno", "nobody", ""]),
        "keywords": st.lists(st.text(max_size=10), max_size=3),
        "budget": NESTED,
        "salience_threshold": PLAIN,
        "env": NESTED,
    },
)
OFFICE = st.fixed_dictionaries(
    {"office": st.just({"name": "acme"}) | NESTED, "agents": st.lists(AGENT, max_size=4) | NESTED},
    optional={"channels": NESTED, "clock": NESTED},
)


def read(data: bytes) -> OfficeConfig | list[str]:
    """What an office file comes to: its configuration, or what is wrong with it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "acme" / "office.yaml"
        file.parent.mkdir()
        file.write_bytes(data)
        try:
            return load(file, {})
        except ConfigErrors as errors:
            return [error.message for error in errors.errors]


@BOUNDED
@given(st.binary(max_size=400))
def test_any_bytes_are_an_office_or_a_list_of_faults(data: bytes) -> None:
    """Never another error, and never nothing.

    Demanded by: AGENT-1; the measures, YAML.
    """
    assert read(data)


@BOUNDED
@given(OFFICE | NESTED)
def test_any_document_is_an_office_or_a_list_of_faults(document: object) -> None:
    """Also one that is nearly right. JSON is YAML, so that anything can be written down.

    Demanded by: AGENT-1; the measures, YAML.
    """
    found = read(json.dumps(document, default=str).encode("utf-8", "replace"))
    assert found
    assert isinstance(found, OfficeConfig) or all(found)


@BOUNDED
@given(st.text(alphabet="abc:-[]{}#&*!|>'\"%@` \n\t\\ué,?", max_size=200))
def test_any_punctuation_is_an_office_or_a_list_of_faults(text: str) -> None:
    """What YAML gives a meaning to, in any order.

    Demanded by: AGENT-1; the measures, YAML.
    """
    assert read(text.encode())


STREAM = st.lists(
    st.sampled_from(
        [
            b"data: ",
            b"data:",
            b"event: x",
            b"id: 1",
            b": hello",
            b"\n",
            b"\r\n",
            b"\r",
            b"{",
            b"\xff",
        ]
    )
    | st.binary(max_size=6),
    max_size=60,
).map(b"".join)


@BOUNDED
@given(STREAM, st.lists(st.integers(0, 300), max_size=8))
def test_a_model_stream_says_the_same_however_it_is_cut(data: bytes, cuts: list[int]) -> None:
    """The events do not depend on how the network splits them.

    Demanded by: MODEL-1; the measures, stream parsers.
    """
    assert events(data, []) == events(data, cuts)


def events(data: bytes, cuts: list[int]) -> list[bytes] | str:
    """The payloads of a stream that comes in pieces."""
    reader = EventReader()
    found: list[bytes] = []
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    try:
        for start, end in pairwise(places):
            found += reader.feed(data[start:end])
        return found + reader.end()
    except EventTooLongError as error:
        return str(error)


@BOUNDED
@given(STREAM, st.lists(st.integers(0, 300), max_size=8))
def test_the_feed_says_the_same_however_it_is_cut(data: bytes, cuts: list[int]) -> None:
    """The same for the command line's reader of the feed.

    Demanded by: PLAT-4; the measures, stream parsers.
    """
    assert frames(data, []) == frames(data, cuts)


def frames(data: bytes, cuts: list[int]) -> list[object]:
    """The frames of a feed that comes in pieces."""
    reader = FrameReader()
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    return [frame for start, end in pairwise(places) for frame in reader.feed(data[start:end])]


SECRET = st.text(
    alphabet="ABCDEFabcdef0123456789-_+/=.&<>\"'\\ é", min_size=12, max_size=40
).filter(lambda text: len(text.strip()) >= 12 and len(set(text.strip())) > 5)
AROUND = st.text(max_size=40)
ENCODINGS = (
    str,
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    lambda text: quote(text, safe=""),
    quote_plus,
    html.escape,
    lambda text: text.encode().hex(),
    lambda text: text.encode().hex().upper(),
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: base64.b64encode(f"x{text}".encode()).decode(),
    lambda text: base64.b64encode(f"xy{text}z".encode()).decode(),
    lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
)


@BOUNDED
@given(SECRET, AROUND, AROUND, st.sampled_from(ENCODINGS))
def test_a_secret_is_hidden_in_every_encoding(
    secret: str, before: str, after: str, encode: object
) -> None:
    """Wherever it stands, and what is around it stays; cleaning twice is cleaning once.

    Demanded by: PLAT-6; SEC-09; the measures, redaction over encodings.
    """
    assert callable(encode)
    redactor = Redactor()
    known = redactor.learn("KEY", secret)
    text = f"{before}\n{encode(secret.strip())}\n{after}"
    cleaned = redactor.clean(text)
    assert known
    assert secret.strip() not in cleaned
    assert "[hidden: KEY]" in cleaned
    assert redactor.clean(cleaned) == cleaned


@BOUNDED
@given(
    st.recursive(st.text(max_size=30), lambda i: st.lists(i) | st.dictionaries(AROUND, i)), SECRET
)
def test_what_is_stored_stays_json_without_the_secret(value: object, secret: str) -> None:
    """Also where the secret is a key, or stands within a text.

    Demanded by: PLAT-6; the measures, redaction over encodings.
    """
    redactor = Redactor()
    redactor.learn("KEY", secret)
    stored = redactor.clean_stored(json.dumps([value, {secret.strip(): f"a {secret.strip()} b"}]))
    assert json.dumps(secret.strip())[1:-1] not in stored
    assert json.loads(stored)[0] is not None
