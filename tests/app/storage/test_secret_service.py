"""Keys in a real Secret Service: GNOME's keyring on a message bus of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from secret_service import ROOT, needs_secret_service, with_secret_service

SECRET = "sk-ant-canary-0123456789"

ASK = """
import sys
from app.storage.errors import KeyringError
from app.storage.keyring import Keys
keys = Keys(patience=10)
health = keys.describe()
print(health.usable, health.name)
try:
    for word in sys.argv[1:]:
        act, _, rest = word.partition(" ")
        print(act, {"put": keys.put, "find": keys.find, "forget": keys.forget}[act](*rest.split()))
except KeyringError as error:
    print(type(error).__name__, error.what, "|", error.why, "|", error.advice)
"""


def ask(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-c", ASK, *words)


@needs_secret_service
def test_a_key_is_kept_given_back_replaced_and_forgotten_and_outlives_its_process(tmp_path: Path) -> None:
    first = with_secret_service(tmp_path, *ask(
        "find anthropic", f"put anthropic {SECRET}", "find anthropic", "put openai other", f"put anthropic {SECRET}2",
    ))
    assert first.stdout.splitlines() == [
        "True the desktop's keyring (Secret Service)", "find None", "put None", f"find {SECRET}", "put None",
        "put None",
    ], first.stderr
    again = with_secret_service(tmp_path, *ask(
        "find anthropic", "find openai", "forget anthropic", "forget anthropic", "find anthropic",
    ))
    assert again.stdout.splitlines()[1:] == [
        f"find {SECRET}2", "find other", "forget True", "forget False", "find None",
    ], again.stderr


@needs_secret_service
def test_the_keyring_writes_no_plain_text(tmp_path: Path) -> None:
    with_secret_service(tmp_path, *ask(f"put anthropic {SECRET}"))
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(file.suffix == ".keyring" for file in files)
    assert not [file for file in files if SECRET.encode() in file.read_bytes()]


@needs_secret_service
def test_a_locked_keyring_says_so(tmp_path: Path) -> None:
    for words in (f"put anthropic {SECRET}", "find anthropic", "forget anthropic"):
        said = with_secret_service(tmp_path, *ask(words), locked=True).stdout
        assert "False the desktop's keyring (Secret Service): the keyring is locked" in said
        assert "KeyringError the keyring is locked" in said
        assert "unlock it and retry" in said
        assert SECRET not in said


def without_a_bus(home: Path, **more: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DBUS", "PYTHON_KEYRING"))}
    done = subprocess.run(
        ask(f"put anthropic {SECRET}", "find anthropic"), cwd=ROOT, capture_output=True, text=True, check=True,
        env={**kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "XDG_CONFIG_HOME": str(home), **more},
    )
    assert SECRET not in done.stdout
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system's keyring needs no message bus")
def test_without_a_keyring_that_is_said(tmp_path: Path) -> None:
    said = without_a_bus(tmp_path)
    assert "NoKeyring there is no keyring here" in said
    assert "ANTHROPIC_API_KEY" in said


def test_a_keyring_of_plain_text_is_refused_by_name_and_writes_nothing(tmp_path: Path) -> None:
    module = tmp_path / "keyrings" / "alt" / "file.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "from pathlib import Path\n"
        "from keyring.backend import KeyringBackend\n"
        "class PlaintextKeyring(KeyringBackend):\n"
        "    priority = 9\n"
        "    def get_password(self, service, name): return None\n"
        f"    def set_password(self, *words): Path({str(tmp_path / 'plain')!r}).write_text(repr(words))\n"
        "    def delete_password(self, service, name): pass\n"
    )
    said = without_a_bus(
        tmp_path, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]),
        PYTHON_KEYRING_BACKEND="keyrings.alt.file.PlaintextKeyring",
    )
    assert "NoKeyring no usable keyring: keyrings.alt.file.PlaintextKeyring is not trusted with keys" in said
    assert "plain text" in said
    assert not (tmp_path / "plain").exists()
