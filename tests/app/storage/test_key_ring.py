"""Keys in the keyring: kept, found, forgotten; refused where they would not be safe."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked, PasswordSetError

from agent.errors import Blame
from app.storage.errors import KeyringError
from app.storage.keyring import Keys

SECRET = "sk-ant-canary-0123456789"


class Memory(KeyringBackend):
    """A keyring that is there only while the test runs."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class PlaintextKeyring(Memory):
    """By its name, one that writes keys for all to read."""


class Locked(Memory):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("prompt dismissed")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("prompt dismissed")


class Chatty(Memory):
    def set_password(self, service: str, username: str, password: str) -> None:
        raise PasswordSetError(f"cannot store {password}")


class Silent(Memory):
    """One that waits for a prompt which nobody answers."""

    def __init__(self) -> None:
        super().__init__()
        self.answered = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.answered.wait(30)
        return None


@pytest.fixture(autouse=True)
def _the_real_one_afterwards() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def test_a_key_is_kept_found_replaced_and_forgotten() -> None:
    memory = Memory()
    keyring.set_keyring(memory)
    keys = Keys()
    assert keys.find("anthropic") is None
    keys.put("anthropic", f" {SECRET}\n")
    assert Keys().find("anthropic") == SECRET
    keys.put("anthropic", "another")
    assert keys.find("anthropic") == "another"
    assert keys.find("openai") is None
    assert keys.forget("anthropic")
    assert not keys.forget("anthropic")
    assert memory.kept == {}
    assert keys.describe().usable


@pytest.mark.parametrize("backend", [PlaintextKeyring, fail.Keyring, null.Keyring])
def test_no_keyring_or_one_of_plain_text_is_refused(backend: type[KeyringBackend]) -> None:
    chosen = backend()
    keyring.set_keyring(chosen)
    for act in (lambda k: k.put("anthropic", SECRET), lambda k: k.find("anthropic"), lambda k: k.forget("x")):
        with pytest.raises(KeyringError) as caught:
            act(Keys())
        assert backend.__name__ in caught.value.what
        assert caught.value.fix
        assert caught.value.blame is Blame.MACHINE
    assert not getattr(chosen, "kept", None)
    health = Keys().describe()
    assert not health.usable
    assert health.fix


def test_a_chain_never_falls_through_to_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, good = PlaintextKeyring(), Memory()
    chain = chainer.ChainerBackend()
    monkeypatch.setattr(chainer.ChainerBackend, "backends", [plain, good])
    keyring.set_keyring(chain)
    Keys().put("anthropic", SECRET)
    assert plain.kept == {}
    assert list(good.kept.values()) == [SECRET]
    monkeypatch.setattr(chainer.ChainerBackend, "backends", [plain])
    with pytest.raises(KeyringError):
        Keys().put("anthropic", SECRET)
    assert plain.kept == {}


def test_a_locked_keyring_says_so() -> None:
    keyring.set_keyring(Locked())
    with pytest.raises(KeyringError, match="locked"):
        Keys().find("anthropic")
    health = Keys().describe()
    assert not health.usable
    assert "unlock" in health.fix


def test_no_error_tells_the_key() -> None:
    keyring.set_keyring(Chatty())
    with pytest.raises(KeyringError) as caught:
        Keys().put("anthropic", SECRET)
    assert SECRET not in f"{caught.value} {caught.value.why} {caught.value.fix}"
    assert SECRET not in f"{caught.value.__cause__} {caught.value.__context__}"


def test_a_keyring_that_does_not_answer_is_given_up() -> None:
    silent = Silent()
    keyring.set_keyring(silent)
    with pytest.raises(KeyringError, match="does not answer"):
        Keys(patience=0.05).find("anthropic")
    assert not Keys(patience=0.05).describe().usable
    silent.answered.set()


@pytest.mark.parametrize("provider", ["", "  ", "a\nb", "x" * 300])
def test_a_name_that_is_none_is_refused(provider: str) -> None:
    keyring.set_keyring(Memory())
    with pytest.raises(KeyringError):
        Keys().put(provider, SECRET)


def test_an_empty_key_is_refused() -> None:
    keyring.set_keyring(Memory())
    with pytest.raises(KeyringError, match="empty"):
        Keys().put("anthropic", " \n")


def test_the_keyring_is_loaded_only_when_it_is_asked() -> None:
    code = "import sys, app.storage.keyring; print('keyring' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
