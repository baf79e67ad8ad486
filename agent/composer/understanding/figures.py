"""The figures of a request: tempo, bars, duration, meter and key, as people write them."""

from __future__ import annotations

import re

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.clocks import moment_at
from agent.composer.understanding.key_names import german_key_at, of_style, rests_on, sung_key_at
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.not_of_piece import recurs, tuned_to
from agent.composer.understanding.numbers import counted, is_figure, number_at, seconds_at, unit_at
from agent.composer.understanding.said_meters import is_meter
from agent.composer.understanding.tempo_figures import grouping_at, tempo_at
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.key import TONICS, Mode

_SHORT = 2
"""Most bars behind "for" that are no length of a piece."""
_SPAN = 12
_SHORTER = 0.95
"""How much of a length that may not be passed a piece lasts."""
"""Most tokens of one duration."""
_DECADE = re.compile("([3-9]0)s")
_SIGNS, _OF, _TOTAL = frozenset(",;.!?"), frozenset({"of", "long"}), frozenset({"so", "meaning"})
_CORRECTING = 4
"""Most words between a correction and what is said anew."""
_LISTED = frozenset("abcdefg")
_CHORD = 3
"""Most letters of a chord in a list: "Am7"."""
_NAMED_TEMPO = (30.0, 300.0)
_RANGING = ("to", "-", "\N{EN DASH}", "and", "through", "until", "till")
FIRST_TEMPO = 60
"""A number of at least this after a section's name is a tempo, not a length."""
_BARE_TEMPO = (60.0, 200.0)
_BEFORE_KEY = ("in", "of", "to", "key", "into", "from", "concert", "not", "than")
_ACCIDENTALS = {"sharp": "#", "flat": "b", "♯": "#", "♭": "b", "#": "#"}


