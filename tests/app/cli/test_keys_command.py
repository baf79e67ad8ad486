"""`bandleader keys`: read from stdin or typed unseen, kept in a real keyring, tried at a server, forgotten."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keyring
import pytest
from commandline import ROOT, CommandLine
from keyring.backends import fail
from model_server import Fails, model_server
from patience import PATIENCE
from secret_service import needs_secret_service, with_secret_service

from app.cli.main import run

KEY = "sk-ant-canary-0123456789"
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path / "home", NO_KEYRING)


def keys(home: Path, *words: str, stdin: str = "", locked: bool = False, **more: str) -> tuple[int, Any]:
    """The status and the document of a command with a real keyring; nothing that it says holds the key."""
    done = with_secret_service(
        home, sys.executable, "-m", "app", "keys", *words, "--json", stdin=stdin, locked=locked, **more
    )
    assert KEY not in done.stdout + done.stderr
    return done.returncode, json.loads(done.stdout)


@needs_secret_service
def test_a_key_is_kept_then_tried_then_forgotten(tmp_path: Path) -> None:
    with model_server([], models=("large", "small")) as server:
        here = {"ANTHROPIC_BASE_URL": server.url("anthropic")}
        status, kept = keys(tmp_path, "set", "anthropic", stdin=f"{KEY}\n")
        assert status == 0
        assert (kept["provider"], kept["where"]) == ("anthropic", "keyring")
        assert "Secret Service" in kept["said"]
        status, tried = keys(tmp_path, "test", "anthropic", **here)
        assert status == 0
        assert sorted(tried["models"]) == ["large", "small"]
        assert tried["where"] == "keyring"
    assert keys(tmp_path, "forget", "anthropic")[1]["forgotten"] is True
    status, gone = keys(tmp_path, "forget", "anthropic")
    assert (status, gone["forgotten"], gone["where"]) == (0, False, "none")
    status, error = keys(tmp_path, "test", "anthropic", **here)
    assert status == 3
    assert "no key of anthropic" in error["error"]["what"]


@needs_secret_service
def test_a_locked_keyring_is_the_machines_fault(tmp_path: Path) -> None:
    for words in (("set", "anthropic"), ("test", "anthropic")):
        status, said = keys(tmp_path, *words, stdin=f"{KEY}\n", locked=True)
        assert status == 6
        assert "locked" in said["error"]["what"]
        assert "unlock" in said["error"]["try"]


@needs_secret_service
def test_for_a_person_it_says_where_the_key_is(tmp_path: Path) -> None:
    done = with_secret_service(tmp_path, sys.executable, "-m", "app", "keys", "set", "openai", stdin=f" {KEY} \n",
                               OPENAI_API_KEY="other")
    assert done.returncode == 0
    assert "The key of openai is kept in the desktop's keyring" in done.stdout
    assert "OPENAI_API_KEY in the environment goes before it" in done.stdout


Given = Callable[..., tuple[int, str]]


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Given:
    """Runs `keys` in this process, without a keyring and with a text on stdin; the status and all that it said."""
    monkeypatch.setenv("BANDLEADER_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)

    def said(stdin: str, *words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = run(["keys", *words])
        told = "".join(capsys.readouterr())
        assert "canary" not in told
        return status, told

    return said


def test_without_a_keyring_the_key_is_kept_nowhere_and_the_way_out_is_said(given: Given, tmp_path: Path) -> None:
    status, told = given(KEY, "set", "anthropic")
    assert status == 6
    assert "there is no keyring here" in told
    assert "ANTHROPIC_API_KEY" in told
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    assert not [file for file in files if KEY.encode() in file.read_bytes()]


@pytest.mark.parametrize("stdin", ["", "\n", "   \n", "sk-canary two\n", "schlüssel-canary\n"])
def test_what_is_no_key_is_bad_input(given: Given, stdin: str) -> None:
    assert given(stdin, "set", "anthropic")[0] == 2


@pytest.mark.parametrize(
    "words",
    [
        ("set", "anthropic", KEY), ("set", KEY), ("set",), (KEY, "set"), (KEY,), ("set", "anthropic", "--key", KEY),
        ("set", "anthropic", f"--key={KEY}"), ("set", "plain-canary"), ("test", "https://me:canary@host"),
        ("set", "anthropic", "--json", "--project", KEY),
    ],
)
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_key_among_the_arguments_is_refused_and_not_repeated(
    given: Given, words: tuple[str, ...], more: tuple[str, ...]
) -> None:
    assert given("", *words, *more)[0] == 2


def test_a_server_that_repeats_the_key_is_not_believed_to_be_discreet(command_line: CommandLine) -> None:
    with model_server([], models=Fails(401, f"no such key: {KEY}")) as server:
        said = command_line.run(
            "keys", "test", "anthropic", "--json", ANTHROPIC_BASE_URL=server.url("anthropic"), ANTHROPIC_API_KEY=KEY,
        )
    assert said.status == 3
    assert KEY not in said.stdout + said.stderr
    assert said.json["error"]["code"] == 3


def test_a_server_without_a_key_is_tried_by_its_url(command_line: CommandLine) -> None:
    with model_server([], models=("llama4",)) as server:
        found = command_line.ask("keys", "test", server.url("openai-chat"), OPENAI_API_KEY=KEY)
        assert found["models"] == ["llama4"]
        assert found["where"] == "none"


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own needs a pty")
def test_a_key_that_is_typed_is_not_shown(command_line: CommandLine) -> None:
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "keys", "set", "anthropic"], cwd=ROOT, stdin=theirs, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, **NO_KEYRING, "BANDLEADER_HOME": str(command_line.home)},
    )
    assert process.stderr is not None
    asked = process.stderr.read(len("Key of anthropic"))
    os.write(ours, f"{KEY}\n".encode())
    _, told = process.communicate(timeout=PATIENCE)
    os.set_blocking(ours, False)
    try:
        echoed = os.read(ours, 10_000)
    except BlockingIOError:
        echoed = b""
    os.close(ours)
    os.close(theirs)
    assert asked == "Key of anthropic"
    assert KEY not in told
    assert b"canary" not in echoed
    assert process.returncode == 6
    assert "there is no keyring here" in told
