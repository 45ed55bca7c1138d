"""A model and its fallbacks: try again what may pass, go on to the next when it does not.

Waits between tries are real time. They end at once when the office is paused or the run is
cancelled, and nothing is sent while the office is paused.
"""

import random
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from dayshift.core.errors import (
    ContextOverflowError,
    ModelError,
    ModelRefusedError,
    QuotaSpentError,
)
from dayshift.core.model import Answer, Delta, Model, ModelRequest

TRIES = 5
RETRY_AFTER_MAX_S = 3_600.0
"""Longest wait that a provider may ask for; beyond it, its refusal is final."""


class Attempting(msgspec.Struct, frozen=True, kw_only=True):
    """What a route does between attempts.

    Attributes:
        ready: Returns when the next attempt may be sent; tells the run what came meanwhile.
        wait: Waits so many real seconds, or less.
        begin: An attempt begins; what was streamed so far is void.
        out_of_money: The provider's account is empty; pauses the office.
        backoff_s: First wait before trying again; it doubles each time, up to ``backoff_max_s``.
    """

    ready: Callable[[], Awaitable[None]]
    wait: Callable[[float], Awaitable[object]]
    begin: Callable[[], None]
    out_of_money: Callable[[QuotaSpentError], None]
    backoff_s: float
    backoff_max_s: float


class Routed(msgspec.Struct, frozen=True):
    """An answer, who gave it and after how many attempts."""

    answer: Answer
    model: Model
    attempts: int


async def ask(
    models: Sequence[Model],
    request_for: Callable[[Model], ModelRequest],
    on_delta: Callable[[Delta], None],
    *,
    attempting: Attempting,
) -> Routed:
    """Ask the first model that answers. ``request_for`` is asked anew for each attempt.

    Raises:
        ModelError: The last model's last error; its ``attempts`` are those of all models.
        ContextOverflowError: The request is too long; the caller shortens it.
    """
    attempts = 0
    for index, model in enumerate(models):
        tries = 0
        while True:  # ends with an answer, a final error, or TRIES failures
            await attempting.ready()
            attempting.begin()
            try:
                answer = await model.ask(request_for(model), on_delta)
            except QuotaSpentError as error:
                attempts += 1
                if error.retry_after_s is None:
                    attempting.out_of_money(error)
                    continue
                failure: ModelError = error
            except ModelError as error:
                attempts += 1
                failure = error
            else:
                return Routed(answer, model, attempts + 1)
            tries += 1
            failure.attempts = attempts
            if not _may_pass(failure, tries):
                if index + 1 == len(models) or isinstance(failure, ContextOverflowError):
                    raise failure
                break
            await attempting.wait(_pause_s(failure, tries, attempting))
    raise ModelRefusedError(
        "There is no model to ask.", hint="Set `model` for the office or the agent."
    )


def _may_pass(error: ModelError, tries: int) -> bool:
    too_long = error.retry_after_s is not None and error.retry_after_s > RETRY_AFTER_MAX_S
    asked_to_wait = isinstance(error, QuotaSpentError) and error.retry_after_s is not None
    return (error.retryable or asked_to_wait) and tries < TRIES and not too_long


def _pause_s(error: ModelError, tries: int, attempting: Attempting) -> float:
    if error.retry_after_s is not None:
        return error.retry_after_s
    top = min(attempting.backoff_max_s, attempting.backoff_s * 2 ** (tries - 1))
    return top * random.uniform(0.5, 1.0)  # noqa: S311  spreads retries; no secret hangs on it