class Figures:
    """Collects numbers and keys from the tokens; if two contradict each other, the last counts."""

    def __init__(self, spoken: list[str], tokens: list[str], lexicon: Lexicon) -> None:
        self._spoken = spoken
        self._tokens = tokens
        self._lexicon = lexicon
        places, grammar = lexicon.words.places, lexicon.words.grammar
        self._spots = frozenset((*places.after, *places.before, *lexicon.words.ordinals, *grammar.limiting, "from"))
        self.bpm: float | None = None
        self.tempo_token = -1
        """Index of the token that `bpm` was read from; -1 for none."""
        self.counts_tempo = False
        """Whether a unit, or the word for tempo, identifies it as a tempo."""
        self.bars: int | None = None
        self.seconds: float | None = None
        self.between: tuple[float, float] | None = None
        """The (lowest, highest) tempo asked for, in BPM; None for none."""
        self.meter: tuple[int, int] | None = None
        self.grouping: tuple[int, ...] = ()
        self.tonic: str | None = None
        self.mode: Mode | None = None
        self.behind_section = False
        """Whether the name of a section stands right before the tokens."""
        self.unsaid: set[int] = set()
        """Indices of tokens of figures that do not apply to the whole piece, such as a second key."""

    def take(self, at: int) -> int:
        """Read a figure that begins at token `at`, if any, and return the number of its tokens; 0 for none."""
        before = self.bpm
        taken = self._number(at) or self._key(at)
        if self.bpm != before:
            self.tempo_token = at
        return taken

    def take_mode(self, mode: Mode) -> None:
        """Set the mode without a tonic."""
        self.mode = mode

    def take_meter(self, text: str) -> None:
        """Set the meter from a text such as "3/4"; ignored if no piece can be written in it."""
        beats, _, unit = text.partition("/")
        if is_meter(int(beats), int(unit)):
            self.meter = (int(beats), int(unit))

    def _number(self, at: int) -> int:
        if self._lexicon.song.note_count == 0 and (taken := self._tempo_figure(at)):
            return taken
        if (clipped := self._clipped(at)) is not None:
            self.seconds = clipped
            return 1
        moment = moment_at(self._tokens, at, self._lexicon) if self._lexicon.song.note_count == 0 else None
        if moment is not None:
            return moment.end - at
        ranged = self._ranged(at)
        lasts = seconds_at(self._tokens[at + ranged : at + ranged + _SPAN], 0, self._lexicon)
        if lasts is not None and ranged:
            # "3-4 minutes" is between the two
            low = number_at(self._tokens, at, self._lexicon)
            share = lasts[1] * (1 + low[1] / self._high(at + ranged)) / 2 if low is not None else lasts[1]
            return self._lasting(at + ranged + lasts[0], share) - at
        if lasts is not None and self._lexicon.song.note_count == 0 and recurs(self._tokens, at, lasts[0]):
            self.unsaid.update(range(at, at + lasts[0]))
            return lasts[0]
        if lasts is not None and self._word(at + lasts[0]) != "/":
            return self._lasting(at + lasts[0], lasts[1]) - at
        number = self._value(at)
        if number is None:
            return self._tempo_word(at)
        if self._word(at + 1) == "/" and (unit := self._value(at + 2)) is not None:
            self.take_meter(f"{number:.0f}/{unit:.0f}")
            grouped, groups = grouping_at(self._tokens, at + 3, int(number), self._lexicon)
            self.grouping = groups or self.grouping
            return 3 + grouped
        spans = self._spans(at)
        words = self._lexicon.words.figures
        if words is not None and self._word(at + spans) in words.pages and number == int(number) and number >= 1:
            self.bars = int(number) * words.page_bars
            return spans + 1
        skip = 1 if self._word(at + spans) in ("-", "more") else 0
        unit_name = self._unit(at + spans + skip)
        if unit_name == "bars" and (self._word(at - 1) in self._spots or self._partial(at, spans + 1 + skip, number)):
            # "after 8 bars" is a place, "every 8 bars" says how often, and "8 bars apart" how far
            return spans + 1 + skip
        differs = words is not None and unit_name == "bpm" and self._word(at + spans + skip + 1) in words.relative
        if self._word(at + spans) == "%" or differs:
            return 0  # "20 bpm faster"
        if unit_name:
            often = self._rounds(at + spans + 1 + skip) if unit_name == "bars" else None
            if often is not None:
                self._measured(number * often[1], unit_name)
                return often[0] - at
            self._measured(number, unit_name)
            self.counts_tempo = self.counts_tempo or unit_name == "bpm"
            return spans + 1 + skip
        if self._numbers_bar(at):
            return 1
        named = self._word(at - 1) in ("at", "tempo", "to", "bpm") and _NAMED_TEMPO[0] <= number <= _NAMED_TEMPO[1]
        bare = self.bpm is None and _BARE_TEMPO[0] <= number <= _BARE_TEMPO[1] and not self._is_age(at)
        if named or (bare and (self._closes(at + 1) or self._goes_on(at) or self._behind_section(at, number))):
            # "trap, dark bells, 140": a number that stands alone is how musicians write a tempo
            self._measured(number, "bpm")
            return 1
        return 0

    def _clipped(self, at: int) -> float | None:
        """The seconds of "60s" beside the other figures of a piece, where no decade is meant: "60s of piano"."""
        figure = _DECADE.fullmatch(self._tokens[at])
        led = self._word(at - 1).isalpha() and self._word(at + 1) != ":"
        if figure is None or self._lexicon.song.note_count or led:
            return None
        behind, before = self._word(at + 2), next((one for one in self._tokens[:at] if one[:1].isdecimal()), "")
        figures = self._word(at + 1) in {*_SIGNS, ":"} and (behind[:1].isdecimal() or bool(before))
        return float(figure[1]) if figures or self._word(at + 1) in _OF else None

    def _rounds(self, at: int) -> tuple[int, float] | None:
        """Where "and this three times" ends behind a length, and how often; None where it does not follow."""
        words = self._lexicon.words.figures
        if words is None or self._lexicon.song.note_count or self._word(at) in _TOTAL:
            return None  # "24 bars so twice through" are 24 bars
        for first in range(at, min(at + _CORRECTING, len(self._tokens))):
            number = number_at(self._tokens, first, self._lexicon)
            again = self._lexicon.sense(self._tokens, first, "repeats")
            if number is None and again is not None and self._longest(words.rounds, first + again[0]):
                return first + again[0] + self._longest(words.rounds, first + again[0]), float(again[1])
            if number is not None:
                many = self._longest(words.rounds, first + number[0])
                whole = number[1] == int(number[1]) and 1 < number[1] <= _SPAN
                return (first + number[0] + many, number[1]) if many and whole else None
            if self._tokens[first] in (".", ";"):
                return None
        return None

    def _longest(self, phrases: tuple[str, ...], at: int) -> int:
        """Tokens of the longest of some phrases at a token."""
        return phrase_set(phrases).length(self._tokens, at)

    def _is_age(self, at: int) -> bool:
        """Whether a number alone says how old somebody is: "my mum is 61"."""
        words = self._lexicon.words.figures
        return words is not None and self._word(at - 1) in words.ages

    def _ranged(self, at: int) -> int:
        """Tokens of the lower number of a range, with what stands between: "3-4", "two or three"; 0 where none is."""
        low = number_at(self._tokens, at, self._lexicon)
        if low is None or self._lexicon.song.note_count or self._word(at + low[0]) not in (*_RANGING, "or"):
            return 0
        step = low[0] + 1
        return step if low[1] < self._high(at + step) else 0

    def _high(self, at: int) -> float:
        high = number_at(self._tokens, at, self._lexicon)
        return high[1] if high is not None else 0.0

    def _tempo_figure(self, at: int) -> int:
        """A tempo by its note value, nearly, or between two."""
        found = tempo_at(self._tokens, at, self._lexicon)
        if found is None:
            return 0
        if found.low == found.high:
            self._measured(found.low, "bpm")
        else:
            self.between = (found.low, found.high)
        return found.length

    def _lasting(self, end: int, seconds: float) -> int:
        """Take a duration; behind one that may not be passed the piece is a little shorter. Where it ends."""
        words = self._lexicon.words.figures
        behind = self._longest(words.at_most, end) if words is not None else 0
        self.seconds = seconds * (_SHORTER if behind else 1)
        return end + behind

    def _numbers_bar(self, at: int) -> bool:
        """Whether a number says which bar, alone or as the last of several: "after bar 64", "bars 33 to 64"."""
        ranged = self._word(at - 1) in _RANGING and self._value(at - 2) is not None
        unit = at - 3 if ranged else at - 1
        return unit >= 0 and self._unit(unit) == "bars" and (unit == 0 or self._value(unit - 1) is None)

    def _partial(self, at: int, length: int, number: float) -> bool:
        """Whether a number of bars is that of a part of the piece: "two bars apart", "stop for one bar"."""
        behind = self._word(at + length)
        short = number <= _SHORT and self._word(at - 1) in self._lexicon.words.scoring
        cell = behind in self._lexicon.words.lengths.cells and self._counts_more(at + length)
        return cell or behind in self._lexicon.words.lengths.partial or (short and self._lexicon.song.note_count == 0)

    def _counts_more(self, at: int) -> bool:
        """Whether bars are counted again behind a token, or a word says how often what ends there is played."""
        again = self._lexicon.sense(self._tokens, at + 1, "repeats") is not None or self._word(at + 1) == "x"
        further = (counted(self._tokens, k, self._lexicon, ("bars",)) for k in range(at + 1, len(self._tokens)))
        return self._lexicon.song.note_count == 0 and (again or any(one is not None for one in further))

    def _tempo_word(self, at: int) -> int:
        """`tempo 96`, `bpm: 96`, `tempo of 96`."""
        if self._word(at) not in ("tempo", "bpm"):
            return 0
        for ahead in (1, 2):
            number = self._value(at + ahead)
            if number is not None and not self._unit(at + ahead + 1):
                self._measured(number, "bpm")
                self.counts_tempo = True
                return ahead + 1
            if self._word(at + ahead) not in (":", "of", "to", "is", "at", "="):
                break
        return 0

    def _measured(self, number: float, unit: str) -> None:
        if unit == "bpm":
            if not 1 <= number <= 999:
                raise PlanError(msg("a tempo of {bpm:g} BPM", bpm=number), why=msg("tempos lie between 1 and 999 BPM"))
            self.bpm = number
        elif unit == "bars":
            if number != int(number) or number < 1:
                raise PlanError(msg("{number:g} bars", number=number), why=msg("a piece has whole bars, at least one"))
            self.bars = int(number)
        else:
            self.seconds = number * (60 if unit == "minutes" else 1)

    def key_at(self, at: int) -> tuple[int, tuple[str, Mode | None]] | None:
        """The number of tokens of a key at token `at`, and its tonic and mode; None for none."""
        words = self._lexicon.words.figures
        sung = sung_key_at(self._tokens, at, words, self._mode) if words is not None else None
        if sung is not None:
            return sung
        if (tuned := tuned_to(self._spoken, at)) in TONICS and tuned is not None:
            return 1, (tuned, self.mode)
        german = german_key_at(self._spoken, at, self._mode, announced=self._word(at - 1) in (*_BEFORE_KEY, ",", ""))
        if german is not None:
            return german
        letter = "B" if self._spoken[at] == "H" and self._mode(at + 1) else self._spoken[at]
        head, mark = letter[:1], letter[1:]
        if head.upper() not in "ABCDEFG" or head == "" or len(letter) > 2:
            return self._short_key(at)
        accidental, used = _ACCIDENTALS.get(mark, "b" if mark == "b" and head.isupper() else ""), 1
        if mark and not accidental:
            return self._short_key(at)
        if not mark and self._word(at + 1) in _ACCIDENTALS:
            accidental, used = _ACCIDENTALS[self._word(at + 1)], 2
        tonic = head.upper() + accidental
        mode = self._mode(at + used)
        if tonic not in TONICS or (mode is None and not self._stands_alone(at, letter, accidental, used)):
            return None
        if letter == "a" and mode and self._vague(at, used):
            return None
        return (used + mode[1], (tonic, mode[0])) if mode else (used, (tonic, None))

    def _key(self, at: int) -> int:
        found = self.key_at(at)
        if found is None:
            return 0
        if self._lexicon.song.note_count == 0 and self.tonic is not None and not self._corrects(at):
            # a piece is in the key that is said first; what comes later are its chords, or where it goes
            self.unsaid.update(range(at, at + found[0]))
            return found[0]
        self.tonic, self.mode = found[1][0], found[1][1] or self.mode
        return found[0]

    def _corrects(self, at: int) -> bool:
        """Whether a word of correcting leads to what is said a second time: "in C, no, in D"."""
        words = self._lexicon.words.figures
        before = self._tokens[max(0, at - _CORRECTING) : at]
        return words is not None and any(word in words.corrects for word in before)

    def _short_key(self, at: int) -> tuple[int, tuple[str, Mode | None]] | None:
        """`Am`, `F#m`, `Bbmin` after a word that announces a key."""
        found = re.fullmatch(r"([A-G][#b]?)(m|min|maj)", self._spoken[at])
        if found is None or self._word(at - 1) not in (*_BEFORE_KEY, ",") or found[1] not in TONICS:
            return None
        return 1, (found[1], "major" if found[2] == "maj" else "minor")

    def _stands_alone(self, at: int, letter: str, accidental: str, used: int) -> bool:
        """A bare letter is a key only as `key of F` or `in F` or with an accidental after such a word."""
        announced = self._word(at - 1) in _BEFORE_KEY
        words = self._lexicon.words.figures
        if words is not None and rests_on(self._tokens, at, words):
            return letter[0].isupper() or self._closes(at + 1)
        if letter[0].islower():
            # "drone in e, evolving"
            typed = self._word(at - 1) == "in" and self._lexicon.song.note_count == 0
            return typed and len(letter) == 1 and letter != "a" and self._closes(at + 1)
        parts = self._word(at - 1) in (",", ";") or (bool(accidental) and self._word(at - 1) in ("!", ".", ":"))
        if parts and self._closes(at + used):
            # between two signs, where no other letters are listed
            listed = {self._word(at - 2)[:1], self._word(at + 2)[:1]} & _LISTED
            alone = bool(accidental) or (letter[0] not in "AB" and not (listed and self._lists(at)))
            return alone and self._lexicon.song.note_count == 0
        if (letter != "A" or accidental) and of_style(self._tokens, at, used, self._lexicon):
            return self._lexicon.song.note_count == 0
        leads = (*self._lexicon.words.scoring, *self._lexicon.words.bindings.add, *self._lexicon.words.grammar.joins)
        closes = self._closes(at + 1) or (self._lexicon.song.note_count == 0 and self._word(at + 1) in leads)
        return announced and (letter != "A" or bool(accidental) or closes)

    def _lists(self, at: int) -> bool:
        """Whether another single letter or chord stands beside the sign before or behind."""
        return any(len(self._word(beside)) <= _CHORD for beside in (at - 2, at + 2) if self._word(beside))

    def _closes(self, at: int) -> bool:
        return at >= len(self._tokens) or not self._tokens[at].isalnum()

    def _goes_on(self, at: int) -> bool:
        """Whether a number between a style and a key or a player is a tempo: "drill 140 g minor", "dnb 174 reese"."""
        if self._lexicon.song.note_count or at == 0 or self._word(at - 1) == "/":
            return False
        starts = (self._lexicon.find(self._tokens, at - back) for back in (1, 2) if at >= back)
        styled = any(match is not None and bool({"style", "genre"} & match.senses.keys()) for match in starts)
        ahead = at + 2 if self._word(at + 1) == "in" else at + 1
        if not styled or ahead >= len(self._tokens):
            return False
        return self.key_at(ahead) is not None or self._lexicon.wish_at(self._tokens, ahead) is not None

    def _behind_section(self, at: int, number: float) -> bool:
        """Whether a number right behind a section is no length of it: "verse 180 with blast beats"."""
        if at == 0 and self.behind_section:
            return number >= FIRST_TEMPO
        back = next((n for n in (1, 2) if at >= n and self._lexicon.sense(self._tokens, at - n, "section")), 0)
        named = self._lexicon.sense(self._tokens, at - back, "section") if back else None
        return named is not None and named[0] == back and number >= FIRST_TEMPO

    def _vague(self, at: int, used: int) -> bool:
        """Whether `a minor` is an article: `in a minor key`, `a major work`."""
        after = self._word(at + used + 1)
        named = ("key", "mode", "scale", "mood", "chord", "way", "feel", "manner")
        return after in named or self._word(at - 1) not in _BEFORE_KEY

    def _mode(self, at: int) -> tuple[Mode, int] | None:
        match = self._lexicon.find(self._tokens, at) if at < len(self._tokens) else None
        for mode in self._lexicon.words.modes:
            if match is not None and match.senses.get("mode") == mode:
                return mode, match.length
        return None

    def _value(self, at: int) -> float | None:
        if not 0 <= at < len(self._tokens):
            return None
        number = number_at(self._tokens, at, self._lexicon)
        if number is None or (number[0] > 1 and not self._unit(at + number[0])):
            return None
        words = self._lexicon.words.figures
        if words is not None and self._word(at + number[0]) in words.pages:
            return number[1]
        # a word is a number only before a unit: "one" is often somebody
        return number[1] if is_figure(self._tokens[at]) or self._unit(at + number[0]) else None

    def _spans(self, at: int) -> int:
        number = number_at(self._tokens, at, self._lexicon)
        return number[0] if number is not None else 1

    def _unit(self, at: int) -> str:
        unit = unit_at(self._tokens, at, self._lexicon)
        return unit[1] if unit is not None and unit[1] != "decibels" else ""

    def _word(self, at: int) -> str:
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""
