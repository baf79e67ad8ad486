"""What the name of a file says: tempo, key and words, and nothing that it does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, cast

from agent.song.key import Key, Mode
from app.services.files.names import hidden

_TEMPO = re.compile(r"(?<![\d.])(\d{2,3}(?:\.\d{1,2})?)[ _-]?bpm(?![a-z])", re.IGNORECASE)
_TEMPO_AFTER = re.compile(r"(?<![a-z])bpm[ _-]?(\d{2,3}(?:\.\d{1,2})?)(?![\d.]*\d)", re.IGNORECASE)
_KEY = re.compile(
    r"(?<![A-Za-z0-9#♯♭])([A-G])(#|♯|♭|b|sharp|flat)?"
    r"(?:m|([ _-]?)(major|minor|maj|min|Major|Minor|Maj|Min))(?![A-Za-z0-9])"
)
_ASKED = re.compile(
    r"\s*+([A-Ga-g])\s*+(#|♯|♭|b|sharp|flat)?\s*+(m|min|minor|maj|major|dorian|phrygian|lydian|mixolydian|locrian|"
    r"harmonic[ _]minor|melodic[ _]minor)?\s*+", re.IGNORECASE,
)
_ACCIDENTALS = {"": "", "#": "#", "♯": "#", "sharp": "#", "b": "b", "♭": "b", "flat": "b"}
_MODES = {"": "major", "m": "minor", "min": "minor", "maj": "major"}
_SLOWEST, _FASTEST = 20, 400
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_LONGEST_WORD, _MOST_WORDS = 32, 24


class FileNameFacts(NamedTuple):
    """Tempo (quarter notes per minute) and key in a file name; None if it states none, or two."""

    tempo: float | None
    key: Key | None
    rest: str
    """The name without the parts that state tempo and key."""


def read_name(stem: str) -> FileNameFacts:
    """Tempo and key in the name of a file by the usual conventions: `120bpm`, `bpm_92.5`, `Am`, `F#min`, `Eb_major`. A
    word that could be a key counts only if the name also states a tempo: "Where I Am", "A Major Hit" have none."""
    found = list(_TEMPO.finditer(stem)) or list(_TEMPO_AFTER.finditer(stem))
    tempos = {float(match[1]) for match in found if _SLOWEST <= float(match[1]) <= _FASTEST}
    signs = [match for match in _KEY.finditer(stem) if tempos or not _may_be_a_word(stem, match)]
    keys = {_key(match) for match in signs}
    rest = list(stem)
    for match in (*found, *signs):
        rest[match.start() : match.end()] = " " * (match.end() - match.start())
    return FileNameFacts(
        tempos.pop() if len(tempos) == 1 else None, keys.pop() if len(keys) == 1 else None, "".join(rest)
    )


def asked_key(text: str) -> Key | None:
    """A key as a person writes it: `Am`, `F# minor`, `gb major`, `D dorian`, `C`; None for anything else."""
    match = _ASKED.fullmatch(text)
    if match is None:
        return None
    mode = match[3] or ""
    # A capital M alone means major to many, a small one minor.
    word = "maj" if mode == "M" else mode.lower().replace(" ", "_")
    tonic = match[1].upper() + _ACCIDENTALS[(match[2] or "").lower()]
    return Key(tonic, cast("Mode", _MODES.get(word, word)))


def same_key(one: Key, other: Key) -> bool:
    """Whether two keys are the same on a keyboard, however they are written."""
    return one.pitch_class == other.pitch_class and one.mode == other.mode


def words_of(*texts: str) -> tuple[str, ...]:
    """The words of names as tags, in order: each once, in lower case, of two letters or more, without numbers; at most
    24."""
    words: dict[str, None] = {}
    for text in texts:
        for word in _WORD.findall(text.casefold()):
            if 2 <= len(word) <= _LONGEST_WORD and not word.isdigit() and word != "bpm" and not hidden(word):
                words.setdefault(word)
    return tuple(words)[:_MOST_WORDS]


def tag_of(text: str) -> str:
    """A tag as it is stored: lower case, single spaces; empty if nothing remains."""
    plain = " ".join("".join(" " if hidden(sign) else sign for sign in text).split()).casefold()
    return plain[:_LONGEST_WORD].strip()


def _key(match: re.Match[str]) -> Key:
    word = (match[4] or "m").lower()[:3]
    return Key(match[1] + _ACCIDENTALS[match[2] or ""], cast("Mode", _MODES[word]))


def _may_be_a_word(stem: str, match: re.Match[str]) -> bool:
    """Whether the sign is `Am` or `A minor` as words of a sentence."""
    if match[1] != "A" or match[2]:
        return False
    beside = stem[max(0, match.start() - 1) : match.start()] + stem[match.end() : match.end() + 1]
    return match[3] == " " or " " in beside


def tagged(tags: Sequence[str]) -> frozenset[str]:
    """Tags in the form in which they are compared."""
    return frozenset(tag.casefold() for tag in tags)
