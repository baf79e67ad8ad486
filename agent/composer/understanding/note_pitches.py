"""Pitches of a limit as people name them: d2, C5, middle C, the D above it, the E flat at the top of the stave."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from agent.composer.note_words import NoteWords
from agent.composer.understanding.phrases import Phrases
from agent.theory.pitch import pitch_class

_LETTER = re.compile(r"([A-Ga-g])([#♯b♭]?)")
_SIGNS = {"sharp": "#", "flat": "b", "#": "#", "♯": "#", "b": "b", "♭": "b", "": ""}
_PAIR = re.compile(r"([A-G][#b]?)[-–]([A-G][#b]?)")
_MIDDLE_C, _STAVE, _HIGH, _LOW = 60, 71, 77, 59
"""Middle C, below what a name "at the top of the stave" lies, the lowest "high" and the highest "low" pitch."""
_BACK = frozenset(("it", "that", "this"))
_SMALL = 3
"""Highest octave number that may be one of the old way of naming, in which c' is c1."""


class NamedPitch(Struct, frozen=True):
    """A MIDI pitch named by the tokens before `end`. `either`: its octave may be meant in the older (Helmholtz) naming.

    `bare`: a letter without an octave; `pitch` is then the pitch class. `lifted`: only a word says the octave ("high
    C").
    """

    end: int
    pitch: int
    either: bool = False
    bare: bool = False
    lifted: bool = False


class PitchNames:
    """Reads pitches from the tokens of a request, casefolded and as written."""

    def __init__(self, spoken: Sequence[str], tokens: Sequence[str], phrases: Phrases, words: NoteWords) -> None:
        self._spoken = spoken
        self._tokens = tokens
        self._phrases = phrases
        self._articles = frozenset(("the", "a", "an"))
        self._high = frozenset(words.high)
        self._low = frozenset(words.low)
        self._top = frozenset(words.top)
        self._last: int | None = None
        """The pitch that was named before, to which "the A above it" points back."""

    def at(self, at: int) -> NamedPitch | None:
        """The pitch named at a token, articles skipped; None for none. To be called in the order of the tokens, as "the
        D above it" refers to the one before."""
        found = self._at(at)
        if found is not None and not found.bare:
            self._last = found.pitch
        return found

    def _at(self, at: int) -> NamedPitch | None:
        while at < len(self._tokens) and self._spoken[at] in self._articles and not self._digit(at + 1):
            at += 1
        if self._tokens[at : at + 2] == ["middle", "c"]:
            return NamedPitch(at + 2, _MIDDLE_C)
        word = self._tokens[at] if at < len(self._tokens) else ""
        top = self._letter(at + 1) if word in self._top else None
        if top is not None and not self._digit(top[0]):
            return NamedPitch(top[0], _STAVE + (top[1] - _STAVE) % 12)
        if word in self._high or word in self._low:
            found = self._letter(at + 1)
            if found is None or self._digit(found[0]):
                return self._at(at + 1) if found is not None else None
            end, pc = found
            place = _HIGH + (pc - _HIGH) % 12 if word in self._high else _LOW - (_LOW - pc) % 12
            return NamedPitch(end, place, either=True, lifted=True)
        found = self._letter(at)
        return None if found is None else self._placed(*found, small=self._spoken[at][0].islower())

    def pair(self, at: int) -> tuple[int, int, int] | None:
        """(end, pitch class, pitch class) of two letters written as one word ("C-G"); None for none."""
        found = _PAIR.fullmatch(self._spoken[at]) if at < len(self._spoken) else None
        return None if found is None else (at + 1, pitch_class(found[1]), pitch_class(found[2]))

    def _placed(self, end: int, pc: int, *, small: bool) -> NamedPitch | None:
        if self._digit(end):
            octave = int(self._tokens[end])
            return NamedPitch(end + 1, 12 * (octave + 1) + pc, either=small or octave <= _SMALL)
        stave = self._phrases.length("stave", end)
        if stave:
            return NamedPitch(end + stave, _STAVE + (pc - _STAVE) % 12 or _STAVE)
        beside = self._tokens[end : end + 3]
        if beside == ["above", "middle", "c"]:
            return NamedPitch(end + 3, _MIDDLE_C + ((pc - _MIDDLE_C) % 12 or 12))
        if beside == ["below", "middle", "c"]:
            return NamedPitch(end + 3, _MIDDLE_C - ((_MIDDLE_C - pc) % 12 or 12))
        if self._last is not None and beside[:1] in (["above"], ["below"]) and set(beside[1:2]) <= _BACK:
            step = (pc - self._last) % 12 or 12
            return NamedPitch(end + 2, self._last + (step if beside[0] == "above" else step - 12 - 12 * (step == 12)))
        return NamedPitch(end, pc, bare=True) if not small else None

    def _letter(self, at: int) -> tuple[int, int] | None:
        """Where a letter with its sign ends, and its pitch class."""
        if at >= len(self._tokens):
            return None
        found = _LETTER.fullmatch(self._spoken[at])
        if found is None:
            return None
        end, sign = at + 1, _SIGNS[found[2]]
        behind = self._tokens[end] if end < len(self._tokens) else ""
        if not sign and behind in ("sharp", "flat"):
            end, sign = end + 1, _SIGNS[behind]
        try:
            return end, pitch_class(found[1].upper() + sign)
        except (KeyError, ValueError):
            return None

    def _digit(self, at: int) -> bool:
        return at < len(self._tokens) and len(self._tokens[at]) == 1 and self._tokens[at] in "12345678"
