"""How a chart writes its chords: as symbols, as roman numerals or as Nashville numbers; one way for all of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from agent.errors import BandleaderError
from agent.song.chord_symbols import LONGEST_SYMBOL, NO_CHORD, chord, ending
from agent.song.key import Key
from agent.theory.chords import chord_symbol, diatonic, roman
from agent.theory.german_names import chord_in_english
from agent.theory.pitch import class_name

Reader = Callable[[str, Key], str | None]
"""The symbol that a text means in a key; None where it is no chord of that notation."""
_NO_CHORD = re.compile(r"\(?n\.?\s?c\.?\)?|no chord|tacet", re.IGNORECASE)
_NUMBER = re.compile(r"([b#]?)([1-7])([^/\s]{0,12})(?:/([b#]?[1-7]))?")
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII")
_ENDINGS = (
    "", "m", "7", "m7", "maj7", "6", "m6", "9", "m9", "maj9", "11", "13", "sus2", "sus4", "7sus4", "add9", "dim",
    "dim7", "aug", "m7b5", "7b9", "7#9", "6/9", "5", "7alt",
)
_SOLFEGE = re.compile(
    r"(do|r[eé]|mi|fa|sol|la|si)([#b♯♭]?)([^/\s]{0,12}?)(?:/(do|r[eé]|mi|fa|sol|la|si)([#b♯♭]?))?", re.IGNORECASE
)
_SYLLABLES = {"do": "C", "re": "D", "ré": "D", "mi": "E", "fa": "F", "sol": "G", "la": "A", "si": "B"}
WRITTEN_OUT = (
    r"(?<![\w#/])[A-H](?:[ \t]?(?i:sharp|flat)\b|[#b♯♭])?[ \t](?i:major|minor|maj|min|diminished|augmented|dim|aug)\b"
    r"(?:[ \t]?(?:7th|9th|6th|7|9|6|11|13)(?!\w))?"
)
"""Pattern of a chord in words: C major, F sharp minor 7."""
_OUT = re.compile(WRITTEN_OUT)
_APART = re.compile(r"(?<![\w#/])([A-H][#b]?m?)[ \t](7|9|6|13)(?=[\s,;]|$)")
_SHORT = {"major": "", "maj": "", "minor": "m", "min": "m", "diminished": "dim", "dim": "dim", "augmented": "aug",
          "aug": "aug"}
_ROOT = re.compile(r"([A-Ha-h])([#b]?)")
_SMALL = tuple("abcdefgh")
_OWN = {"min": "m", "dim": "dim"}
_PLAIN = ("6", "7", "9", "11")
"""Endings that leave the third to the key."""


def is_no_chord(text: str) -> bool:
    """Whether a text says that no chord sounds: N.C., NC, tacet."""
    return len(text) <= LONGEST_SYMBOL and _NO_CHORD.fullmatch(text) is not None


def notation_of(texts: Sequence[str]) -> Reader:
    """The reader (symbols, German names, roman numerals, numbers, solfège) that reads most of the texts; symbols if
    several read equally many. The reader takes a text and a key and gives the chord symbol, None if it cannot."""
    readers: tuple[Reader, ...] = (_symbol, _german, _numeral, _numbers(texts), _small_symbol, _solfege)
    home = Key("C")
    return max(readers, key=lambda read: sum(read(text, home) is not None for text in texts))


def is_sung(text: str) -> bool:
    """Whether a text is a chord in solfège, such as Do or Lam7; it may also be a syllable to be sung."""
    return not is_no_chord(text) and _solfege(text, Key("C")) is not None


def written_out(text: str) -> str:
    """The text with chords in words replaced by symbols: "C major, A minor 7" becomes "C, Am7"."""
    made = _OUT.sub(lambda found: _short(found[0]), text)
    return made if made == text else _APART.sub(r"\1\2", made)


def _short(words: str) -> str:
    pieces = words.replace("♯", "#").replace("♭", "b").split()
    root, rest = pieces[0], [piece.casefold() for piece in pieces[1:]]
    if rest[0] in ("sharp", "flat"):
        root += "#" if rest.pop(0) == "sharp" else "b"
    number = rest[1].removesuffix("th") if len(rest) > 1 else ""
    third = "maj" if rest[0] in ("major", "maj") and number in ("7", "9", "13") else _SHORT[rest[0]]
    return f"{root}{third}{number}"


def nearest(text: str) -> str:
    """The chord symbol that resembles a misspelled one; "" if none does."""
    found = _ROOT.match(text)
    if found is None:
        return ""
    rest = text[found.end():]
    close = get_close_matches(rest, _ENDINGS, 1, 0.5)
    return f"{found[1].upper()}{found[2]}{close[0]}" if close else ""


def _symbol(text: str, _key: Key) -> str | None:
    if is_no_chord(text):
        return NO_CHORD
    try:
        chord(text)
    except BandleaderError:
        return None
    return text.strip()


def _german(text: str, key: Key) -> str | None:
    """Symbols with German roots among them: Es7, Fism, As/C."""
    return _symbol(chord_in_english(text), key)


def _small_symbol(text: str, key: Key) -> str | None:
    """Symbols whose roots are small letters: am, f, g7."""
    chord_, slash, bass = text.partition("/")
    low = bass[:1].upper() + bass[1:] if bass[:1] in _SMALL else bass
    return _symbol(f"{chord_[:1].upper()}{chord_[1:]}{slash}{low}", key)


def _solfege(text: str, key: Key) -> str | None:
    """Symbols whose roots are syllables: Do, Lam, Sol7, Fa#m/La."""
    found = _SOLFEGE.fullmatch(text)
    if found is None:
        return _symbol(text, key) if is_no_chord(text) else None
    root, sign, rest, bass, low = found.groups()
    return _symbol(
        f"{_SYLLABLES[root.casefold()]}{sign}{rest}" + (f"/{_SYLLABLES[bass.casefold()]}{low}" if bass else ""), key
    )


def _numeral(text: str, key: Key) -> str | None:
    if is_no_chord(text):
        return NO_CHORD
    try:
        return chord_symbol(roman(text, key), key)
    except BandleaderError:
        return None


def _numbers(texts: Iterable[str]) -> Reader:
    """Nashville numbers. Where none of a chart is marked minor, each has the third that the key has on it."""
    found = [_NUMBER.fullmatch(text) for text in texts]
    marked = any(one is not None and one[3][:1] in ("-", "m") for one in found)

    def read(text: str, key: Key) -> str | None:
        if is_no_chord(text):
            return NO_CHORD
        found = _NUMBER.fullmatch(text)
        if found is None:
            return None
        sign, digit, rest, bass = found.groups()
        own = "" if marked or sign else _OWN.get(diatonic(key, int(digit)).quality, "")
        suffix = f"{own}{rest}" if rest in ("", *_PLAIN) else rest
        if ending(suffix) is None:
            return None
        low = f"/{_root_of(bass, key)}" if bass else ""
        return f"{_root_of(sign + digit, key)}{suffix}{low}"

    return read


def _root_of(number: str, key: Key) -> str:
    return class_name(roman(f"{number[:-1]}{_NUMERALS[int(number[-1]) - 1]}", key).root, key)
