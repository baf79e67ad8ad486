"""All services by the tools they own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from agent.fixes import Fix, FixKind
from agent.message import msg
from agent.plan.errors import PlanError
from agent.plan.tool import ToolSpec
from agent.services.service import Closing, Service

_NEAR = 0.7
"""From which likeness on a name is held for a slip of another; below it may be a tool that is not connected."""


class Registry:
    """Finds the owner of a tool; the executor knows services only through this."""

    def __init__(self, services: Iterable[Service]) -> None:
        """Raises `PlanError` if two services bear one name or claim one tool, a tool names another owner, or a
        service allows no call at all."""
        self._services: dict[str, Service] = {}
        self._owners: dict[str, Service] = {}
        self._specs: dict[str, ToolSpec] = {}
        self.tools: Mapping[str, ToolSpec] = MappingProxyType(self._specs)
        """All tools by name; follows `adopt` and `drop`."""
        for service in services:
            self.adopt(service)

    def adopt(self, service: Service) -> None:
        """Take a service in, with the tools that it has now. Raises `PlanError` as the constructor does."""
        if service.limit < 1:
            raise PlanError(
                msg("the service {service!r} allows {limit} calls at once", service=service.name, limit=service.limit),
                why=msg("at least 1 is"),
            )
        names = [tool.name for tool in service.tools]
        for tool in service.tools:
            if tool.service != service.name:
                raise PlanError(
                    msg(
                        "the tool {tool!r} of {service} says it is of {service_2!r}",
                        tool=tool.name, service=service.name, service_2=tool.service,
                    ),
                )
            if tool.name in self._specs or names.count(tool.name) > 1:
                both = msg("{name} and {service}", name=self._owners.get(tool.name, service).name, service=service.name)
                raise PlanError(msg("the tool {tool!r} is claimed twice", tool=tool.name), why=both)
        if service.name in self._services:
            raise PlanError(
                msg("two services are called {service!r}", service=service.name),
                fix=msg("give one of them another name"),
            )
        self._services[service.name] = service
        self._specs.update({tool.name: tool for tool in service.tools})
        self._owners.update({tool.name: service for tool in service.tools})

    def drop(self, name: str) -> Service | None:
        """Remove a service and its tools; returns it, or None if there is none of that name."""
        gone = self._services.pop(name, None)
        for tool in [tool for tool, owner in self._owners.items() if owner is gone]:
            del self._owners[tool], self._specs[tool]
        return gone

    async def close(self) -> None:
        """Close the connections and processes of all services."""
        for service in self._services.values():
            if isinstance(service, Closing):
                await service.close()

    def owner(self, tool: str) -> Service:
        """The service that owns a tool."""
        if tool not in self._owners:
            raise unknown_tool(tool, self.tools)
        return self._owners[tool]


def unknown_tool(name: str, tools: Mapping[str, ToolSpec]) -> PlanError:
    """The error for a tool that no service owns, with the nearest names."""
    near = get_close_matches(name, tools, 3, _NEAR)
    fix: Fix | str = f"did you mean {' or '.join(near)}?" if near else FixKind.LIST_TOOLS()
    return PlanError(msg("there is no tool called {name!r}", name=name[:60]), fix=fix)
