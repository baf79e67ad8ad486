"""What another program connects or removes is seen by one that is open: at the next plan, without a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from awaiting import awaited
from key_rings import Memory
from mcp_servers import odd
from studios import paths_in

from app.bootstrap import open_studio
from app.storage.keyring import Keys
from app.studio.integrations.machines import Machine
from app.studio.integrations.server_drafts import ServerDraft
from app.studio.studio import Studio

Two = tuple[Studio, Studio]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    home, keys = paths_in(tmp_path / "home"), Keys(backend=Memory())
    here, there = open_studio(home, environment={}, keys=keys), open_studio(home, environment={}, keys=keys)
    yield here, there
    asyncio.run(here.close())
    asyncio.run(there.close())


def offered(studio: Studio) -> set[str]:
    return {tool.service for tool in studio.registry.tools.values()} & {"mcp:odd", "machines"}


async def planned(studio: Studio) -> set[str]:
    """What is offered once a plan begins."""
    await studio.planning.stage(await studio.projects.draft("One"))
    return offered(studio)


def test_what_another_program_connects_and_removes_is_followed(two: Two, tmp_path: Path) -> None:
    here, there = two
    draft = ServerDraft("odd", odd(tmp_path), {})

    @awaited
    async def story() -> None:
        await there.servers.add(draft, await there.servers.look(draft))
        await there.machines.add(Machine("booth", "192.0.2.7", 22, "studio"))
        assert offered(here) == set()
        assert await planned(here) == {"mcp:odd", "machines"}
        assert await planned(there) == {"mcp:odd", "machines"}
        await here.servers.forget("odd")
        await here.machines.forget("booth")
        assert await planned(there) == set()

    story()


def test_nothing_is_taken_in_anew_where_nothing_has_changed(two: Two, tmp_path: Path) -> None:
    here, there = two
    draft = ServerDraft("odd", odd(tmp_path), {})

    @awaited
    async def story() -> None:
        await there.servers.add(draft, await there.servers.look(draft))
        await planned(here)
        tool = next(name for name, spec in here.registry.tools.items() if spec.service == "mcp:odd")
        owner = here.registry.owner(tool)
        await planned(here)
        assert here.registry.owner(tool) is owner
        await there.servers.approve(await there.servers.test("odd"))
        await planned(here)
        assert here.registry.owner(tool) is not owner

    story()
