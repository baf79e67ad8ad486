"""Who plans: the built-in composer or a model that the person has set up; and what is kept about each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from typing import Protocol, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from app.i18n import lazy, tr
from app.storage.usage import UsageSum
from app.studio.key_order import KeyPlace
from app.studio.models import KINDS, LOCAL, Caps, Chosen, Given, Kind, ProviderSettings
from app.viewmodels.watched import Watched

NAMES: dict[Kind, str] = {"anthropic": "Anthropic", "openai": "OpenAI", "openai-chat": "OpenAI-compatible"}
SERVERS: tuple[tuple[str, str], ...] = (
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("OpenRouter", "https://openrouter.ai/api/v1"),
)
"""Servers with OpenAI's API, each with its default address."""

Probe: TypeAlias = Callable[[str], Awaitable[tuple[str, ...]]]
"""Tests whether the model of a provider is able to plan; returns sentences."""


class ProviderModels(Protocol):
    """Settings and keys of providers, as `Models`. Its methods raise `BandleaderError`s, none of which contains a
    key."""

    async def settings(self, provider: str) -> ProviderSettings: ...
    def given(self, provider: str) -> Given | None: ...
    async def keep(self, settings: ProviderSettings) -> None: ...
    async def caps(self) -> Caps: ...
    async def keep_caps(self, caps: Caps) -> None: ...
    async def key_place(self, provider: str) -> KeyPlace: ...
    async def put_key(self, provider: str, key: str) -> KeyPlace: ...
    async def put_session_key(self, provider: str, key: str) -> KeyPlace: ...
    async def forget_key(self, provider: str) -> bool: ...
    async def test(self, provider: str) -> tuple[str, ...]: ...
    async def chosen(self) -> Chosen: ...
    async def choose(self, provider: str, model: str = "") -> None: ...


class CostLedger(Protocol):
    """What models have cost."""

    async def month(self, month: str = "") -> UsageSum: ...
    async def day(self, day: date) -> UsageSum: ...


class PlannerOption(Struct, frozen=True):
    """A planner that can be chosen, with its name for people (`said`). An empty `model` means that of the provider's
    settings. `note` is a sentence about an address set by the environment; empty for none."""

    provider: str
    model: str
    said: str
    note: str = ""

    @property
    def local(self) -> bool:
        """Whether it is the built-in composer."""
        return self.provider == LOCAL

    @property
    def words(self) -> str:
        """Its name in the person's language; names of models are not translated."""
        return tr(self.said) if self.local else self.said

    @property
    def brief(self) -> str:
        """A short name: the composer's, or only the model's."""
        return tr("Built-in composer") if self.local else self.said.partition(", ")[2] or self.said

    @property
    def server(self) -> str:
        """The name of the server; empty for the composer."""
        return "" if self.local else self.said.partition(", ")[0]


COMPOSER = PlannerOption(LOCAL, "", lazy("Built-in composer, offline"))


class Choosing:
    """The available planners and the chosen one. Reading them never asks the keyring, which might have to be unlocked.
    `probe` tests a model, None if that is not possible."""

    def __init__(self, models: ProviderModels, ledger: CostLedger, probe: Probe | None = None) -> None:
        self.models = models
        self.probe = probe
        self._ledger = ledger
        self._turn = asyncio.Lock()
        self.offers: Watched[tuple[PlannerOption, ...]] = Watched((COMPOSER,))
        """The composer, then each provider that has a model."""
        self.chosen: Watched[PlannerOption] = Watched(COMPOSER)
        self.month: Watched[UsageSum] = Watched(UsageSum())
        """What models have used and cost this month."""
        self.today: Watched[UsageSum] = Watched(UsageSum())
        """What models have used and cost today, in local time."""
        self._counted: date | None = None

    async def refresh(self) -> None:
        """Read again what is set up, chosen and spent."""
        async with self._turn:
            chosen, found = await self.models.chosen(), [COMPOSER]
            for kind in KINDS:
                settings = await self.models.settings(kind)
                if settings.model:
                    given = self.models.given(kind)
                    found.append(PlannerOption(kind, "", offer_words(settings, given), given_words(given)))
            now = next((one for one in found if (one.provider, one.model) == (chosen.provider, chosen.model)), None)
            if now is None:
                now = await self._other(self.models, chosen)
                found.append(now)
            self.offers.set(tuple(found))
            self.chosen.set(now)
        await self.count()

    async def count(self) -> None:
        """Read again what was spent."""
        day = _today()
        self.month.set(await self._ledger.month())
        self.today.set(await self._ledger.day(day))
        self._counted = day

    async def begin_day(self) -> None:
        """Read again what was spent, if a new day has begun since."""
        if self._counted is not None and self._counted != _today():
            await self.count()

    async def choose(self, offer: PlannerOption) -> None:
        """Let this planner plan from the next request on, also after a restart."""
        await self.models.choose(offer.provider, offer.model)
        await self.refresh()

    @staticmethod
    async def _other(models: ProviderModels, chosen: Chosen) -> PlannerOption:
        """One that was chosen in another way, with a model or server of its own."""
        settings = await models.settings(chosen.provider)
        model = chosen.model or settings.model
        given = models.given(chosen.provider)
        said = offer_words(replace(settings, model=model), given)
        return PlannerOption(chosen.provider, chosen.model, said, given_words(given))


def offer_words(settings: ProviderSettings, given: Given | None = None) -> str:
    """The name of a planner: "Anthropic, NAME", "Ollama, NAME"; with `given`, an address from the environment,
    "Anthropic at HOST, NAME"."""
    chat, name = settings.kind == "openai-chat", NAMES[settings.kind]
    url = given.url if given is not None and given.url else settings.base_url if chat else ""
    if url:
        name = server_name(url) if chat else tr("{name} at {server}", name=name, server=server_name(url))
    return f"{name}, {settings.model or tr('no model yet')}"


def given_words(given: Given | None) -> str:
    """A sentence about an address from the environment, such as "http://HOST is asked: ANTHROPIC_BASE_URL …"; empty for
    None."""
    if given is None:
        return ""
    if given.trouble:
        return tr("{variable} in the environment cannot be used: {trouble}", variable=given.variable,
                  trouble=given.trouble)
    return tr("{url} is asked: {variable} in the environment goes before the settings", url=given.url,
              variable=given.variable)


def server_name(url: str) -> str:
    """The name of a server by its address if that is known, else its host."""
    known = {address: name for name, address in SERVERS}
    bare = url.strip().rstrip("/").replace("//localhost", "//127.0.0.1")
    if bare in known:
        return known[bare]
    try:
        return urlsplit(bare).netloc.rpartition("@")[2] or tr("Own server")
    except ValueError:
        return tr("Own server")


def _today() -> date:
    return datetime.now().astimezone().date()
