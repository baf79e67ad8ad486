"""How a person likes the window: theme, language, size of everything, keys, what is told, commands used last."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from app.desktop.sizes import LEAST_ZOOM, MOST_ZOOM
from app.desktop.watched import Watched
from app.storage import preferences
from app.studio.store import Store

ThemeChoice = Literal["system", "dark", "light"]
_KEY = "window.habits"
_MOST_RECENT = 8


class Shortcut(Struct, frozen=True):
    """The keys that a person gave to an action, as Qt writes them in English; none for an action without keys."""

    action: str
    keys: tuple[str, ...] = ()


class Preferences(Struct, frozen=True):
    """`zoom` is in per cent and, as `language`, holds from the next start on; `calm` means nothing moves by itself.

    `notices` lets the system tell what ended while the window was not in front. `recent` are ids of commands, the
    one used last first.
    """

    theme: ThemeChoice = "system"
    language: str = "system"
    zoom: int = 100
    calm: bool = False
    notices: bool = True
    keys: tuple[Shortcut, ...] = ()
    recent: tuple[str, ...] = ()

    def used(self, command: str) -> Preferences:
        """With a command that was used just now."""
        others = tuple(one for one in self.recent if one != command)
        return msgspec.structs.replace(self, recent=(command, *others)[:_MOST_RECENT])


class PreferenceStore:
    """The preferences of this installation; `now` is None until the window has said with which it was opened."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.now: Watched[Preferences | None] = Watched(None)
        self.shown: Preferences | None = None
        """With which the window was opened: its language and size are these until the next start."""

    @property
    def value(self) -> Preferences:
        """The preferences now."""
        return self.now.value or Preferences()

    def open_with(self, shown: Preferences) -> None:
        """The window was opened like this; what is stored counts more."""
        self.shown = shown
        if self.now.value is None:
            self.now.set(shown)

    async def load(self) -> None:
        """Read what is stored. Raises `StorageError`, also where that is damaged; those of now stay then."""
        found = await self._store.read(lambda transaction: preferences.read(transaction, _KEY, Preferences))
        if found is not None:
            self.now.set(_sound(found))

    def take(self, chosen: Preferences) -> None:
        """Live by these from now on; `store` keeps them for the next start."""
        self.now.set(_sound(chosen))

    async def store(self) -> None:
        """Keep the preferences of now. Raises `StorageError`; this session has them all the same."""
        text = msgspec.json.encode(self.value).decode()
        await self._store.write(lambda transaction: preferences.put(transaction, _KEY, text))


def _sound(chosen: Preferences) -> Preferences:
    zoom = min(max(chosen.zoom, LEAST_ZOOM), MOST_ZOOM)
    return msgspec.structs.replace(chosen, zoom=zoom, recent=chosen.recent[:_MOST_RECENT])
