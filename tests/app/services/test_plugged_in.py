"""Services of other packages: used if they are in order, else left out and told; the program goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from awaiting import awaited
from commandline import ROOT, CommandLine
from studios import paths_in

from agent.services.registry import Registry
from agent.services.service import Call, Origin, Probing
from agent.services.song_service import SongService
from agent.song.song import Song
from app.paths import find_paths
from app.services.library_files import read_palette
from app.services.plugged_in import plug_in, schema_fault

GOOD = """
    from agent.plan.tool import ToolSpec
    from agent.services.service import Outcome

    TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}

    class Shout:
        name, limit = "shout", 2

        def __init__(self, host):
            self.host = host
            self.tools = (ToolSpec("shout_it", "shout", "1", "Shouts a text.", TEXT, TEXT),)

        async def call(self, call):
            return self.foresee(call)

        def foresee(self, call):
            return Outcome({"text": call.inputs["text"].upper()})

        async def close(self):
            (self.host.folder / "closed").touch()
            raise RuntimeError("at the end")
"""
BAD = {
    "raises": "def make(host):\n    raise ValueError('no licence')",
    "exits": "import sys\ndef make(host):\n    sys.exit('goodbye')",
    "breaks": "this is no Python",
    "is_nothing": "def make(host):\n    return None",
    "song": "from shouting.good import Shout as make",
    "other_name": "from shouting.good import Shout as make",
    "takes": """
        from shouting.good import Shout, TEXT, ToolSpec
        class make(Shout):
            name = "takes"
            def __init__(self, host):
                self.tools = (ToolSpec("create_track", "takes", "1", "Mine.", TEXT, TEXT),)
    """,
    "bad_schema": """
        from shouting.good import Shout, TEXT, ToolSpec
        class make(Shout):
            name = "bad_schema"
            def __init__(self, host):
                self.tools = (ToolSpec("odd", "bad_schema", "1", "Odd.", {"type": "strange"}, TEXT),)
    """,
    "bad_tool": """
        from shouting.good import Shout, TEXT, ToolSpec
        class make(Shout):
            name = "bad_tool"
            def __init__(self, host):
                self.tools = (ToolSpec("odd", "bad_tool", "1", "Odd.", TEXT, TEXT, timeout=-1.0),)
    """,
}


def package(folder: Path, **modules: str) -> None:
    """A distribution that is installed in a folder, with an entry point for each module's `make`."""
    room = folder / "shouting"
    room.mkdir(parents=True)
    (room / "__init__.py").touch()
    (room / "good.py").write_text(dedent(GOOD))
    entries = []
    for name, code in modules.items():
        (room / f"m_{name}.py").write_text(dedent(code))
        entries.append(f"{name} = shouting.m_{name}:make")
    info = folder / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    listed = "\n".join(["[bandleader.services]", "shout = shouting.good:Shout", *entries])
    (info / "entry_points.txt").write_text(listed)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    yield tmp_path / "site"
    for name in [name for name in sys.modules if name.startswith("shouting")]:
        del sys.modules[name]


def test_one_in_order_is_used_and_those_at_fault_are_left_out_with_their_reason(folder: Path, tmp_path: Path) -> None:
    package(folder, **BAD)
    palette = read_palette(find_paths().resources)
    registry = Registry((SongService(palette),))
    own = registry.tools["create_track"]
    found = plug_in(registry, palette, tmp_path / "own")
    assert [(one.name, one.package, one.tools) for one in found.used] == [("shout", "shouting", ("shout_it",))]
    reasons = {one.what.split("'")[1]: one.why for one in found.left_out}
    assert set(reasons) == set(BAD)
    assert "no licence" in reasons["raises"]
    assert "goodbye" in reasons["exits"]
    assert "claimed twice" in reasons["takes"]
    assert "'strange' is no type" in reasons["bad_schema"]
    assert "calls itself 'shout'" in reasons["other_name"]
    assert all("shouting" in one.what and "pip uninstall shouting" in one.advice for one in found.left_out)
    assert registry.tools["create_track"] is own
    assert (tmp_path / "own" / "shout").is_dir()


@awaited
async def _used(registry: Registry) -> None:
    owner = registry.owner("shout_it")
    call = Call("shout_it", {"text": "hey"}, Song(), Origin("hash", "s1"))
    assert (await owner.call(call)).result == {"text": "HEY"}
    assert owner.foresee(call).result == {"text": "HEY"}
    assert not isinstance(owner, Probing)
    await registry.close()


def test_it_is_called_like_any_other_and_a_fault_at_its_end_holds_nobody_up(folder: Path, tmp_path: Path) -> None:
    package(folder)
    registry = Registry(())
    plug_in(registry, read_palette(find_paths().resources), tmp_path / "own")
    _used(registry=registry)
    assert (tmp_path / "own" / "shout" / "closed").exists()


@pytest.mark.parametrize("schema", [
    None, {"type": "text"}, {"type": ["string", 3]}, {"properties": []}, {"$ref": "#"}, {"pattern": "("}, {"anyOf": {}},
    {"items": 3}, {"properties": {"a": {"type": "object", "properties": {"b": {"enum": "c"}}}}},
])
def test_a_schema_that_plans_cannot_be_checked_by_is_known(schema: object) -> None:
    assert schema_fault(schema)


def test_all_schemas_of_our_own_are_in_order() -> None:
    for tool in SongService(read_palette(find_paths().resources)).tools:
        assert not schema_fault(tool.inputs)
        assert not schema_fault(tool.result)


def test_the_command_line_lists_them_and_tells_what_is_left_out(tmp_path: Path) -> None:
    package(tmp_path / "site", raises=BAD["raises"])
    assert paths_in(tmp_path / "home")
    command_line = CommandLine(tmp_path / "home", {"PYTHONPATH": f"{ROOT}:{tmp_path / 'site'}"})
    listed = command_line.ask("services", "list")
    assert listed["plug_ins"] == [{"name": "shout", "package": "shouting", "tools": ["shout_it"]}]
    assert "no licence" in listed["left_out"][0]["why"]
    tools = command_line.run("list", "tools", "--json")
    assert "shout_it" in {tool["name"] for tool in tools.json["tools"]}
    assert "no licence" in tools.stderr
    (check,) = [one for one in command_line.run("doctor", "--json").json["checks"] if one["name"] == "added services"]
    assert not check["ok"]
    assert "no licence" in check["detail"]
