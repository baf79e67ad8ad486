"""A provider with a temperature of its own for every call that names none."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec.structs import replace

from agent.providers.provider import Abilities, Provider, Query, ReplyEvent


class TemperedProvider:
    """Adds the temperature (0 to 2) where the API has one."""

    def __init__(self, provider: Provider, temperature: float) -> None:
        self._provider = provider
        self._temperature = temperature

    @property
    def name(self) -> str:
        """The provider's name."""
        return self._provider.name

    @property
    def model(self) -> str:
        """The provider's model."""
        return self._provider.model

    @property
    def abilities(self) -> Abilities:
        """What the provider can do."""
        return self._provider.abilities

    def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """The provider's reply at this temperature. Raises `ProviderError` as it does."""
        wanted = self._temperature if query.temperature is None and self.abilities.temperature else query.temperature
        return self._provider.reply(replace(query, temperature=wanted))

    async def models(self) -> tuple[str, ...]:
        """The names that the server offers."""
        return await self._provider.models()

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()
