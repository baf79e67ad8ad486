"""A request to stop, that long work and pauses look at."""

from __future__ import annotations

import asyncio


class Cancellation:
    """Set once; safe to read from any thread, to be set on the loop's thread."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def cancel(self) -> None:
        """Ask to stop."""
        self._event.set()

    def requested(self) -> bool:
        """Whether someone asked."""
        return self._event.is_set()

    async def wait(self) -> None:
        """Wait until someone asks."""
        await self._event.wait()

    async def pause(self, seconds: float) -> bool:
        """Wait so long, or until someone asks to stop; tells whether someone did."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        return True
