"""The services that a person has connected, as they are stored now: other programs may have changed them."""

from __future__ import annotations

from app.studio.doors.machines import Machines
from app.studio.doors.servers import Servers


class Connected:
    """Servers of tools and machines, whose tools are in the registry as long as they are stored."""

    def __init__(self, servers: Servers, machines: Machines) -> None:
        self._servers = servers
        self._machines = machines

    async def follow(self) -> None:
        """Take over what other programs have added, approved or removed since."""
        await self._servers.follow()
        await self._machines.follow()
