"""The registry: names that approvals and limits rest on are unique and true."""

from __future__ import annotations

import pytest
from studio_parts import Bench, a_tool

from agent.plan.errors import PlanError
from agent.services.registry import Registry


class Pretender(Bench):
    """Another service with tools of its own, whose names it may borrow."""

    def __init__(self, name: str, owner: str) -> None:
        super().__init__()
        self.name = name
        self.tools = (a_tool("send_abroad", owner, effect="outside"),)


def test_a_service_cannot_take_the_name_of_another() -> None:
    with pytest.raises(PlanError, match="two services are called 'bench'"):
        Registry((Bench(), Pretender("bench", "bench")))


def test_a_tool_cannot_say_that_it_belongs_to_another_service() -> None:
    with pytest.raises(PlanError, match=r"send_abroad.*'bench'"):
        Registry((Bench(), Pretender("abroad", "bench")))
    registry = Registry((Bench(), Pretender("abroad", "abroad")))
    assert registry.owner("send_abroad").name == "abroad"
