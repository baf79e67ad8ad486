"""`bandleader machines`: a host key is shown before it is trusted, and no argument is ever a password."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from commandline import CommandLine
from ssh_machines import SshMachines, free_port, needs_sshd, ssh_machines

from app.cli.main import run

NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path / "home", NO_KEYRING)


@pytest.fixture(scope="module")
def rack() -> Iterator[SshMachines]:
    with ssh_machines() as made:
        yield made


def adding(port: int, *more: str) -> tuple[str, ...]:
    return ("machines", "add", "mix", "--address", "127.0.0.1", "--port", str(port), *more)


@needs_sshd
def test_a_machine_is_added_pinned_tried_and_forgotten(command_line: CommandLine, rack: SshMachines) -> None:
    there = rack.start()
    user = ("--user", there.user, "--key-file", str(rack.key))
    added = command_line.ask(*adding(there.port, *user, "--tag", "loud"))
    assert (added["name"], added["system"], added["tags"]) == ("mix", "linux", ["loud"])
    assert not added["host_key_pinned"], "nobody said yes to the key"
    assert added["fingerprint"].startswith("SHA256:")
    assert "not pinned" in command_line.refused(5, "machines", "test", "mix")["what"]
    shown = command_line.run("machines", "pin", "mix", "--json")
    assert (shown.status, shown.json["pinned"]) == (4, False)
    assert added["fingerprint"] in shown.stderr
    assert command_line.ask("machines", "pin", "mix", "--yes")["pinned"]
    assert command_line.ask("machines", "test", "mix")["volume"] == "/"
    there.change_host_key()
    assert "another host key" in command_line.refused(5, "machines", "test", "mix")["what"]
    again = command_line.run("machines", "pin", "mix", "--json")
    assert (again.json["known"], again.json["pinned"]) == (False, False)
    assert again.json["fingerprint"] != added["fingerprint"]
    assert added["fingerprint"] in again.stderr, "the pinned one is shown beside it"
    assert "mix" in command_line.run("machines").stdout
    [listed] = command_line.ask("machines", "list")["machines"]
    assert listed["name"] == "mix"
    assert command_line.ask("machines", "folders", "mix", "/srv/samples")["folders"] == ["/srv/samples"]
    assert command_line.ask("machines", "forget", "mix") == {"forgotten": "mix"}
    assert command_line.ask("machines", "list") == {"machines": [], "damaged": {}}


@needs_sshd
def test_a_machine_that_is_off_can_be_added_and_pinned_later(command_line: CommandLine, rack: SshMachines) -> None:
    added = command_line.ask(*adding(free_port(), "--user", "me", "--key-file", str(rack.key), "--yes"))
    assert not added["host_key_pinned"]
    assert "machines pin mix" in added["note"]


@pytest.mark.parametrize(
    "words",
    [
        ("--user", "me", "--password", "hunter2"), ("--user", "me", "--password=hunter2"),
        ("--user", "me:hunter2"), ("--user", "me", "--passphrase", "hunter2"),
    ],
    ids=repr,
)
def test_a_password_on_the_command_line_is_refused_and_not_repeated(
    words: tuple[str, ...], command_line: CommandLine
) -> None:
    said = command_line.run(*adding(22, *words), "--json")
    assert said.status == 2
    assert "hunter2" not in said.stdout + said.stderr
    assert "password" in said.stderr
    assert command_line.ask("machines", "list") == {"machines": [], "damaged": {}}


def test_a_password_as_the_address_or_after_a_name_is_not_repeated(command_line: CommandLine) -> None:
    for words in (
        ("machines", "add", "mix", "--address", "ssh://me:hunter2@host", "--user", "me"),
        ("machines", "password", "mix", "hunter2"),
    ):
        said = command_line.run(*words, "--json")
        assert said.status == 2
        assert "hunter2" not in said.stdout + said.stderr


def test_without_a_keyring_a_machine_with_a_password_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io

    import keyring
    from keyring.backends import fail

    before = keyring.get_keyring()
    keyring.set_keyring(fail.Keyring())
    monkeypatch.setenv("BANDLEADER_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO("hunter2\n"))
    try:
        assert run([*adding(22, "--user", "me", "--password", "--yes")]) == 6
    finally:
        keyring.set_keyring(before)
    said = capsys.readouterr()
    assert "key file" in said.err
    assert "hunter2" not in said.out + said.err
    assert run(["machines", "list", "--json"]) == 0
    assert '"machines": []' in capsys.readouterr().out


def test_a_machine_that_cannot_be_read_is_listed_and_forgotten(command_line: CommandLine) -> None:
    command_line.ask(*adding(22, "--user", "me", "--yes"))
    with closing(sqlite3.connect(next(command_line.home.rglob("*.db")))) as database, database:
        database.execute("UPDATE machine SET details = '[]'")
    assert "machine mix is damaged" in command_line.run("machines", "list").stdout
    listed = command_line.ask("machines", "list")
    assert listed["machines"] == []
    assert "machine mix is damaged" in listed["damaged"]["mix"]
    said = command_line.run("machines", "test", "mix")
    assert "bandleader machines forget mix" in said.stderr
    assert command_line.ask("machines", "forget", "mix") == {"forgotten": "mix"}
