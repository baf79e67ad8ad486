"""What can go wrong with the disk, the database and the keyring."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame


class StorageError(BandleaderError):
    """The database cannot do what was asked; `what` names the file or the row."""

    blame = Blame.MACHINE


class NotWritable(StorageError):
    """The file or its disk takes nothing; what is stored may still be read."""


class Damaged(StorageError):
    """Stored data is not what was written."""


class Gone(StorageError):
    """The database's file is not where it was opened any more: whatever would be written is lost."""


class Busy(StorageError):
    """Another program holds the database or the project: nothing is broken, it can be tried again."""

    blame = Blame.RUN


class Stale(StorageError):
    """The song was changed by someone else since it was read; nothing was written."""

    blame = Blame.RUN


class Refused(StorageError):
    """The database does not take a value: a rule of its tables forbids it."""


class BadText(StorageError):
    """A text or number that the database cannot hold."""

    blame = Blame.INPUT


class KeyringError(BandleaderError):
    """The operating system's keyring cannot keep or give a key; never contains the key."""

    blame = Blame.MACHINE


class NoKeyring(KeyringError):
    """There is no keyring here that keys may be given to."""


class BadKey(KeyringError):
    """What was given is no key that can be kept."""

    blame = Blame.INPUT
