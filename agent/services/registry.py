"""All services by the tools they own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from agent.plan.errors import PlanError
from agent.plan.tool import ToolSpec
from agent.services.service import Service


class Registry:
    """Finds the owner of a tool; the executor knows services only through this."""

    def __init__(self, services: Iterable[Service]) -> None:
        """Raises `PlanError` if two services bear one name or claim one tool, or a tool names another owner."""
        self._owners: dict[str, Service] = {}
        specs: dict[str, ToolSpec] = {}
        names: set[str] = set()
        for service in services:
            for tool in service.tools:
                if tool.service != service.name:
                    raise PlanError(f"the tool {tool.name!r} of {service.name} says it is of {tool.service!r}")
                if tool.name in specs:
                    both = f"{self._owners[tool.name].name} and {service.name}"
                    raise PlanError(f"the tool {tool.name!r} is claimed twice", why=both)
                specs[tool.name] = tool
                self._owners[tool.name] = service
            if service.name in names:
                raise PlanError(f"two services are called {service.name!r}", fix="give one of them another name")
            names.add(service.name)
        self.tools: Mapping[str, ToolSpec] = MappingProxyType(specs)

    def owner(self, tool: str) -> Service:
        """The service that owns a tool."""
        if tool not in self._owners:
            raise unknown_tool(tool, self.tools)
        return self._owners[tool]


def unknown_tool(name: str, tools: Mapping[str, ToolSpec]) -> PlanError:
    """The error for a tool that no service owns, with the nearest names."""
    near = get_close_matches(name, tools, 3, 0.5)
    fix = f"did you mean {' or '.join(near)}?" if near else "`bandleader list tools` shows all names"
    return PlanError(f"there is no tool called {name[:60]!r}", fix=fix)
