"""Where a provider's key comes from: this process's environment, then the keyring, then this session only."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from msgspec import Struct

from app.storage.errors import KeyringError, NoKeyring
from app.storage.keyring import Keys, clean_key

_SESSION = "kept for this session only; it ends with the program"
Where: TypeAlias = Literal["environment", "keyring", "session", "none"]


class KeyPlace(Struct, frozen=True):
    """Where the used key comes from, in words for people (`said`); `trouble` is a problem to know about. It never
    contains the key."""

    where: Where
    said: str
    trouble: str = ""


class KeyName(Struct, frozen=True):
    """A key's name in the keyring, and the environment variable that overrides it (empty for none)."""

    name: str
    variable: str = ""


@dataclass(frozen=True)
class KeyLookup:
    """The key to use (None for none) and where it comes from; `error` says why the keyring could not be read."""

    key: str | None = field(repr=False)
    place: KeyPlace
    error: KeyringError | None = None


class KeyOrder:
    """Finds API keys: in the environment, the keyring, then in memory for this session."""

    def __init__(self, keys: Keys, environment: Mapping[str, str]) -> None:
        self._keys = keys
        self._environment = environment
        self._session: dict[str, str] = {}

    def __repr__(self) -> str:
        return "KeyOrder()"

    async def find(self, key: KeyName) -> KeyLookup:
        """The first key in the order; a keyring that cannot be read is skipped and reported as trouble."""
        return await asyncio.to_thread(self.find_now, key)

    def find_now(self, key: KeyName) -> KeyLookup:
        """As `find`, blocking until the keyring has answered."""
        given = self._environment.get(key.variable, "").strip() if key.variable else ""
        if given:
            return KeyLookup(given, KeyPlace("environment", f"taken from {key.variable} in this process's environment"))
        error: KeyringError | None = None
        try:
            kept = self._keys.find(key.name)
            if kept:
                return KeyLookup(kept, KeyPlace("keyring", f"kept in {self._keys.place()}"))
        except KeyringError as problem:
            error = problem
        trouble = f"{error}: {error.advice}" if error is not None else ""
        session = self._session.get(key.name)
        if session:
            return KeyLookup(session, KeyPlace("session", _SESSION, trouble), error)
        return KeyLookup(None, KeyPlace("none", "there is no key", trouble), error)

    async def put(self, key: KeyName, secret: str) -> KeyPlace:
        """Store a key in the keyring. Raises `KeyringError`; it is stored nowhere then."""
        await asyncio.to_thread(self._keys.put, key.name, secret)
        self._session.pop(key.name, None)
        place = await asyncio.to_thread(self._keys.place)
        return KeyPlace("keyring", f"kept in {place}", self._before(key))

    def put_session(self, key: KeyName, secret: str) -> KeyPlace:
        """Keep a key in memory until the process ends."""
        self._session[key.name] = clean_key(secret, key.name)
        return KeyPlace("session", _SESSION, self._before(key))

    async def forget(self, key: KeyName) -> bool:
        """Remove a key from session and keyring; returns whether there was one. Raises `KeyringError` if the keyring
        may still contain one."""
        had = self._session.pop(key.name, None) is not None
        try:
            return await asyncio.to_thread(self._keys.forget, key.name) or had
        except NoKeyring:
            if had:
                return True
            raise

    def _before(self, key: KeyName) -> str:
        if key.variable and self._environment.get(key.variable, "").strip():
            return f"{key.variable} in the environment goes before it"
        return ""
