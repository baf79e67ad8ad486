"""The door to servers of tools: nothing is stored before it was shown, and secrets lie in the keyring alone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from awaiting import awaited
from commandline import ROOT
from key_rings import Locked, Memory
from mcp_servers import odd
from studios import paths_in

from agent.fixes import FixKind
from app.bootstrap import open_studio
from app.paths import Paths
from app.services.mcp_servers.address import Http, Stdio
from app.services.mcp_servers.errors import BadServer, NotInstalled
from app.storage import mcp_servers
from app.storage.errors import KeyringError
from app.storage.keyring import Keys
from app.studio.errors import StudioError
from app.studio.integrations import servers
from app.studio.integrations.server_drafts import ServerDraft, draft_of_command, draft_of_url
from app.studio.integrations.server_secrets import looks_secret
from app.studio.studio import Studio

SECRET = "canary-3f8a1c77d0"


@pytest.fixture
def home(tmp_path: Path) -> Paths:
    return paths_in(tmp_path / "home")


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def opened(home: Paths, memory: Memory) -> Iterator[Studio]:
    studio = open_studio(home, environment={"ANTHROPIC_API_KEY": "sk-ant-x", "PATH": "/bin"}, keys=Keys(backend=memory))
    yield studio
    asyncio.run(studio.close())


def draft(folder: Path, *ways: str, **secrets: str) -> ServerDraft:
    return ServerDraft("odd", odd(folder, *ways, secret=tuple(secrets)), secrets)


def offered(studio: Studio) -> set[str]:
    return {name for name, tool in studio.registry.tools.items() if tool.service == "mcp:odd"}


def test_looking_stores_nothing_and_adding_offers_what_was_seen(opened: Studio, memory: Memory, tmp_path: Path) -> None:
    @awaited
    async def story() -> None:
        looked = await opened.servers.look(draft(tmp_path, CANARY=SECRET))
        assert "odd__say" not in opened.registry.tools
        assert (await opened.servers.all(), memory.kept) == ((), {})
        await opened.servers.add(draft(tmp_path, CANARY=SECRET), looked)
        assert {"odd__say", "odd__slow"} <= offered(opened)
        assert list(memory.kept.values()) == [SECRET]
        with pytest.raises(StudioError, match="already"):
            await opened.servers.look(draft(tmp_path))
        await opened.servers.forget("odd")
        assert (offered(opened), memory.kept, await opened.servers.all()) == (set(), {}, ())

    story()


def test_a_server_is_there_after_a_restart_without_being_started(opened: Studio, home: Paths, tmp_path: Path) -> None:
    @awaited
    async def story() -> None:
        await opened.servers.add(draft(tmp_path), await opened.servers.look(draft(tmp_path)))
        (tmp_path / "started").unlink()
        again = open_studio(home)
        assert offered(again) == offered(opened)
        await again.close()
        assert not (tmp_path / "started").exists()

    story()


def test_without_a_keyring_a_server_with_a_secret_is_not_added(home: Paths, tmp_path: Path) -> None:
    studio = open_studio(home, keys=Keys(backend=Locked()))

    @awaited
    async def story() -> None:
        looked = await studio.servers.look(draft(tmp_path, CANARY=SECRET))
        with pytest.raises(KeyringError) as error:
            await studio.servers.add(draft(tmp_path, CANARY=SECRET), looked)
        assert error.value.fix == FixKind.UNLOCK_FOR_SERVER()
        assert (await studio.servers.all(), offered(studio)) == ((), set())
        await studio.close()

    story()


def test_what_changed_is_offered_as_it_is_now_once_it_was_approved(opened: Studio, tmp_path: Path) -> None:
    @awaited
    async def story() -> None:
        await opened.servers.add(draft(tmp_path, "grows"), await opened.servers.look(draft(tmp_path, "grows")))
        (tmp_path / "call-000-say").touch()
        tested = await opened.servers.test("odd")
        assert [one.name for one in tested.differences.new] == ["new"]
        assert "odd__new" not in offered(opened)
        await opened.servers.approve(tested)
        assert "odd__new" in offered(opened)
        assert not (await opened.servers.test("odd")).differences

    story()


def test_what_is_stored_and_cannot_be_read_or_offered_is_left_out(
    opened: Studio, home: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @awaited
    async def story() -> None:
        looked = await opened.servers.look(draft(tmp_path))
        await opened.servers.add(draft(tmp_path), looked)
        deep = mcp_servers.McpServer("deep", "stdio", '{"way":"stdio","argv":["x"]}', "[" * 100_000)
        await opened.store.write(lambda connection: mcp_servers.put(connection, deep))
        again = open_studio(home)
        assert ["deep" in one.what for one in again.servers.left_out] == [True]
        assert offered(again) == offered(opened)
        await again.close()

        def broken(*_: object) -> None:
            raise OverflowError

        monkeypatch.setattr(servers, "McpService", broken)
        with pytest.raises(BadServer, match="cannot be offered"):
            await opened.servers.approve(looked)
        third = open_studio(home)
        assert len(third.servers.left_out) == 2
        await third.close()

    story()


def test_keys_of_models_are_not_handed_on_even_by_name(opened: Studio, tmp_path: Path) -> None:
    @awaited
    async def story() -> None:
        named = draft_of_command("odd", odd(tmp_path).argv, variables={"ANTHROPIC_API_KEY": None})
        with pytest.raises(BadServer, match="is not set"):
            await opened.servers.look(named)

    story()
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(("name", "value", "secret"), [
    ("API_KEY", "x", True), ("MY_TOKEN", "abc", True), ("DB_PASSWORD", "abc", True), ("MODE", "fast", False),
    ("LANG", "de_DE.UTF-8", False), ("FOLDER", "/home/me/a1b2c3d4e5f6g7h8i9j0k1", False), ("MODE", "", False),
    ("URL", "https://me:pw@example.com/", True), ("VALUE", "sk-ant-abcdefghijklmnop", True),
    ("VALUE", "a1b2c3d4e5f6g7h8i9j0k1", True), ("COUNT", "12345678901234567890123", False),
])
def test_in_doubt_a_value_is_a_secret(name: str, value: str, secret: bool) -> None:
    assert looks_secret(name, value) is secret


def test_a_draft_parts_secrets_from_what_is_stored() -> None:
    made = draft_of_command("odd", ("serve", "--fast"), variables={"A_TOKEN": SECRET, "MODE": "fast", "HOST": None})
    assert made.address == Stdio(("serve", "--fast"), "", ("HOST",), {"MODE": "fast"}, ("A_TOKEN",))
    assert SECRET not in repr(made)
    web = draft_of_url("odd", "https://example.com/mcp", SECRET)
    assert web.address == Http("https://example.com/mcp", True)
    assert SECRET not in repr(web)
    for url in ("http://example.com", "ftp://example.com", "https://example.com/?key=1", "example.com"):
        with pytest.raises(StudioError):
            draft_of_url("odd", url)


def test_without_the_library_it_is_one_clear_error(
    opened: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    monkeypatch.delitem(sys.modules, "app.services.mcp_servers.talk", raising=False)
    monkeypatch.delattr("app.services.mcp_servers.talk", raising=False)

    @awaited
    async def story() -> None:
        with pytest.raises(NotInstalled) as error:
            await opened.servers.look(draft(tmp_path))
        assert error.value.fix == FixKind.INSTALL_EXTRA("mcp")

    story()


def test_the_library_is_not_loaded_until_a_server_is_spoken_to() -> None:
    code = "import sys, app.cli.services; assert not {'mcp', 'mcp_types', 'httpx2'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
