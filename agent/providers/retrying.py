"""A provider that sends a call again when it failed in a way that may pass, and says what it waits for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable

from agent.message import msg
from agent.providers.closing import closing
from agent.providers.errors import ONCE_MORE, ProviderError
from agent.providers.provider import Provider, Query, ReplyEvent, Restarted, RetryWait
from agent.providers.wrapped import WrappedProvider

_LONGEST_SPOKEN = 7 * 24 * 3600.0
"""Seconds of a wait that an error states as a number; no server means more than a week."""
_TICK = 1.0
"""Seconds between two reports of the remaining time."""


class RetryingProvider(WrappedProvider):
    """Retries calls that failed in a way that may pass.

    A transient fault is retried after about 1, 2 and 4 seconds, or when the server asks. `tries` counts the first call
    too; faults of `ONCE_MORE` are tried twice at most, all others are raised at once. If a server asks for more than
    `longest_wait` seconds, the error is raised with advice that states the time. `jitter` returns 0 to 1 and spreads
    the waits of calls that failed together. Cancelling ends a wait at once."""

    def __init__(
        self,
        provider: Provider,
        tries: int = 4,
        longest_wait: float = 60.0,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(provider)
        self._tries = tries
        self._longest_wait = longest_wait
        self._sleep = sleep
        self._jitter = jitter

    async def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """The reply's stream. A retry is announced by `RetryWait` about once a second, then by `Restarted`: earlier
        parts are void. Raises the last try's `ProviderError`."""
        attempt = 1
        while True:
            try:
                async with closing(self._provider.reply(query)) as stream:
                    async for event in stream:
                        yield event
                return
            except ProviderError as error:
                wait = self._wait_after(error, attempt)
                reason = str(error)
            attempt += 1
            while wait > 0:
                yield RetryWait(wait, attempt, reason)
                await self._sleep(min(_TICK, wait))
                wait -= _TICK
            yield Restarted()

    def _wait_after(self, error: ProviderError, attempt: int) -> float:
        """Seconds until the next try. Raises where there is none."""
        tries = self._tries if error.transient else min(self._tries, 2) if error.fault in ONCE_MORE else 1
        if tries == 1:
            raise error
        asked = error.wait
        # Written so that a wait which is no number counts as too long.
        if asked is not None and not asked <= self._longest_wait:
            advice = msg("The server asks for a pause: try again in {asked}.", asked=_spoken(asked))
            raise ProviderError(error.fault, error.said.what, why=error.said.why, fix=advice, wait=asked) from error
        if attempt >= tries:
            why = (
                msg("{why}; tried {attempt} times", why=error.said.why, attempt=attempt) if error.why
                else msg("tried {attempt} times", attempt=attempt)
            )
            raise ProviderError(error.fault, error.said.what, why=why, fix=error.fix, wait=asked) from error
        if asked is not None and asked > 0:
            return asked
        return float(2 ** (attempt - 1)) * (0.75 + self._jitter() / 2)


def _spoken(seconds: float) -> str:
    """A time as a person says it, rounded up."""
    if not seconds <= _LONGEST_SPOKEN:
        return "a long time"
    for unit, length in (("hours", 3600), ("minutes", 60)):
        if 2 * length <= seconds:
            return f"{-int(-seconds // length)} {unit}"
    return f"{-int(-seconds // 1)} seconds"
