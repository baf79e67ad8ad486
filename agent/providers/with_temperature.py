"""A provider with a temperature of its own for every call that names none."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec.structs import replace

from agent.providers.provider import Provider, Query, ReplyEvent
from agent.providers.wrapped import WrappedProvider


class TemperedProvider(WrappedProvider):
    """Sets a temperature (0 to 2) for calls that name none, if the API has one."""

    def __init__(self, provider: Provider, temperature: float) -> None:
        super().__init__(provider)
        self._temperature = temperature

    def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """The provider's reply at this temperature. Raises `ProviderError`."""
        wanted = self._temperature if query.temperature is None and self.abilities.temperature else query.temperature
        return self._provider.reply(replace(query, temperature=wanted))
