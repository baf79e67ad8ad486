"""How a person likes the window: theme, language, size of everything, keys, what is told, commands used last."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from app.storage import preferences
from app.studio.store import Store
from app.viewmodels.sizes import LEAST_ZOOM, MOST_ZOOM
from app.viewmodels.watched import Watched

ThemeChoice = Literal["system", "dark", "light"]
_KEY = "window.habits"
_MOST_RECENT = 8


class Shortcut(Struct, frozen=True):
    """The keys that the person assigned to an action, as Qt writes them in English; empty for none."""

    action: str
    keys: tuple[str, ...] = ()


class Preferences(Struct, frozen=True):
    """The person's preferences. `zoom` is in per cent and, as `language`, holds from the next start on; `calm` switches
    animations off; `notices` allows notifications while the window is not in front. `recent` are ids of commands, the
    one used last first."""

    theme: ThemeChoice = "system"
    language: str = "system"
    zoom: int = 100
    calm: bool = False
    notices: bool = True
    keys: tuple[Shortcut, ...] = ()
    recent: tuple[str, ...] = ()

    def used(self, command: str) -> Preferences:
        """The preferences with this command as the one used last."""
        others = tuple(one for one in self.recent if one != command)
        return msgspec.structs.replace(self, recent=(command, *others)[:_MOST_RECENT])


class PreferenceStore:
    """Holds and stores the preferences; `now` is None until the window has reported those it was opened with."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.now: Watched[Preferences | None] = Watched(None)
        self.shown: Preferences | None = None
        """The preferences with which the window was opened: their language and zoom hold until the next start."""

    @property
    def value(self) -> Preferences:
        """The current preferences."""
        return self.now.value or Preferences()

    def open_with(self, shown: Preferences) -> None:
        """Report the preferences that the window was opened with; loaded ones take precedence."""
        self.shown = shown
        if self.now.value is None:
            self.now.set(shown)

    async def load(self) -> None:
        """Read the stored preferences. Raises `StorageError`, also if they are damaged; the current ones stay then."""
        found = await self._store.read(lambda transaction: preferences.read(transaction, _KEY, Preferences))
        if found is not None:
            self.now.set(_sound(found))

    def take(self, chosen: Preferences) -> None:
        """Set the preferences for this session; `store` saves them."""
        self.now.set(_sound(chosen))

    async def store(self) -> None:
        """Store the current preferences. Raises `StorageError`."""
        text = msgspec.json.encode(self.value).decode()
        await self._store.write(lambda transaction: preferences.put(transaction, _KEY, text))


def _sound(chosen: Preferences) -> Preferences:
    zoom = min(max(chosen.zoom, LEAST_ZOOM), MOST_ZOOM)
    return msgspec.structs.replace(chosen, zoom=zoom, recent=chosen.recent[:_MOST_RECENT])
