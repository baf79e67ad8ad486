"""How long pure work is watched: it tells how far it is, and hears that nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from agent.errors import BandleaderError, Blame
from agent.message import msg

T = TypeVar("T")


class Stopped(BandleaderError):
    """Work was stopped on request; it has no result and no effect."""

    blame = Blame.CANCELLED


class Watch(Struct, frozen=True):
    """Lets long work be stopped and followed. `cancelled` tells whether to stop, `progress` takes the share done, 0 to
    1; both are called on the thread that works."""

    cancelled: Callable[[], bool] = lambda: False
    """True once the work is not wanted any more."""
    progress: Callable[[float], None] = lambda _share: None
    """Told of the share that is done, 0 to 1."""

    def look(self) -> None:
        """Raise `Stopped` if the work is to be stopped."""
        if self.cancelled():
            raise Stopped(msg("the work was stopped"), why=msg("someone asked for it"))

    def each(self, items: Sequence[T]) -> Iterator[T]:
        """The items; before each the work is stopped if wanted, and its progress reported."""
        for number, item in enumerate(items):
            self.look()
            self.progress(number / len(items))
            yield item

    def part(self, begin: float, end: float) -> Watch:
        """A watch for one part of the work, whose own progress from 0 to 1 is reported as `begin` to `end` of the
        whole."""
        return Watch(self.cancelled, lambda share: self.progress(begin + (end - begin) * share))


UNWATCHED = Watch()
"""Work that nobody stops or looks at."""
