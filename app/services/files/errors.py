"""What the service of files refuses."""

from __future__ import annotations

import errno

from agent.message import msg
from agent.services.service import ServiceError

_WORDS = {
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of the path is no folder, or a link; links are not followed",
    errno.ELOOP: "it is a link; links are not followed",
    errno.EACCES: "this user may not use it",
    errno.EPERM: "this user may not use it",
    errno.EROFS: "it can only be read",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the disk takes no file as large as that",
    errno.EEXIST: "it exists already",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EMFILE: "too many files are open",
}
_PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.EBUSY, errno.EAGAIN, errno.ETIMEDOUT, errno.ESTALE})


class FileError(ServiceError):
    """A file or folder that cannot be used; `what` names it."""


class NotThere(FileError):
    """There is no file or folder of that name."""


class NotAllowed(FileError):
    """A path outside of the allowed folders."""


class ExistsAlready(FileError):
    """A file that may not be overwritten."""


def fault(what: str, error: OSError) -> FileError:
    """The `FileError` for an error of the system, in plain words: `what` says what failed. An error that may pass by
    itself is transient."""
    why = _WORDS.get(error.errno or 0, (error.strerror or str(error)).lower())
    if error.errno == errno.ENOENT:
        return NotThere(what, why=why, fix=msg("list the folder to see what is there"))
    if error.errno == errno.EEXIST:
        return ExistsAlready(what, why=why, fix=msg("choose another name, or say replace: true"))
    fix = msg("free some space") if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return FileError(what, why=why, fix=fix, transient=error.errno in _PASSING)
