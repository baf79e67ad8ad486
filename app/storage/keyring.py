"""Keys of model providers and passwords of studio machines, kept in the operating system's keyring and nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from agent.message import msg
from app.storage.errors import BadKey, KeyringError, NoKeyring

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
_SERVICE = "bandleader"
_LONGEST_NAME = 200
_MACHINE = "machine:"
"""What the name of a machine's entry begins with; no provider's does."""
_LONGEST_PASSWORD = 1000
_WINDOWS = "keyring.backends.Windows"
_WINDOWS_BYTES = 2560
"""The most that Windows keeps in one credential, in bytes of UTF-16."""
_VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}

TRUSTED = {
    "keyring.backends.SecretService": "the desktop's keyring (Secret Service)",
    "keyring.backends.libsecret": "the desktop's keyring (libsecret)",
    "keyring.backends.kwallet": "KWallet",
    "keyring.backends.macOS": "the macOS keychain",
    _WINDOWS: "the Windows Credential Manager",
}
"""The keyrings that keys are given to, by the module that speaks to them, and what people call them."""


@dataclass(frozen=True)
class KeyringHealth:
    """The state of the keyring for the health check: its name for people, whether it can be used, and what to do if
    not."""

    name: str
    usable: bool
    fix: str = ""


class Keys:
    """Keys by the name of their provider.

    Only the keyrings of `TRUSTED` are used, or `backend` where one is handed in. Every call may wait for the
    keyring, at most `patience` seconds, so callers with an event loop use a thread. Raises `KeyringError`
    when it stays locked or silent, and `NoKeyring` when there is none that is trusted. No error contains a
    key.
    """

    def __init__(self, patience: float = 20.0, backend: KeyringBackend | None = None) -> None:
        self._patience = patience
        self._given = backend

    def put(self, provider: str, key: str) -> None:
        """Store the key of a provider, in place of an earlier one, and read it back; one that comes back changed is
        removed and raises `KeyringError`."""
        name, secret = _checked(provider), clean_key(key, provider)
        self._ask(lambda backend: _store(backend, name, secret), name)

    def find(self, provider: str) -> str | None:
        """The key of a provider; None if none is stored."""
        name = _checked(provider)
        return self._ask(lambda backend: backend.get_password(_SERVICE, name), name)

    def forget(self, provider: str) -> bool:
        """Remove the key of a provider; returns whether there was one."""
        name = _checked(provider)
        return self._ask(lambda backend: _remove(backend, name), name)

    def put_password(self, machine: str, password: str) -> None:
        """Store the password of a machine, or of its key file, as `put` stores a key; leading and trailing spaces
        stay."""
        name, secret = _checked(_MACHINE + machine), _whole_password(password, machine)
        self._ask(lambda backend: _store(backend, name, secret), name)

    def find_password(self, machine: str) -> str | None:
        """The password of a machine, or of its key file; None if none is stored."""
        return self.find(_MACHINE + machine)

    def forget_password(self, machine: str) -> bool:
        """Remove the password of a machine; returns whether there was one."""
        return self.forget(_MACHINE + machine)

    def place(self) -> str:
        """The name for people of the keyring that is used."""
        return self._ask(_name)

    def describe(self) -> KeyringHealth:
        """Which keyring would be used, and whether it answers."""
        try:
            name = self.place()
        except KeyringError as error:
            return KeyringHealth(str(error), usable=False, fix=error.advice)
        try:
            self.find("doctor")
        except KeyringError as error:
            return KeyringHealth(f"{name}: {error}", usable=False, fix=error.advice)
        return KeyringHealth(name, usable=True)

    def _ask(self, question: Callable[[KeyringBackend], T], name: str = "") -> T:
        instead = _instead(name)
        return _in_time(
            lambda: question(self._given if self._given is not None else _backend(instead)), self._patience, instead
        )


def clean_key(key: str, provider: str) -> str:
    """The key without spaces around it. Raises `BadKey`, which names `provider`, for a text that cannot be a key."""
    secret = key.strip()
    if not secret:
        raise BadKey(msg("the key of {provider} is empty", provider=provider), fix=msg("paste the whole key"))
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        raise BadKey(
            msg("that is not a key of {provider}", provider=provider),
            why=msg("it holds spaces or characters that no key has"), fix=msg("copy the key alone, in one line"),
        )
    return secret


def _whole_password(password: str, machine: str) -> str:
    """The password as it is; `BadKey` for a text that cannot be typed as one."""
    if not password:
        raise BadKey(msg("the password of {machine} is empty", machine=machine), fix=msg("type the whole password"))
    if len(password) > _LONGEST_PASSWORD or not password.isprintable():
        raise BadKey(
            msg("that cannot be the password of {machine}", machine=machine),
            why=msg("it is too long, or holds characters that nobody types"),
            fix=msg("give the password alone, in one line"),
        )
    return password


def _instead(name: str) -> str:
    """What can be done without a keyring; the name of a server of one's own has its address behind a colon."""
    if name.startswith(_MACHINE):
        return "let the machine be reached with a key file that has no passphrase"
    kind, _, server = name.partition(":")
    if server:
        return "set OPENAI_API_KEY and OPENAI_BASE_URL in the environment of this session instead"
    variable = _VARIABLES.get(kind) or " or ".join(_VARIABLES.values())
    return f"keep the key in an environment variable of this session instead: {variable}"


