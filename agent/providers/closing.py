"""A stream that is left early is closed at once, not when the garbage is collected."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.providers.provider import ReplyEvent


@asynccontextmanager
async def closing(stream: AsyncIterator[ReplyEvent]) -> AsyncIterator[AsyncIterator[ReplyEvent]]:
    """A context manager that yields the stream and closes it at the end, so that its connection is free."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
