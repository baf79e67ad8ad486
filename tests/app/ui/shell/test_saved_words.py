"""What the status line says of what is saved."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from app.storage.errors import StorageError
from app.studio.writes import Writes
from app.ui.shell.status_line import saved_words


def test_nothing_saving_saved_and_refused_each_in_words() -> None:
    async def story() -> None:
        writes, said, gate = Writes(), [], asyncio.Event()
        said.append(saved_words(writes, ()).words)

        async def full() -> None:
            raise StorageError("cannot write song.db", why="the disk is full", fix="free some space")

        async def slow() -> None:
            await gate.wait()

        waiting = asyncio.ensure_future(writes.followed(slow()))
        await asyncio.sleep(0)
        said.append(saved_words(writes, ()).words)
        gate.set()
        await waiting
        try:
            await writes.followed(full())
        except StorageError:
            refused = saved_words(writes, ())
        said.append(refused.words)
        assert refused.refused
        assert "free some space" in refused.why
        assert said == ["Nothing to save yet", "Saving…", "Not saved: the disk is full"]

    asyncio.run(story())


def test_the_status_line_follows_real_commits(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        status = one.window.status
        assert status.saved.text() == "Nothing to save yet"
        await one.room.plan("a calm lofi beat, 4 bars")
        await one.room.approve()
        await one.room.until(lambda: status.saved.text().startswith("All changes saved "))
        store = one.room.desktop.studio.store

        async def refuse() -> None:
            raise StorageError("cannot write", why="the disk is full")

        with contextlib.suppress(StorageError):
            await store.writes.followed(refuse())
        await one.room.until(lambda: status.saved.text() == "Not saved: the disk is full")
        assert status.saved.property("tone") == "bad"
        await one.room.desktop.set("anything", "stored")
        await one.room.until(lambda: status.saved.text().startswith("All changes saved "))

    shown(story)