@dataclass
class _Answer(Generic[T]):
    values: list[T] = field(default_factory=list)
    error: KeyringError | None = None


def _in_time(question: Callable[[], T], patience: float, instead: str) -> T:
    answer: _Answer[T] = _Answer()

    def ask() -> None:
        try:
            answer.values.append(question())
        except KeyringError as error:
            answer.error = error
        except Exception as error:
            answer.error = _explain(error, instead)

    # A daemon thread, because a keyring that never answers must not keep the program from ending.
    thread = threading.Thread(target=ask, name="keyring", daemon=True)
    thread.start()
    thread.join(patience)
    if answer.error is not None:
        raise answer.error
    if not answer.values:
        raise KeyringError(
            msg("the keyring does not answer"),
            why=msg("nothing came back within {patience:g} s; it may be waiting to be unlocked", patience=patience),
            fix=msg("unlock the keyring and retry, or {instead}", instead=instead),
        )
    return answer.values[0]


def _backend(instead: str) -> KeyringBackend:
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    # A chain tries its members in turn and would fall through to one that writes plain text.
    members: list[KeyringBackend] = list(chosen.backends) if isinstance(chosen, ChainerBackend) else [chosen]
    for member in members:
        if _module(member) in TRUSTED:
            return member
    others = [member for member in members if _module(member) != "keyring.backends.fail"]
    if not others:
        raise NoKeyring(
            msg("there is no keyring here"),
            fix=msg("install and start one (GNOME Keyring, KWallet, or the system's own), or {other}", other=instead),
        )
    names = ", ".join(f"{_module(other)}.{type(other).__qualname__}" for other in others)
    raise NoKeyring(
        msg("no usable keyring: {names} is not trusted with keys", names=names),
        why=msg("it is not the operating system's own; such a one may write keys as plain text, or lose them"),
        fix=msg("start the system's keyring (GNOME Keyring, KWallet) and remove that one, or {other}", other=instead),
    )


def _module(backend: KeyringBackend) -> str:
    return type(backend).__module__


def _name(backend: KeyringBackend) -> str:
    return TRUSTED.get(_module(backend), f"{_module(backend)}.{type(backend).__qualname__}")


def _store(backend: KeyringBackend, name: str, secret: str) -> None:
    size = len(secret.encode("utf-16-le"))
    if size > _WINDOWS_BYTES and any(kind.__module__ == _WINDOWS for kind in type(backend).__mro__):
        raise BadKey(
            msg("the {name} is too long for the Windows Credential Manager", name=_noun(name)),
            why=msg(
                "it has {count:,} characters, and {windows_bytes:,} are the most",
                count=len(secret), windows_bytes=_WINDOWS_BYTES // 2,
            ),
            fix=msg("check that nothing else was pasted, or {name}", name=_instead(name)),
        )
    backend.set_password(_SERVICE, name, secret)
    if backend.get_password(_SERVICE, name) != secret:
        # What came back may be a part of the secret, so it does not stay.
        _remove(backend, name)
        raise KeyringError(
            msg("the keyring did not keep the {name}", name=_noun(name)),
            why=msg("what it gives back is not what was given to it"),
            fix=msg("check the keyring, or {name}", name=_instead(name)),
        )


def _noun(name: str) -> str:
    machine = name.removeprefix(_MACHINE)
    return f"key of {name}" if machine == name else f"password of machine {machine}"


def _remove(backend: KeyringBackend, name: str) -> bool:
    if backend.get_password(_SERVICE, name) is None:
        return False
    backend.delete_password(_SERVICE, name)
    return True


_LOCKED = ("KeyringLocked", "InitError", "LockedException", "PromptDismissedException")


def _explain(error: Exception, instead: str) -> KeyringError:
    # Only the kind of the error is told: its text is a backend's own and might hold what it was given.
    kind = type(error).__name__
    if kind in _LOCKED:
        return KeyringError(
            msg("the keyring is locked"), why=kind, fix=msg("unlock it and retry, or {instead}", instead=instead),
        )
    if kind == "NoKeyringError":
        return NoKeyring(
            msg("there is no keyring here"), why=kind, fix=msg("install and start one, or {instead}", instead=instead),
        )
    return KeyringError(
        msg("the keyring refused"), why=kind, fix=msg("check the keyring, or {instead}", instead=instead),
    )


def _checked(provider: str) -> str:
    name = provider.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        # Not repeated: a person in a hurry may have given the key itself.
        raise BadKey(msg("that is not the name of a provider"), fix=msg("use a name such as anthropic"))
    return name
