"""Replies: views encoded once. The annotation of a route says what it replies, for the document."""

from typing import Generic, TypeVar

import msgspec
from starlette.responses import Response, StreamingResponse

T = TypeVar("T")
_ENCODER = msgspec.json.Encoder()


class Reply(Response, Generic[T]):
    """A view, or a list of views, as JSON."""

    media_type = "application/json"
    status = 200

    def __init__(self, view: T) -> None:
        super().__init__(_ENCODER.encode(view), status_code=self.status)


class Created(Reply[T]):
    """The same, for something new."""

    status = 201


class Encoded(Reply[T]):
    """JSON of the kind that the annotation says, encoded elsewhere."""

    def __init__(self, body: bytes) -> None:
        Response.__init__(self, body, status_code=self.status)


class Done(Response):
    """It was done, and there is nothing to say."""

    status = 204

    def __init__(self) -> None:
        super().__init__(status_code=self.status)


class Raw(StreamingResponse):
    """Bytes of some media type, as they are, a part at a time."""

    status = 200
