"""Keys of model providers, kept in the operating system's keyring and nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from app.storage.errors import KeyringError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
_SERVICE = "bandleader"
_LONGEST = 200
_SESSION = "keep the key in an environment variable of this session instead, such as ANTHROPIC_API_KEY"


@dataclass(frozen=True)
class KeyringHealth:
    """What `doctor` says of the keyring: the backend's name, whether it can be used, and what to do if not."""

    name: str
    usable: bool
    fix: str = ""


class Keys:
    """Keys by the name of their provider.

    Every call may wait for the keyring, at most `patience` seconds, so callers with an event loop use a
    thread. Raises `KeyringError` when there is no keyring, it stays locked or silent, or it would write keys
    as plain text. No error contains a key.
    """

    def __init__(self, patience: float = 20.0) -> None:
        self._patience = patience

    def put(self, provider: str, key: str) -> None:
        """Keep a key, in the place of an earlier one."""
        name, secret = _checked(provider), key.strip()
        if not secret:
            raise KeyringError(f"the key of {name} is empty", fix="paste the whole key")
        self._ask(lambda backend: backend.set_password(_SERVICE, name, secret))

    def find(self, provider: str) -> str | None:
        """The key of a provider, if one is kept."""
        name = _checked(provider)
        return self._ask(lambda backend: backend.get_password(_SERVICE, name))

    def forget(self, provider: str) -> bool:
        """Remove a key; whether there was one."""
        name = _checked(provider)
        return self._ask(lambda backend: _remove(backend, name))

    def describe(self) -> KeyringHealth:
        """Which keyring would be used, and whether it answers."""
        try:
            name = _in_time(lambda: _name(_backend()), self._patience)
        except KeyringError as error:
            return KeyringHealth(error.what, usable=False, fix=error.fix)
        try:
            self.find("doctor")
        except KeyringError as error:
            return KeyringHealth(name, usable=False, fix=error.fix)
        return KeyringHealth(name, usable=True)

    def _ask(self, question: Callable[[KeyringBackend], T]) -> T:
        return _in_time(lambda: question(_backend()), self._patience)


@dataclass
class _Answer(Generic[T]):
    values: list[T] = field(default_factory=list)
    error: KeyringError | None = None


def _in_time(question: Callable[[], T], patience: float) -> T:
    answer: _Answer[T] = _Answer()

    def ask() -> None:
        try:
            answer.values.append(question())
        except KeyringError as error:
            answer.error = error
        except Exception as error:
            answer.error = _explain(error)

    # A daemon thread, because a keyring that never answers must not keep the program from ending.
    thread = threading.Thread(target=ask, name="keyring", daemon=True)
    thread.start()
    thread.join(patience)
    if answer.error is not None:
        raise answer.error
    if not answer.values:
        raise KeyringError(
            "the keyring does not answer",
            why=f"nothing came back within {patience:g} s; it may be waiting to be unlocked",
            fix=f"unlock the keyring and retry, or {_SESSION}",
        )
    return answer.values[0]


def _backend() -> KeyringBackend:
    import keyring

    chosen = keyring.get_keyring()
    # A chain tries its members in turn and would fall through to one that writes plain text.
    members = getattr(chosen, "backends", None) or [chosen]
    for member in members:
        if not _refused(member):
            found: KeyringBackend = member
            return found
    names = ", ".join(_name(member) for member in members)
    raise KeyringError(
        f"no usable keyring ({names})",
        why="there is none, or it would write keys where others can read them",
        fix=f"install and start one (GNOME Keyring, KWallet, or the system's own), or {_SESSION}",
    )


def _refused(backend: KeyringBackend) -> bool:
    module, name = type(backend).__module__, type(backend).__qualname__
    return (
        module.startswith(("keyrings.alt", "keyring.backends.fail", "keyring.backends.null"))
        or "plaintext" in name.lower()
    )


def _name(backend: KeyringBackend) -> str:
    return f"{type(backend).__module__}.{type(backend).__qualname__}".removeprefix("keyring.backends.")


def _remove(backend: KeyringBackend, name: str) -> bool:
    if backend.get_password(_SERVICE, name) is None:
        return False
    backend.delete_password(_SERVICE, name)
    return True


def _explain(error: Exception) -> KeyringError:
    from keyring.errors import InitError, KeyringLocked, NoKeyringError

    # Only the kind of the error is told: its text is a backend's own and might hold what it was given.
    kind = type(error).__name__
    match error:
        case KeyringLocked() | InitError():
            return KeyringError("the keyring is locked", why=kind, fix=f"unlock it and retry, or {_SESSION}")
        case NoKeyringError():
            return KeyringError("there is no keyring", why=kind, fix=f"install and start one, or {_SESSION}")
        case _:
            return KeyringError("the keyring refused", why=kind, fix=f"check the keyring, or {_SESSION}")


def _checked(provider: str) -> str:
    name = provider.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise KeyringError(f"{provider[:40]!r} is not the name of a provider", fix="use a name such as anthropic")
    return name
