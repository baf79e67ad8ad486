"""How high the lanes of a timeline are: as a person chose for a project, else as the window has room."""

from __future__ import annotations

from typing import Literal, get_args

from app.storage import preferences
from app.studio.store import Store
from app.viewmodels.watched import Watched

LaneSize = Literal["auto", "small", "normal", "tall"]
LANE_SIZES: tuple[LaneSize, ...] = get_args(LaneSize)
_HEIGHTS: dict[LaneSize, int] = {"small": 24, "normal": 40, "tall": 64}
_NARROW, _WIDE, _LOW = 1400, 1900, 800
_IN_NARROW, _IN_WIDE = 32, 48


def lane_height(size: LaneSize, width: int, height: int) -> int:
    """Height of a lane in pixels: the chosen size, else 32 in a narrow or low window, 48 in a wide one. `width` and
    `height` are the window's, in pixels."""
    if size != "auto":
        return _HEIGHTS[size]
    if width < _NARROW or height < _LOW:
        return _IN_NARROW
    return _IN_WIDE if width >= _WIDE else _HEIGHTS["normal"]


class LaneChoice:
    """The stored choice of lane height for one project; `size` is "auto" until it was loaded."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._key = f"timeline.lanes.{project}"
        self.size: Watched[LaneSize] = Watched("auto")

    async def load(self) -> None:
        """Read the stored choice, unless one was made meanwhile. Raises `StorageError`."""
        kept = await self._store.read(lambda transaction: preferences.find(transaction, self._key))
        if self.size.value == "auto":
            self.size.set(next((size for size in LANE_SIZES if size == kept), "auto"))

    async def keep(self) -> None:
        """Store the current choice. Raises `StorageError`."""
        size = self.size.value
        await self._store.write(lambda transaction: preferences.put(transaction, self._key, size))
