"""Models as the settings see them, without a server, a keyring or a database."""

from __future__ import annotations

import asyncio
from datetime import date

from agent.providers.errors import ProviderError
from app.storage.errors import KeyringError
from app.storage.usage import UsageSum
from app.studio.key_order import KeyPlace
from app.studio.models import Caps, Chosen, Given, Kind, ProviderSettings
from app.viewmodels.chat.choosing import Choosing, Probe


class ModelDoor:
    """Keeps what it is told. `safe` says whether there is a keyring, `works` whether servers answer."""

    def __init__(self) -> None:
        self.safe = self.works = True
        self.hangs = False
        self.keys: dict[str, str] = {}
        self.places: dict[str, KeyPlace] = {}
        self.all: dict[str, ProviderSettings] = {}
        self.kept_caps = Caps()
        self.choice = Chosen()
        self.calls: list[str] = []
        self.given_by: dict[str, Given] = {}

    async def settings(self, provider: str) -> ProviderSettings:
        return self.all.get(provider, ProviderSettings(_kind(provider)))

    def given(self, provider: str) -> Given | None:
        return self.given_by.get(provider)

    async def keep(self, settings: ProviderSettings) -> None:
        self.calls.append(f"keep {settings.base_url}")
        self.all[settings.kind] = settings

    async def caps(self) -> Caps:
        return self.kept_caps

    async def keep_caps(self, caps: Caps) -> None:
        self.kept_caps = caps

    async def key_place(self, provider: str) -> KeyPlace:
        self.calls.append(f"place {provider}")
        return self.places.get(provider, KeyPlace("none", "there is no key"))

    async def put_key(self, provider: str, key: str) -> KeyPlace:
        self.calls.append(f"put {provider}")
        if not self.safe:
            raise KeyringError("there is no keyring here", fix="start one")
        return self._put(provider, key, KeyPlace("keyring", "kept in GNOME Keyring"))

    async def put_session_key(self, provider: str, key: str) -> KeyPlace:
        return self._put(provider, key, KeyPlace("session", "kept for this session only; it ends with the program"))

    async def forget_key(self, provider: str) -> bool:
        self.places.pop(provider, None)
        return self.keys.pop(provider, None) is not None

    async def test(self, provider: str) -> tuple[str, ...]:
        self.calls.append(f"test {provider}")
        if self.hangs:
            await asyncio.Event().wait()
        if not self.works:
            raise ProviderError("authentication", "Anthropic refused the key", why="it said 401", fix="paste another")
        return ("alpha-2", "beta-9")

    async def chosen(self) -> Chosen:
        return self.choice

    async def choose(self, provider: str, model: str = "") -> None:
        self.choice = Chosen(provider, model)

    def _put(self, provider: str, key: str, place: KeyPlace) -> KeyPlace:
        self.keys[provider], self.places[provider] = key, place
        return place


class SpentDoor:
    """A sum for any month and day."""

    def __init__(self, sums: UsageSum) -> None:
        self.sums = sums

    async def month(self, month: str = "") -> UsageSum:
        return self.sums

    async def day(self, day: date) -> UsageSum:
        return self.sums


def choosing_over(door: ModelDoor, sums: UsageSum | None = None, probe: Probe | None = None) -> Choosing:
    """What views are given."""
    return Choosing(door, SpentDoor(sums or UsageSum()), probe)


def _kind(provider: str) -> Kind:
    return provider if provider in ("anthropic", "openai") else "openai-chat"  # type: ignore[return-value]
