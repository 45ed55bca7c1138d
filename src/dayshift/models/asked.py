"""What a reader of answers is told of the request, whatever the dialect."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Self

from dayshift.core.errors import ModelCutError, ModelError, ModelGarbledError
from dayshift.core.model import Delta, Fragment, ModelRequest
from dayshift.models.failures import from_event
from dayshift.models.schemas import names_back
from dayshift.models.wire import Endpoint

#: What reading a field that is not as the dialect has it raises.
NOT_THE_DIALECT = (AttributeError, TypeError, KeyError, IndexError, ValueError)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request, as far as its answer depends on it.

    Attributes:
        provider: Its id, for error texts.
        origin: Mark of reasoning and unknown fields, so that they go back to nobody else.
        on_delta: Told of every piece of text, of reasoning, and of each call's name.
        names_back: Sent tool name to real name, where they differ.
        history: What was asked, so that no call gets an id that is taken.
        secret: The key that was sent; no error text may repeat it.
    """

    provider: str
    origin: str
    on_delta: Callable[[Delta], None]
    names_back: dict[str, str] = dataclasses.field(default_factory=dict[str, str])
    history: Sequence[Fragment] = ()
    secret: str = ""

    @classmethod
    def of(
        cls,
        request: ModelRequest,
        endpoint: Endpoint,
        *,
        origin: str,
        on_delta: Callable[[Delta], None],
    ) -> Self:
        """What the answer to this request depends on."""
        return cls(
            provider=endpoint.provider,
            origin=origin,
            on_delta=on_delta,
            names_back=names_back(request.tools),
            history=request.messages,
            secret=endpoint.secret.reveal(),
        )

    def failed(self, event: dict[str, Any]) -> ModelError:
        """The error that an event inside the stream means."""
        return from_event(self.provider, event, secret=self.secret)

    def garbled(self, what: str = "something that is not its dialect") -> ModelGarbledError:
        """The provider sent what makes no answer."""
        return ModelGarbledError(f"{self.provider} sent {what}.", provider=self.provider)

    def cut(self, where: str = "before the answer did") -> ModelCutError:
        """The connection was over too early."""
        return ModelCutError(f"{self.provider}: the stream ended {where}.", provider=self.provider)

    def check_body(self, body: bytes) -> None:
        """Refuse an answer in one piece that says nothing.

        Raises:
            ModelCutError: There is nothing in it.
        """
        if not body.strip():
            raise ModelCutError(f"{self.provider}: an empty answer.", provider=self.provider)
