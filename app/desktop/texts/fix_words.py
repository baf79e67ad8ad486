"""Advice that is still a text with a command in it, as the window tells it: there it names a button."""

from __future__ import annotations

import re

from app.words import later, tr

_NAME = r"[A-Za-z0-9._-]+"
_COMMAND = re.compile(r"bandleader |--[a-z]|^pip install")
_WORDS: tuple[tuple[str, str], ...] = (
    (r"what it states is set by: bandleader chords --set CHART --first BAR",
     later("what it states is written on the lane of chords")),
    (r"set the chart on the piece afterwards: bandleader chords --set",
     later("write the rest on the lane of chords afterwards")),
    (r'state some: bandleader chords --set "\| Am7 \| D7 \|"', later("write some on the lane of chords")),
    (rf"choose another name, or `bandleader services forget {_NAME}` first",
     later("choose another name, or forget it")),
    (rf"bandleader services forget {_NAME}, then add it again", later("forget it, then add it again")),
    (rf"`bandleader services forget {_NAME}` removes it if it was added", later("forget it if it was added")),
    (rf"bandleader services approve {_NAME}", later("test it, read what changed, and approve it")),
    (rf"bandleader services test {_NAME}", later("check what is written of it, then try again")),
    (r"bandleader services list", later("look at the list of servers")),
    (r"--command 'PROGRAM ARGUMENTS…'", later("write the program and what it is given")),
    (r"give it as a variable: --env NAME", later("give it as a variable")),
    (r"--env NAME, or --env NAME=VALUE", later("use letters, digits and _")),
    (r"a variable can be taken from the environment instead: --env NAME",
     later("a variable without a value is taken from the environment instead")),
    (rf"bandleader machines forget {_NAME}, or give another name", later("give it another name")),
    (rf"bandleader machines forget {_NAME}, then add it again", later("forget it, then add it again")),
    (rf"bandleader machines pin {_NAME}", later("show its fingerprint, compare it, and pin it")),
    (rf"`?bandleader machines password {_NAME}`?", later("edit the machine and give its password")),
    (rf"`?bandleader machines test {_NAME}`?", later("edit the machine")),
    (rf"bandleader machines folders {_NAME} (--remove )?FOLDER", later("edit the machine and its folders")),
    (r"bandleader machines list", later("look at the list of machines")),
    (r"give the name alone; --password asks for the password",
     later("give the name alone; the password has its own field")),
    (r"forget it and add it with --ca-file, if its certificate is its own",
     later("edit it and name its certificate file, if its certificate is its own")),
    (r"add the machine with --auth negotiate", later("edit it to log in by Windows' own way")),
    (r"add the machine with --ca-file and the certificate", later("edit it and name its certificate file")),
    (r"a port goes after --port", later("a port has its own field")),
    (r"--password, or --way ssh", later("give a password, or choose SSH")),
    (r"--way ssh", later("choose SSH")),
    (r"`bandleader folders` lists them|`bandleader library` lists the folders",
     later("look at the list of folders")),
    (r"bandleader library forget .+", later("forget that one first")),
    (r"bandleader library tag FILE TAG\.\.\.", later("write one")),
    (r"bandleader library scan", later("look through its folder again")),
    (r"and the key with `bandleader keys set`", later("and the token in its own field")),
    (r"bandleader folders allow .+ --write", later("allow writing there: settings, folders")),
    (r"bandleader folders allow FOLDER", later("allow its folder: settings, folders")),
    (r"--model NAME, or choose one in the settings; `bandleader keys test .+` lists them",
     later("choose one in the settings")),
    (rf"bandleader keys set {_NAME}, or set", later("give it in the settings, or set")),
    (r"give keys with `bandleader keys set` only", later("give keys in their own field of the settings only")),
    (r'compose something first: bandleader compose "…"', later("ask for a song first")),
    (r"choose another folder with --out", later("choose another folder")),
    (r"choose another name, or add --replace", later("choose another name")),
    (r"`bandleader list tools` shows all names; those of machines and servers are there once one is added",
     later("ask for the step again; tools of machines and servers are there once one is added")),
    (rf"`bandleader list {_NAME}` shows all names", later("choose a name that the window offers")),
    (r"--intensity 100 is the usual measure", later("100 % is the usual measure")),
    (r"in advance by --yes", later("in advance")),
    (r"^pip install", later("install it: pip install")),
)
"""Patterns, with what stands in their place; they are compiled when there is something to word."""


def in_window(text: str) -> str:
    """Advice, or a reason that ends with some, without commands to be typed."""
    if _COMMAND.search(text) is None:
        return text
    for pattern, words in _WORDS:
        text = re.sub(pattern, tr(words).replace("\\", r"\\"), text)
    return text
