"""A model and its fallbacks: try again what may pass, go on to the next when it does not.

Waits between tries are real time and end at once when the office is paused or the run is cancelled.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dayshift.core.errors import (
    ContextOverflowError,
    ModelError,
    ModelRefusedError,
    QuotaSpentError,
)
from dayshift.core.model import Answer, Delta, Model, ModelRequest

TRIES = 5
BACKOFF_S = 1.0
BACKOFF_MAX_S = 30.0
RETRY_AFTER_MAX_S = 900.0


@dataclass(frozen=True, kw_only=True)
class Attempting:
    """What a route does between attempts.

    Attributes:
        wait: Wait so many real seconds; returns False when waiting was cut short by a pause.
        begin: A new attempt begins; what was streamed so far is void.
        out_of_money: The provider's account is empty; pauses the office and returns when it goes on.
    """

    wait: Callable[[float], Awaitable[bool]]
    begin: Callable[[str, int], None]
    out_of_money: Callable[[QuotaSpentError], Awaitable[None]]


@dataclass(frozen=True)
class Routed:
    """An answer, who gave it and after how many attempts."""

    answer: Answer
    model: Model
    attempts: int


async def ask(
    models: list[Model],
    request_for: Callable[[Model], ModelRequest],
    on_delta: Callable[[Delta], None],
    *,
    attempting: Attempting,
) -> Routed:
    """Ask the first model that answers.

    Raises:
        ModelError: The last model's last error.
        ContextOverflowError: The request is too long; the caller shortens it.
    """
    attempts = 0
    for index, model in enumerate(models):
        try:
            answer, attempts = await _persist(
                model, request_for(model), on_delta, attempting, attempts
            )
        except ContextOverflowError:
            raise
        except ModelError as error:
            if index + 1 == len(models):
                raise
            attempts = error.attempts
            continue
        return Routed(answer, model, attempts)
    raise ModelRefusedError(
        "There is no model to ask.", hint="Set `model` for the office or the agent."
    )


async def _persist(
    model: Model,
    request: ModelRequest,
    on_delta: Callable[[Delta], None],
    attempting: Attempting,
    before: int,
) -> tuple[Answer, int]:
    tries = 0
    while True:  # ends with an answer, a final error, or TRIES failures
        attempting.begin(model.ref, before + tries + 1)
        try:
            return await model.ask(request, on_delta), before + tries + 1
        except QuotaSpentError as error:
            if error.retry_after_s is None:
                await attempting.out_of_money(error)
                continue
            await attempting.wait(min(error.retry_after_s, RETRY_AFTER_MAX_S))
            tries += 1
            error.attempts = before + tries
            if tries >= TRIES:
                raise
        except ModelError as error:
            tries += 1
            error.attempts = before + tries
            if not error.retryable or tries >= TRIES:
                raise
            await attempting.wait(_pause_s(error, tries))


def _pause_s(error: ModelError, tries: int) -> float:
    if error.retry_after_s is not None:
        return min(error.retry_after_s, RETRY_AFTER_MAX_S)
    top = min(BACKOFF_MAX_S, BACKOFF_S * 2 ** (tries - 1))
    return top * random.uniform(0.5, 1.0)  # noqa: S311  spreads retries; no secret hangs on it
