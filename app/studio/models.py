"""The one place that knows the models of this installation: settings, keys, the choice, and providers made of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent.errors import BandleaderError, Blame
from agent.fixes import FixKind
from agent.message import msg
from agent.plan.secret_texts import holds_secret
from agent.providers.errors import ProviderError
from agent.providers.kinds import ANTHROPIC_HOME, OPENAI_HOME, Kind
from agent.providers.provider import Provider, Usage
from agent.song.ids import ProjectId, RunId
from app.storage import preferences
from app.storage.errors import NoKeyring
from app.storage.keyring import Keys
from app.storage.records import PlanningId, Purpose, UsageEntry
from app.studio.addresses import Address, is_address, parse_address
from app.studio.errors import StudioError
from app.studio.key_order import KeyName, KeyOrder, KeyPlace
from app.studio.spending import Caps, SpendingRecord
from app.studio.store import Store

__all__ = ["Caps", "Chosen", "KeyPlace", "Kind", "ModelError", "Models", "ProviderSettings"]

T = TypeVar("T")
KINDS: tuple[Kind, ...] = get_args(Kind)
LOCAL = "local"
"""The provider name of the built-in composer, which is no model."""
OnUsage: TypeAlias = Callable[[Usage, float | None], None]
"""Called after each call of a model with its usage and its cost in US dollars (None: unknown price)."""

_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "openai-chat": "OPENAI_API_KEY"}
_URLS = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL", "openai-chat": "OPENAI_BASE_URL"}
_HOMES: dict[Kind, str] = {"anthropic": ANTHROPIC_HOME, "openai": OPENAI_HOME, "openai-chat": OPENAI_HOME}
_TEST_SECONDS = 30.0
_LONGEST_MODEL = 200


class ModelError(BandleaderError):
    """A model cannot be called, because a setting or key is missing."""

    blame = Blame.PROVIDER


class ProviderSettings(Struct, frozen=True):
    """How a provider is reached. An empty `base_url` means the provider's own, an empty `model` that none is chosen.
    `temperature` (0 to 2) is sent if the API has one. `context` is the model's context window in tokens if the server
    does not say. `small` selects prompts for small models."""

    kind: Kind
    base_url: str = ""
    model: str = ""
    temperature: float | None = None
    context: int | None = None
    small: bool = False


class Chosen(Struct, frozen=True):
    """Who plans: provider `local` for the composer, a kind of provider, or the URL of a server with the Chat
    Completions API. An empty `model` means that of the provider's settings."""

    provider: str = LOCAL
    model: str = ""


class Given(Struct, frozen=True):
    """A base URL from an environment variable, which overrides the settings. `trouble` says what is wrong with it;
    `url` is empty then."""

    variable: str
    url: str = ""
    trouble: str = ""


class _Reach(Struct, frozen=True):
    settings: ProviderSettings
    address: Address
    key: KeyName


