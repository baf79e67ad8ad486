"""A provider around another one, for wrappers to build on, and one that gives every call a temperature of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec.structs import replace

from agent.providers.provider import Abilities, Provider, Query, ReplyEvent


class WrappedProvider:
    """Everything of a `Provider` but `reply`, delegated to the inner provider."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def name(self) -> str:
        """The inner provider's name."""
        return self._provider.name

    @property
    def model(self) -> str:
        """The inner provider's model."""
        return self._provider.model

    @property
    def abilities(self) -> Abilities:
        """What the inner provider can do."""
        return self._provider.abilities

    async def models(self) -> tuple[str, ...]:
        """The names of the server's models; asked for once, and free. Raises `ProviderError`."""
        return await self._provider.models()

    async def close(self) -> None:
        """Close the inner provider."""
        await self._provider.close()


class TemperedProvider(WrappedProvider):
    """Sets a temperature (0 to 2) for calls that name none, if the API has one."""

    def __init__(self, provider: Provider, temperature: float) -> None:
        super().__init__(provider)
        self._temperature = temperature

    def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """The provider's reply at this temperature. Raises `ProviderError`."""
        wanted = self._temperature if query.temperature is None and self.abilities.temperature else query.temperature
        return self._provider.reply(replace(query, temperature=wanted))
