"""A provider around another one, for wrappers to build on: all but the reply is that of the inner one."""

from __future__ import annotations

from agent.providers.provider import Abilities, Provider


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
