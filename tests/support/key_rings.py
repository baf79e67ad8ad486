"""A keyring that is there only while a test runs."""

from __future__ import annotations

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class Memory(KeyringBackend):
    """Keeps keys in memory."""

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


class Locked(Memory):
    """Waits for a prompt that nobody answers."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("prompt dismissed")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("prompt dismissed")
