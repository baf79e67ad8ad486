"""The services that a person has connected, as they are stored now: other programs may have changed them."""

from __future__ import annotations

from app.studio.integrations.machines import Machines
from app.studio.integrations.servers import Servers


class Connected:
    """The services that the person has connected; their tools are in the registry as long as they are stored."""

    def __init__(self, servers: Servers, machines: Machines) -> None:
        self._servers = servers
        self._machines = machines

    async def follow(self) -> None:
        """Update the registry with what other programs have added, approved or removed."""
        await self._servers.follow()
        await self._machines.follow()