class Models:
    """Settings and keys of providers, and providers made from them. A `provider` argument is a kind or a URL; anything
    else raises `StudioError`. Only `test` and the providers returned by `provider` use the network."""

    def __init__(self, store: Store, spending: SpendingRecord, keys: Keys, environment: Mapping[str, str]) -> None:
        self._store = store
        self._spending = spending
        self._order = KeyOrder(keys, environment)
        self._environment = environment

    async def settings(self, provider: str) -> ProviderSettings:
        """The settings of a provider; a URL has those of `openai-chat` if they are for the same server."""
        if not is_address(provider):
            kind = _kind(provider)
            return await self._kept(f"model.settings.{kind}", ProviderSettings(kind))
        address = parse_address(provider)
        chat = await self._kept("model.settings.openai-chat", ProviderSettings("openai-chat"))
        if chat.base_url and parse_address(chat.base_url).origin == address.origin:
            return replace(chat, base_url=address.url)
        return ProviderSettings("openai-chat", base_url=address.url)

    async def keep(self, settings: ProviderSettings) -> None:
        """Store a provider's settings. Raises `StudioError` for an invalid value."""
        url = parse_address(settings.base_url).url if settings.base_url.strip() else ""
        if settings.temperature is not None and not 0 <= settings.temperature <= 2:
            raise StudioError(
                msg("the temperature {temperature:g} is out of range", temperature=settings.temperature),
                fix=msg("give 0 to 2, or none"),
            )
        if settings.context is not None and not 1024 <= settings.context <= 100_000_000:
            raise StudioError(
                msg("a context of {context:,} tokens cannot be", context=settings.context),
                fix=msg("give at least 1,024, or none"),
            )
        clean = replace(settings, base_url=url, model=_model_name(settings.model))
        await self._keep(f"model.settings.{_kind(settings.kind)}", clean)

    async def caps(self) -> Caps:
        """The spending caps."""
        return await self._kept("model.caps", Caps())

    async def keep_caps(self, caps: Caps) -> None:
        """Store the spending caps. Raises `StudioError` for a value that is not from 0 to 1,000,000."""
        for cap in (caps.per_run, caps.per_month):
            if cap is not None and not 0 <= cap <= 1_000_000:
                raise StudioError(
                    msg("a spending cap of {cap:g} dollars cannot be", cap=cap), fix=msg("give 0 or more, or none"),
                )
        await self._keep("model.caps", caps)

    async def chosen(self) -> Chosen:
        """Who plans new requests; the composer until another is chosen."""
        return await self._kept("model.chosen", Chosen())

    async def choose(self, provider: str, model: str = "") -> None:
        """Choose who plans new requests: a provider (`local` for the composer), and its `model`, "" for that of the
        provider's settings. Raises `StudioError` for an unknown name."""
        if provider != LOCAL:
            provider = parse_address(provider).url if is_address(provider) else _kind(provider)
        await self._keep("model.chosen", Chosen(provider, _model_name(model)))

    async def key_place(self, provider: str) -> KeyPlace:
        """Where the key that would be used comes from; reads the keyring."""
        reach = await self._reach(provider)
        place = (await self._order.find(reach.key)).place
        if reach.address.open:
            said = "what is sent there is not encrypted, so no key is"
            place = replace(place, trouble="; ".join(filter(None, (place.trouble, said))))
        return place

    async def put_key(self, provider: str, key: str) -> KeyPlace:
        """Store a key in the keyring; returns where it is. Raises `KeyringError`; it is stored nowhere then."""
        return await self._order.put((await self._reach(provider)).key, key)

    async def put_session_key(self, provider: str, key: str) -> KeyPlace:
        """Keep a key in memory until the process ends; returns where it is."""
        return self._order.put_session((await self._reach(provider)).key, key)

    async def forget_key(self, provider: str) -> bool:
        """Remove a key from keyring and session; returns whether there was one. Raises `KeyringError`."""
        return await self._order.forget((await self._reach(provider)).key)

    async def test(self, provider: str) -> tuple[str, ...]:
        """The models that the server offers, which shows that the key works. Raises `ModelError` without a key,
        `ProviderError` for errors of the server, `KeyringError` if the keyring has the key but cannot be read."""
        reach = await self._reach(provider)
        made = await self._made(reach, reach.settings.model)
        try:
            async with asyncio.timeout(_TEST_SECONDS):
                return await made.models()
        except TimeoutError:
            raise ProviderError(
                "stalled", msg("{origin} does not answer", origin=reach.address.origin),
                why=msg("nothing came within {test_seconds:g} s", test_seconds=_TEST_SECONDS),
                fix=msg("check the address and the connection"),
            ) from None
        finally:
            await made.close()

    async def provider(
        self, chosen: Chosen, *, project: ProjectId | None = None, run: RunId | None = None,
        planning: PlanningId | None = None, purpose: Purpose = "plan", on_usage: OnUsage | None = None,
    ) -> Provider:
        """A provider that retries passing errors, and whose calls are counted, stored and limited by the caps. Raises
        `ModelError` without key or model, `ProviderError` (cap) if the caps leave nothing."""
        from agent.providers.metered import Meter, MeteredProvider
        from agent.providers.prices import is_free
        from agent.providers.retrying import RetryingProvider
        from agent.providers.wrapped import TemperedProvider

        reach = await self._reach(chosen.provider)
        model = _model_name(chosen.model) or reach.settings.model
        if not model:
            raise ModelError(
                msg("no model of {provider} is chosen", provider=chosen.provider),
                fix=FixKind.CHOOSE_MODEL(chosen.provider),
            )
        kind, address = reach.settings.kind, reach.address.url
        # A server of one's own costs nothing, whatever was spent on others.
        caps = Caps() if is_free(kind, address) else await self.caps()
        allowed = await self._spending.allowance(caps, run, planning)
        made = await self._made(reach, model)

        def listen(usage: Usage, cost: float | None) -> None:
            self._spending.record(UsageEntry(
                chosen.provider, model, purpose, usage.input, usage.output, usage.cached, cost, project, run, planning,
            ))
            if on_usage is not None:
                on_usage(usage, cost)

        if reach.settings.temperature is not None:
            made = TemperedProvider(made, reach.settings.temperature)
        meter = Meter(allowed.cap, allowed.spent, listen=listen)
        return RetryingProvider(MeteredProvider(made, meter, address))

    def given(self, provider: str) -> Given | None:
        """The base URL set by the environment; None if there is none, and for a provider that is a URL."""
        if is_address(provider):
            return None
        kind = _kind(provider)
        try:
            found = self._given(kind)
        except StudioError as error:
            return Given(_URLS[kind], trouble=error.why or error.what)
        return None if found is None else Given(_URLS[kind], found.url)

    async def address(self, provider: str) -> str:
        """The base URL at which a provider is called."""
        return (await self._reach(provider)).address.url

    async def _made(self, reach: _Reach, model: str) -> Provider:
        from agent.providers.making import make_provider

        found, kind = await self._order.find(reach.key), reach.settings.kind
        own = reach.address.origin == parse_address(_HOMES[kind]).origin
        if found.key is None and (own or kind != "openai-chat"):
            if found.error is not None and not isinstance(found.error, NoKeyring):
                raise found.error
            raise ModelError(
                msg("there is no key of {kind}", kind=kind), why=str(found.error or ""),
                fix=FixKind.SET_PROVIDER_KEY(kind, _KEYS[kind]),
            )
        if found.key is not None and reach.address.open:
            raise ModelError(
                msg("no key is sent to {origin}", origin=reach.address.origin),
                why=msg("others on the way could read it"),
                fix=msg("use https, or forget the key if the server needs none"),
            )
        return make_provider(kind, model, key=found.key, base_url=reach.address.url)

    async def _reach(self, provider: str) -> _Reach:
        """How a provider is reached: a URL that was named, the environment, the settings, the provider's own."""
        settings = await self.settings(provider)
        kind, home = settings.kind, parse_address(_HOMES[settings.kind])
        given = None if is_address(provider) else self._given(kind)
        address = given or (parse_address(settings.base_url) if settings.base_url else home)
        if kind != "openai-chat":
            return _Reach(settings, address, KeyName(kind, _KEYS[kind]))
        # A key of OpenAI goes to no server but OpenAI's own, or the one that the environment names with it.
        theirs = home if address.origin == home.origin else self._given(kind)
        variable = _KEYS[kind] if theirs is not None and theirs.origin == address.origin else ""
        name = "openai" if address.origin == home.origin else f"{kind}:{address.origin}"
        return _Reach(settings, address, KeyName(name, variable))

    def _given(self, kind: Kind) -> Address | None:
        """The address that the environment names."""
        text = self._environment.get(_URLS[kind], "").strip()
        try:
            return parse_address(text) if text else None
        except StudioError as error:
            raise StudioError(
                msg("{urls}: {what}", urls=_URLS[kind], what=error.said.what), why=error.said.why, fix=error.fix,
            ) from None

    async def _kept(self, key: str, default: T) -> T:
        found = await self._store.read(lambda connection: preferences.read(connection, key, type(default)))
        return default if found is None else found

    async def _keep(self, key: str, value: Struct) -> None:
        text = msgspec.json.encode(value).decode()
        await self._store.write(lambda connection: preferences.put(connection, key, text))


def _kind(name: str) -> Kind:
    for kind in KINDS:
        if name == kind:
            return kind
    # Not repeated: a person in a hurry may have given the key itself.
    raise StudioError(
        msg("that is no provider of models"), fix=msg("give {kinds}, or the URL of a server", kinds=", ".join(KINDS)),
    )


def _model_name(text: str) -> str:
    name = text.strip()
    if holds_secret(name):
        raise StudioError(msg("that is a key and not the name of a model"), fix=FixKind.KEEP_KEYS_APART())
    if len(name) > _LONGEST_MODEL or not name.isprintable():
        raise StudioError(msg("that is not the name of a model"), fix=msg("give the name as the server lists it"))
    return name
