"""Slots: what may stand in a form beside its words, such as parts, moods, keys and lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import OWN, WHOLE_LIST
from agent.composer.understanding.names import Names
from agent.composer.understanding.not_of_piece import is_thing
from agent.composer.understanding.numbers import (
    counted,
    decibels_at,
    hertz_at,
    lifted_at,
    number_at,
    pitch_at,
    seconds_at,
    steps_at,
    unit_at,
)
from agent.composer.understanding.part_slots import PartSlots, words_from
from agent.composer.understanding.place_slots import AT_PLACES, PLACES, PlaceSlots
from agent.composer.understanding.playing import played_at
from agent.composer.understanding.senses import Sense
from agent.composer.understanding.tempo_figures import stated_tempo_at
from agent.composer.understanding.wishes import Wish
from agent.composer.understanding.written_chords import CHORDS, WrittenChords
from agent.composer.vocabulary import Vocabulary

_TEMPI = (20.0, 999.0)
_LONGEST_SHARE = 2
"""Words of the longest part of a whole."""
_UNITS = ("2", "4", "8")
_ROUGH = ("bars", "time", "steps", "decibels", "share", "hertz")
"""Slots in whose numbers one may be rough: "down like 6 dB"."""
_FIGURE_WITHIN = 7
"""Words from the beginning of a stated tempo within which its number stands: "dotted quarter note = about 50"."""
_TABLES: Mapping[str, Sense] = MappingProxyType({"grid": "grid", "degrees": "degrees", "times": "repeats"})


class SlotReader:
    """Reads slots of all kinds from the words of one request. `fixed` are words of patterns, which are never adjectives
    of a part."""

    def __init__(
        self, lexicon: Lexicon, figures: Figures, fixed: frozenset[str], names: Names | None = None,
        chords: WrittenChords | None = None,
    ) -> None:
        self._names, self._chords = names, chords
        self._lexicon = lexicon
        self._figures = figures
        self._rough = frozenset(lexicon.words.lengths.rough)
        words = lexicon.words
        self._about = frozenset(phrase.split()[0] for phrase in (words.figures.about if words.figures else ()))
        self._beside_tempo = _beside_tempo(words)
        self.placed = AT_PLACES
        self.parts = PartSlots(lexicon, fixed)
        self.played = self.parts.played
        self._places = PlaceSlots(lexicon)
        # forms share slots, so each is read once at each item of the row at hand
        self._row: Sequence[Item] = ()
        self._known: dict[tuple[str, int, bool], tuple[int, object] | None] = {}

    def read(self, name: str, items: Sequence[Item], at: int, *, opening: bool) -> tuple[int, object] | None:
        """(end, value) of the slot `name` at an item; None if nothing of its kind is there. `opening`: a pattern begins
        with it. Cached for the last row of items."""
        if self._row is not items:
            self._row, self._known = items, {}
        key = (name, at, opening)
        if key not in self._known:
            self._known[key] = self._read(name, items, at, opening=opening)
        return self._known[key]

    def _read(self, name: str, items: Sequence[Item], at: int, *, opening: bool) -> tuple[int, object] | None:
        if at >= len(items):
            return None
        item = items[at]
        if name == "name":
            return self._names.at(items, at) if self._names is not None else None
        if name == "soundfont":
            return self._names.file_at(items, at) if self._names is not None else None
        if name in CHORDS:
            return self._chords.at(name, items, at) if self._chords is not None else None
        if name in PLACES:
            return self._places.at(name, items, at)
        if item.kind != "word":
            return None
        if name == "played":
            played = played_at(words_from(items, at), 0, self._lexicon)
            return (at + played[0], (played[1],)) if played is not None else None
        if name in ("part", "refused", WHOLE_LIST):
            opens = self.parts.opens if not opening and name != WHOLE_LIST else None
            return self.parts.several(items, at, opening=opening, refused=name == "refused", opens=opens)
        if name == "by":
            by = self.parts.one(items, self.parts.behind_moods(items, at), adjectives=True)
            return by if by is not None else self._played_by(items, at)
        if name == OWN:
            return self.parts.own(items, at)
        if name in ("kit", "drums"):
            kit = self.parts.several(items, at, opening=False)
            return kit if kit is not None and _names_kit(kit[1], self._lexicon, whole=name == "kit") else None
        if name == "players":
            players = self.parts.several(items, at, opening=False)
            several = players is not None and len(players[1]) > 1
            return players if several and players is not None and all(map(self.parts.is_new, players[1])) else None
        if name in ("style", "mood", "section", "ordinal", "aspect"):
            return self._sense(cast("Sense", name), words_from(items, at), at)
        if name in ("key", "mode", "meter"):
            return self._tonal(name, items, at)
        number = at + (name in _ROUGH and item.text in self._rough and bool(words_from(items, at + 1)))
        if name in ("bpm", "tempo"):
            return self._tempo(name, items, number)
        return self._counted(name, words_from(items, number), number)

    def _played_by(self, items: Sequence[Item], at: int) -> tuple[int, object] | None:
        """The instrument that plays what an item calls by its maker or its way of playing: "a Minimoog"."""
        at += self.parts.led(items, at)
        technique = self._lexicon.standing.techniques.longest_at(words_from(items, at), 0)
        plays = self._lexicon.wish_at(phrase_tokens(technique[1].plays), 0) if technique is not None else None
        return (at + technique[0], plays[1]) if technique is not None and plays is not None else None

    def _sense(self, name: Sense, words: Sequence[str], at: int) -> tuple[int, object] | None:
        found = self._lexicon.sense(words, 0, name)
        if found is None:
            return None
        wish = self._lexicon.wish_at(words, 0)
        if name in ("style", "mood") and wish is not None and wish[0] > found[0]:
            return None
        if name == "style" and is_thing(words, 0, found[0], self._lexicon):
            return None
        if name != "style":
            return at + found[0], found[1]
        styles, end = [found[1]], found[0]
        while end < len(words) and (more := self._lexicon.sense(words, end, "style")) is not None:
            # of neighbours the last is meant most: "ambient techno"
            styles.insert(0, more[1])
            end += more[0]
        return at + end, tuple(dict.fromkeys(styles))

    def _tonal(self, name: str, items: Sequence[Item], at: int) -> tuple[int, object] | None:
        words = words_from(items, at)
        if name == "mode":
            mode = self._lexicon.sense(words, 0, "mode")
            return (at + mode[0], mode[1]) if mode is not None and len(words[0]) > 3 else None
        if name == "meter":
            if len(words) > 2 and words[1] == "/" and words[0].isdecimal() and words[2] in _UNITS:
                beats = int(words[0][:3])
                # a single beat is a share: "at 1/2 volume"
                return (at + 3, (beats, int(words[2]))) if 2 <= beats <= 16 else None
            meter = self._lexicon.sense(words, 0, "meter")
            if meter is None:
                return None
            beats_text, _, unit = meter[1].partition("/")
            return at + meter[0], (int(beats_text), int(unit))
        key = self._figures.key_at(items[at].first)
        return (at + key[0], key[1]) if key is not None else None

    def _counted(self, name: str, words: Sequence[str], at: int) -> tuple[int, object] | None:
        lexicon = self._lexicon
        if name == "number":
            number = number_at(words, 0, lexicon)
            return (at + number[0], number[1]) if number is not None else None
        if name == "bars":
            bars = counted(words, 0, lexicon, ("bars",))
            return (at + bars[0], max(1, int(bars[1]))) if bars is not None else None
        if name == "dynamic":
            mark = lexicon.standing.dynamics.longest_at(words, 0)
            return (at + mark[0], mark[1]) if mark is not None else None
        if name == "pitch":
            return self._pitch(words, at)
        if name == "hertz":
            hertz = hertz_at(words, 0, lexicon)
            return (at + hertz[0], hertz[1]) if hertz is not None else None
        if name == "share":
            return self._share(words, at)
        if name in _TABLES:
            found = lexicon.sense(words, 0, _TABLES[name])
            return (at + found[0], float(found[1])) if found is not None else None
        readers = {"time": seconds_at, "steps": steps_at, "decibels": decibels_at}
        counted_at = readers[name](words, 0, lexicon) if name in readers else None
        return (at + counted_at[0], counted_at[1]) if counted_at is not None else None

    def _tempo(self, name: str, items: Sequence[Item], at: int) -> tuple[int, object] | None:
        words, lexicon = words_from(items, at), self._lexicon
        bpm = counted(words, 0, lexicon, ("bpm",))
        if bpm is not None:
            figures = lexicon.words.figures
            behind = words[bpm[0]] if bpm[0] < len(words) else ""
            # "20 bpm faster" is no tempo
            return None if figures is not None and behind in figures.relative else (at + bpm[0], bpm[1])
        figured = any(word[:1].isdecimal() for word in words[:_FIGURE_WITHIN])
        figure = stated_tempo_at(words, 0, lexicon) if figured and self._tells_of_tempo(items, at) else None
        return (at + figure.length, figure.low) if figure is not None else self._bare_tempo(name, words, at)

    def _tells_of_tempo(self, items: Sequence[Item], at: int) -> bool:
        """Whether a rough number may be a tempo there: it begins its clause, or only words that go with one are before
        it. "The bass clashes around 200" is about a frequency."""
        before = items[at - 1] if at and items[at].text in self._about else None
        return before is None or before.kind != "word" or before.text in self._beside_tempo

    def _share(self, words: Sequence[str], at: int) -> tuple[int, object] | None:
        """A part of a whole in words: "a quarter", "two thirds"."""
        shares = self._lexicon.words.lengths.shares
        for length in range(min(_LONGEST_SHARE, len(words)), 0, -1):
            share = shares.get(" ".join(words[:length]))
            if share is not None:
                return at + length, share
        return None

    def _pitch(self, words: Sequence[str], at: int) -> tuple[int, object] | None:
        """A note with its octave, or one that is only called low or high."""
        notes = self._lexicon.words.notes
        first = 1 if notes is not None and len(words) > 1 and words[0] in (*notes.low, *notes.high) else 0
        pitch = pitch_at(words, first)
        if pitch is not None:
            return at + first + pitch[0], pitch[1]
        lifted = lifted_at(words, 0, notes.low, notes.high) if notes is not None else None
        return (at + lifted[0], lifted[1]) if lifted is not None else None

    def _bare_tempo(self, name: str, words: Sequence[str], at: int) -> tuple[int, object] | None:
        number = number_at(words, 0, self._lexicon)
        if name != "tempo" or number is None or not _TEMPI[0] <= number[1] <= _TEMPI[1]:
            return None
        measured = words[number[0] : number[0] + 1] == ["%"] or unit_at(words, number[0], self._lexicon) is not None
        return None if measured else (at + number[0], number[1])


@once_for_same
def _beside_tempo(words: Vocabulary) -> frozenset[str]:
    """The words that may stand before a tempo in its clause."""
    paces = phrase_tokens(" ".join((*words.groups.get("slow", ()), *words.groups.get("fast", ()))))
    return frozenset((*paces, *words.grammar.light, *words.lengths.hedging))


def _names_kit(parts: tuple[object, ...], lexicon: Lexicon, *, whole: bool) -> bool:
    """With `whole`, whether all parts mean the song's drum kit as a whole; otherwise whether all are single drums of a
    kit."""
    wishes = [part for part in parts if isinstance(part, Wish)]
    if len(wishes) < len(parts):
        return False
    if whole:
        return all(wish.role == "drums" and not wish.pieces and lexicon.has(wish) for wish in wishes)
    return all(wish.pieces for wish in wishes)
