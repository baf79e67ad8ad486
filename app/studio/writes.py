"""What became of everything that was to be stored: under way, done, or refused by the disk."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import TypeVar

from app.storage.errors import StorageError
from app.studio.observable import Observable

T = TypeVar("T")


class Writes:
    """The state of writes to the database. `changed` is emitted when it changes. `under_way` counts pending ones,
    `done` is when the last one was stored (UTC), `refused` the error of the last one that ended; None if it was
    stored."""

    def __init__(self) -> None:
        self.under_way = 0
        self.done: datetime | None = None
        self.refused: StorageError | None = None
        self.changed: Observable[Writes] = Observable()

    async def followed(self, write: Awaitable[T]) -> T:
        """Await a write and return its result; it counts as under way meanwhile."""
        self.under_way += 1
        self.changed.emit(self)
        try:
            found = await write
        except StorageError as error:
            self.refused = error
            raise
        else:
            self.done, self.refused = datetime.now(UTC), None
            return found
        finally:
            self.under_way -= 1
            self.changed.emit(self)
