"""What became of what was to be stored."""

from __future__ import annotations

import asyncio

import pytest

from agent.session.run_state import RunError
from app.storage.errors import StorageError
from app.studio.writes import Writes


def test_a_write_is_under_way_until_it_is_stored_or_refused() -> None:
    async def story() -> None:
        writes, told, gate = Writes(), [], asyncio.Event()
        writes.changed.listen(lambda now: told.append((now.under_way, now.refused is not None)))

        async def slow() -> str:
            await gate.wait()
            return "stored"

        async def refuse() -> None:
            raise StorageError("cannot write", why="the disk is full")

        waiting = asyncio.ensure_future(writes.followed(slow()))
        await asyncio.sleep(0)
        assert (writes.under_way, writes.done) == (1, None)
        with pytest.raises(StorageError):
            await writes.followed(refuse())
        assert writes.refused is not None
        gate.set()
        assert await waiting == "stored"
        assert (writes.under_way, writes.refused) == (0, None)
        assert writes.done is not None
        assert told == [(1, False), (2, False), (1, True), (0, False)]

    asyncio.run(story())


def test_a_change_that_the_song_refuses_is_no_trouble_of_the_disk() -> None:
    async def story() -> None:
        writes = Writes()

        async def held() -> None:
            raise RunError("a run holds the song")

        with pytest.raises(RunError):
            await writes.followed(held())
        assert (writes.under_way, writes.refused) == (0, None)

    asyncio.run(story())
