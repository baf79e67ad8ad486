"""Advice that is still a text with a command in it, as the window tells it: there it names a button."""

from __future__ import annotations

import re

from app.words import later, tr

_NAME = r"[A-Za-z0-9._-]+"
_COMMAND = re.compile(r"bandleader |--[a-z]")
_WORDS: tuple[tuple[str, str], ...] = (
    (rf"bandleader services approve {_NAME}", later("test it, read what changed, and approve it")),
    (rf"bandleader services test {_NAME}", later("check what is written of it, then try again")),
    (rf"bandleader machines pin {_NAME}", later("show its fingerprint, compare it, and pin it")),
    (rf"`?bandleader machines password {_NAME}`?", later("edit the machine and give its password")),
    (rf"`?bandleader machines test {_NAME}`?", later("edit the machine")),
    (rf"bandleader machines folders {_NAME} (--remove )?FOLDER", later("edit the machine and its folders")),
    (r"add the machine with --auth negotiate", later("edit it to log in by Windows' own way")),
    (r"add the machine with --ca-file and the certificate", later("edit it and name its certificate file")),
    (r"bandleader folders allow .+ --write", later("allow writing there: settings, folders")),
    (r"bandleader folders allow FOLDER", later("allow its folder: settings, folders")),
    (r"`bandleader list tools` shows all names; those of machines and servers are there once one is added",
     later("ask for the step again; tools of machines and servers are there once one is added")),
    (rf"`bandleader list {_NAME}` shows all names", later("choose a name that the window offers")),
    (r"in advance by --yes", later("in advance")),
)
"""Patterns, with what stands in their place; they are compiled when there is something to word."""


def in_window(text: str) -> str:
    """Advice, or a reason that ends with some, without commands to be typed."""
    if _COMMAND.search(text) is None:
        return text
    for pattern, words in _WORDS:
        text = re.sub(pattern, tr(words).replace("\\", r"\\"), text)
    return text
