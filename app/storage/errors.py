"""What can go wrong with the disk, the database and the keyring."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame


class StorageError(BandleaderError):
    """The database cannot do what was asked; `what` names the file or the row."""

    blame = Blame.MACHINE


class NotWritable(StorageError):
    """The database's file or disk cannot be written; what is stored may still be read."""


class Damaged(StorageError):
    """Stored data differs from what was written."""


class Gone(StorageError):
    """The database's file was removed or replaced since it was opened: whatever is written now is lost."""


class Busy(StorageError):
    """Another program holds the database or the project: nothing is broken, it can be tried again."""

    blame = Blame.RUN


class Stale(StorageError):
    """The song was changed by someone else since it was read; nothing was written."""

    blame = Blame.RUN


class Refused(StorageError):
    """A value breaks a rule of the database's tables."""


class BadText(StorageError):
    """A text or number that the database cannot hold."""

    blame = Blame.INPUT


class KeyringError(BandleaderError):
    """The operating system's keyring cannot keep or give a key; never contains the key."""

    blame = Blame.MACHINE


class NoKeyring(KeyringError):
    """There is no keyring here that is trusted with keys."""


class BadKey(KeyringError):
    """A text that cannot be an API key."""

    blame = Blame.INPUT
