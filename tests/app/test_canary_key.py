"""A key that is given to the program is found nowhere but where it belongs: not in a file, a word, or a child."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import shlex
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
import zstandard
from awaiting import awaited
from canaries import holders
from commandline import CommandLine, ended
from key_rings import Memory
from mcp_servers import odd
from model_server import FORMS, Fails, Form, Script, Text, model_server
from secret_service import needs_secret_service, with_secret_service
from studios import paths_in

from agent.conversation.messages import UserTurn
from agent.providers.errors import ProviderError
from agent.providers.provider import Provider, Query
from app.bootstrap import open_studio
from app.cli.main import run
from app.sound.soundfont import find_soundfont
from app.sound.worker import SynthWorkers
from app.storage.key_variables import take_environment
from app.storage.keyring import Keys
from app.studio.models import Chosen, Models

CANARY = "sk-ant-CANARY-4f1c9a7b2e8d"
LOUD = Fails(401, f"the key {CANARY} is wrong: {CANARY}")


def test_the_search_finds_a_key_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text(f"key={CANARY}\n")
    with closing(sqlite3.connect(tmp_path / "packed")) as database:
        database.execute("CREATE TABLE object (bytes)")
        database.execute("INSERT INTO object VALUES (?)", (zstandard.compress(CANARY.encode()),))
        database.commit()
    assert {file.name for file in holders(tmp_path, CANARY)} == {"plain", "packed"}


def test_no_command_writes_or_says_a_key_of_its_environment(tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    said = []
    with model_server(LOUD, models=LOUD) as loud:
        given = {
            "ANTHROPIC_API_KEY": CANARY, "OPENAI_API_KEY": CANARY, "ANTHROPIC_BASE_URL": loud.url("anthropic"),
            "OPENAI_BASE_URL": loud.url("openai"), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "ANTHROPIC_LOG": "debug", "OPENAI_LOG": "debug",
        }
        command_line = CommandLine(home, given)
        for words in (
            ("doctor", "--json"), ("doctor",), ("keys", "test", "anthropic", "--json"), ("keys", "test", "openai"),
            ("keys", "test", "openai-chat"), ("keys", "forget", "anthropic", "--json"),
            ("compose", "faster", "--provider", "anthropic", "--model", "large", "--yes", "--json"),
            ("compose", "a short lofi loop", "--seed", "1", "--yes", "--out", str(out), "--json"),
        ):
            ended = command_line.run(*words)
            assert ended.stdout + ended.stderr
            said.append(ended)
        assert loud.asked_models >= 3
        assert CANARY in str(loud.requests[0].headers)
    assert [one.status for one in said] == [0, 0, 3, 3, 3, 6, 3, 0]
    assert not [one for one in said if CANARY in one.stdout + one.stderr]
    assert (home / "bandleader.db").exists()
    assert list(out.iterdir())
    assert not holders(tmp_path, CANARY)


@needs_secret_service
def test_a_key_in_the_keyring_is_nowhere_else(tmp_path: Path) -> None:
    with model_server([], models=LOUD) as loud:
        place = {"ANTHROPIC_BASE_URL": loud.url("anthropic")}
        for words, stdin in ((("set", "anthropic", "--json"), CANARY), (("test", "anthropic", "--json"), "")):
            done = with_secret_service(tmp_path, sys.executable, "-m", "app", "keys", *words, stdin=stdin, **place)
            assert CANARY not in done.stdout + done.stderr
        assert loud.asked_models == 1
    assert list(tmp_path.rglob("*.keyring"))
    assert not holders(tmp_path, CANARY)


def environments(children: Iterable[BaseProcess], mark: str) -> Iterator[str]:
    """What these child processes were started with; it holds the mark once they have begun."""
    for child in children:
        seen = ""
        while mark not in seen:
            assert child.is_alive()
            seen = Path(f"/proc/{child.pid}/environ").read_text(errors="replace")
        yield seen


@pytest.mark.skipif(sys.platform != "linux", reason="the environment of a process is read from /proc")
def test_no_child_process_inherits_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, CANARY)
    monkeypatch.setenv("BANDLEADER_CANARY", "seen")
    of_others = {child.pid for child in multiprocessing.active_children()}
    studio = open_studio(paths_in(tmp_path), keys=Keys(backend=Memory()))
    try:
        assert asyncio.run(studio.models.key_place("anthropic")).where == "environment"
        workers = SynthWorkers(find_soundfont().path, tmp_path / "sound", 1)
        workers.warm()
        born = [child for child in multiprocessing.active_children() if child.pid not in of_others]
        seen = list(environments(born, "BANDLEADER_CANARY=seen"))
        workers.close()
        assert seen
        assert not [one for one in seen if CANARY in one]
        child = subprocess.run([sys.executable, "-c", "import os; print(os.environ)"], capture_output=True, text=True)
        assert "BANDLEADER_CANARY" in child.stdout
        assert CANARY not in child.stdout
    finally:
        asyncio.run(studio.close())


@pytest.mark.skipif(sys.platform != "linux", reason="the environment of a process is read from /proc")
def test_a_server_that_reads_the_environment_of_its_parent_finds_no_key_there(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home", {"ANTHROPIC_API_KEY": CANARY, "OPENAI_API_KEY": CANARY})
    words = shlex.join(odd(tmp_path, "curious").argv)
    assert ended(command_line.start("services", "add", "odd", "--command", words, "--yes", cold=True)).status == 0
    seen = (tmp_path / "of-its-parent").read_bytes()
    assert f"BANDLEADER_HOME={tmp_path / 'home'}".encode() in seen
    assert CANARY.encode() not in seen


def test_keys_are_taken_out_of_the_environment_once() -> None:
    environment = {"ANTHROPIC_API_KEY": CANARY, "OPENAI_API_KEY": CANARY, "OPENAI_BASE_URL": "http://x", "HOME": "/"}
    taken = take_environment(environment)
    assert taken["ANTHROPIC_API_KEY"] == CANARY
    assert environment == {"OPENAI_BASE_URL": "http://x", "HOME": "/"}


def test_a_crash_report_holds_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"bug with {CANARY}")

    monkeypatch.setenv("BANDLEADER_HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    monkeypatch.delenv("BANDLEADER_TRACEBACK", raising=False)
    monkeypatch.setattr(Models, "test", broken)
    assert run(["keys", "test", "anthropic", "--json"]) == 1
    assert list((tmp_path / "logs").glob("crash-*.txt"))
    assert CANARY not in "".join(capsys.readouterr())
    assert not holders(tmp_path, CANARY)


async def asked(provider: Provider) -> None:
    try:
        async for _ in provider.reply(Query("You write music.", (UserTurn("make a beat"),))):
            pass
    finally:
        await provider.close()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("script", [[Text("one")], LOUD], ids=["answers", "repeats the key"])
@awaited
async def test_a_call_leaves_no_key_in_logs_errors_or_the_database(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, form: Form, script: Script
) -> None:
    caplog.set_level(logging.DEBUG)
    told = ""
    with model_server(script) as server:
        place = "ANTHROPIC_BASE_URL" if form == "anthropic" else "OPENAI_BASE_URL"
        environment = {place: server.url(form), "ANTHROPIC_API_KEY": CANARY, "OPENAI_API_KEY": CANARY}
        studio = open_studio(paths_in(tmp_path), environment=environment, keys=Keys(backend=Memory()))
        try:
            provider = await studio.models.provider(Chosen(form, "claude-sonnet-5-5"))
            told += repr((studio, studio.models, provider, await studio.models.key_place(form)))
            try:
                await asked(provider)
            except ProviderError as error:
                told += "".join(traceback.format_exception(error))
        finally:
            await studio.close()
        assert CANARY in str(server.requests[0].headers), "the key was not used at all"
    assert caplog.text
    assert CANARY not in told + caplog.text
    assert CANARY not in str(os.environ)
    assert not holders(tmp_path, CANARY)
