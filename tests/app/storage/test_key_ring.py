"""Keys in the keyring: kept, found, forgotten; refused where they would not be safe."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import keyring
import pytest
from key_rings import Locked, Memory
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.backends.Windows import WinVaultKeyring
from keyring.errors import PasswordSetError

from agent.errors import Blame
from app.storage.errors import KeyringError, NoKeyring
from app.storage.keyring import TRUSTED, Keys

SECRET = "sk-ant-canary-0123456789"


class PlaintextKeyring(Memory):
    """By its name, one that writes keys for all to read."""


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
    keys = Keys(backend=memory)
    assert keys.find("anthropic") is None
    keys.put("anthropic", f" {SECRET}\n")
    assert Keys(backend=memory).find("anthropic") == SECRET
    keys.put("anthropic", "another")
    assert keys.find("anthropic") == "another"
    assert keys.find("openai") is None
    assert keys.forget("anthropic")
    assert not keys.forget("anthropic")
    assert memory.kept == {}
    assert keys.describe().usable


@pytest.mark.parametrize("backend", [PlaintextKeyring, Memory, null.Keyring])
def test_a_keyring_that_is_not_the_systems_own_is_refused_by_name(backend: type[KeyringBackend]) -> None:
    chosen = backend()
    keyring.set_keyring(chosen)
    for act in (lambda k: k.put("anthropic", SECRET), lambda k: k.find("anthropic"), lambda k: k.forget("anthropic")):
        with pytest.raises(NoKeyring) as caught:
            act(Keys())
        assert f"{backend.__module__}.{backend.__name__}" in caught.value.what
        assert "plain text" in caught.value.why
        assert "ANTHROPIC_API_KEY" in caught.value.advice
        assert caught.value.blame is Blame.MACHINE
    assert not getattr(chosen, "kept", None)
    health = Keys().describe()
    assert not health.usable
    assert backend.__name__ in health.name
    assert health.fix


@pytest.mark.parametrize(
    ("name", "advised", "other"),
    [
        ("anthropic", "ANTHROPIC_API_KEY", "OPENAI"), ("openai", "OPENAI_API_KEY", "ANTHROPIC"),
        ("openai-chat:https://models.example", "OPENAI_API_KEY and OPENAI_BASE_URL", "ANTHROPIC"),
    ],
)
def test_the_advice_names_the_variable_of_the_provider(name: str, advised: str, other: str) -> None:
    keyring.set_keyring(fail.Keyring())
    with pytest.raises(NoKeyring) as none:
        Keys().find(name)
    with pytest.raises(KeyringError) as locked:
        Keys(backend=Locked()).put(name, SECRET)
    for caught in (none, locked):
        assert advised in caught.value.advice
        assert other not in caught.value.advice


def test_plain_text_of_the_known_library_is_refused_by_name() -> None:
    written = type("PlaintextKeyring", (Memory,), {"__module__": "keyrings.alt.file"})
    keyring.set_keyring(written())
    with pytest.raises(NoKeyring, match=r"keyrings\.alt\.file\.PlaintextKeyring"):
        Keys().put("anthropic", SECRET)


def test_where_there_is_no_keyring_that_is_said() -> None:
    keyring.set_keyring(fail.Keyring())
    with pytest.raises(NoKeyring, match="there is no keyring here"):
        Keys().put("anthropic", SECRET)
    health = Keys().describe()
    assert not health.usable
    assert "install" in health.fix


@pytest.mark.parametrize("module", sorted(TRUSTED))
def test_the_systems_own_keyrings_are_trusted(module: str) -> None:
    own = type("Keyring", (Memory,), {"__module__": module})()
    keyring.set_keyring(own)
    Keys().put("anthropic", SECRET)
    assert list(own.kept.values()) == [SECRET]
    assert Keys().describe().name == TRUSTED[module]


def test_a_name_that_begins_like_a_trusted_one_is_not_trusted() -> None:
    keyring.set_keyring(type("Keyring", (Memory,), {"__module__": "keyring.backends.SecretServiceToFile"})())
    with pytest.raises(NoKeyring):
        Keys().put("anthropic", SECRET)


def test_a_chain_never_falls_through_to_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, good = PlaintextKeyring(), type("Keyring", (Memory,), {"__module__": "keyring.backends.SecretService"})()
    chain = chainer.ChainerBackend()
    monkeypatch.setattr(chainer.ChainerBackend, "backends", [plain, good])
    keyring.set_keyring(chain)
    Keys().put("anthropic", SECRET)
    assert Keys().find("anthropic") == SECRET
    assert plain.kept == {}
    assert list(good.kept.values()) == [SECRET]
    monkeypatch.setattr(chainer.ChainerBackend, "backends", [plain])
    with pytest.raises(NoKeyring):
        Keys().put("anthropic", SECRET)
    assert plain.kept == {}


class Forgetful(Memory):
    """Gives back a part of what it was given."""

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password[:10]


def test_a_key_that_comes_back_otherwise_is_an_error_and_does_not_stay() -> None:
    forgetful = Forgetful()
    with pytest.raises(KeyringError, match="did not keep the key of anthropic"):
        Keys(backend=forgetful).put("anthropic", SECRET)
    assert forgetful.kept == {}


class WindowsMemory(Memory, WinVaultKeyring):
    """The Credential Manager without Windows."""


def test_windows_keeps_keys_of_at_most_1280_characters() -> None:
    backend = WindowsMemory()
    keys = Keys(backend=backend)
    keys.put("anthropic", "k" * 1280)
    with pytest.raises(KeyringError, match="too long for the Windows Credential Manager") as caught:
        keys.put("anthropic", "k" * 1281)
    assert "1,281 characters" in caught.value.why
    assert keys.find("anthropic") == "k" * 1280
    Keys(backend=Memory()).put("anthropic", "k" * 5000)


def test_a_locked_keyring_says_so() -> None:
    with pytest.raises(KeyringError, match="locked"):
        Keys(backend=Locked()).find("anthropic")
    health = Keys(backend=Locked()).describe()
    assert not health.usable
    assert "locked" in health.name
    assert "unlock" in health.fix


def test_no_error_tells_the_key() -> None:
    with pytest.raises(KeyringError) as caught:
        Keys(backend=Chatty()).put("anthropic", SECRET)
    assert SECRET not in f"{caught.value} {caught.value.why} {caught.value.advice}"
    assert SECRET not in f"{caught.value.__cause__} {caught.value.__context__}"


def test_a_keyring_that_does_not_answer_is_given_up() -> None:
    silent = Silent()
    with pytest.raises(KeyringError, match="does not answer"):
        Keys(patience=0.05, backend=silent).find("anthropic")
    assert not Keys(patience=0.05, backend=silent).describe().usable
    silent.answered.set()


@pytest.mark.parametrize("provider", ["", "  ", "a\nb", "x" * 300])
def test_a_name_that_is_none_is_refused(provider: str) -> None:
    with pytest.raises(KeyringError):
        Keys(backend=Memory()).put(provider, SECRET)


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(KeyringError, match="empty"):
        Keys(backend=Memory()).put("anthropic", " \n")


@pytest.mark.parametrize("text", ["two words", "a\nb", "schlüssel", "a\x00b"])
def test_a_text_that_is_no_key_is_refused_and_not_repeated(text: str) -> None:
    memory = Memory()
    with pytest.raises(KeyringError, match="not a key of anthropic") as caught:
        Keys(backend=memory).put("anthropic", text)
    assert text not in f"{caught.value} {caught.value.advice}"
    assert memory.kept == {}


def test_the_keyring_is_loaded_only_when_it_is_asked() -> None:
    code = "import sys, app.storage.keyring; print('keyring' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
