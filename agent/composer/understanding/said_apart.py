"""Said apart: what the words of a new piece say beside its style, band and form, each in a way of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field, structs

from agent.composer.phrase_sets import phrase_set
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.note_reading import note_rules_of
from agent.composer.understanding.note_rules import NoteRules
from agent.composer.understanding.numbers import is_figure, number_at, unit_at
from agent.composer.understanding.presence import Presence, in_letters, presence_in
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.tasks import Named
from agent.composer.understanding.wishes import Wish
from agent.theory.pitch import pitch_class

_LEAST, _MOST_BPM = 30.0, 300.0
_BETWEEN = 10
"""Most words between the two tempi."""


class Ramp(Struct, frozen=True):
    """The tempi in BPM at the beginning (`low`) and the end (`high`) of the piece, and the tokens that say so."""

    low: float
    high: float
    tokens: frozenset[int]


def _ramp_in(tokens: Sequence[str], lexicon: Lexicon) -> Ramp | None:
    """The tempo change that casefolded tokens describe ("starts at 60 and accelerates steadily to 140"); None for
    none."""
    words = lexicon.words.ramps
    if words is None:
        return None
    starts, moves, reaches = (phrase_set(one) for one in (words.starts, words.moves, words.reaches))
    for at in range(len(tokens)):
        led = starts.length(tokens, at)
        first = _tempo(tokens, at + led, lexicon) if led else None
        if first is None:
            continue
        last = min(first[0] + _BETWEEN, len(tokens))
        moved = next((k for k in range(first[0], last) if moves.length(tokens, k)), None)
        if moved is None:
            continue
        for to in range(moved, last):
            length = reaches.length(tokens, to)
            second = _tempo(tokens, to + length, lexicon) if length else None
            if second is not None and second[1] != first[1]:
                return Ramp(first[1], second[1], frozenset(range(at, second[0])))
    return None


def _tempo(tokens: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """Where a tempo ends, and its beats in a minute."""
    if at >= len(tokens) or not is_figure(tokens[at]):
        return None
    bpm = float(tokens[at].replace(",", ".")[:8])
    unit = unit_at(tokens, at + 1, lexicon)
    if not _LEAST <= bpm <= _MOST_BPM or (unit is not None and unit[1] != "bpm"):
        return None
    return at + 1 + (unit[0] if unit is not None else 0), bpm


class SaidApart(Struct, frozen=True):
    """What a request says of a new piece besides style, band and form: limits on notes (`rules`), where parts play
    (`presence`), a tempo change (`ramp`), who plays the melody (`carriers`), existing melodies (`tunes`, token ranges),
    and the most tracks (`tracks`, 0: not said).

    `said` are the indices of the tokens that say so, `passed` those of them that say nothing else.
    """

    rules: NoteRules = field(default_factory=NoteRules)
    presence: Presence = field(default_factory=Presence)
    ramp: Ramp | None = None
    carriers: tuple[Wish, ...] = ()
    tunes: tuple[range, ...] = ()
    tracks: int = 0
    said: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()

    def added_to(self, intent: Intent) -> Intent:
        """The intent with these findings added."""
        names = [section.name for section in intent.sections]
        tasks = [in_letters(task, names) for task in self.presence.tasks if task not in intent.tasks]
        ramp = (self.ramp.low, self.ramp.high) if self.ramp is not None else None
        # of "horn stabs in the chorus" there is a chorus
        places = [place for task in self.presence.tasks for place in task.scope.excluded]
        within = [place.name for place in places if isinstance(place, Named)]
        sections = intent.sections
        if not sections and not intent.course and len(set(within)) == 1:
            sections = (AskedSection(within[0]),)
        rules = structs.replace(self.rules, position=pitch_class(intent.tonic)) if intent.tonic else self.rules
        return structs.replace(
            intent, sections=sections, rules=rules,
            tasks=(*intent.tasks, *tasks), ramp=ramp, bpm=ramp[0] if ramp else intent.bpm,
            everywhere=tuple(dict.fromkeys(self.presence.playing)), carriers=self.carriers, most_tracks=self.tracks,
        )


def said_apart(
    tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, readings: Mapping[str, SlotReading], *,
    staged: Callable[[], bool],
) -> SaidApart:
    """What casefolded tokens say of a new piece besides style, band and form; `spoken` are the same tokens as written.
    If the piece is described in stages (`staged()`), the stages say who plays the melody."""
    rules, ruling = note_rules_of(tokens, spoken, lexicon)
    presence = presence_in(tokens, lexicon, readings)
    ramp = _ramp_in(tokens, lexicon)
    carriers, carrying = _carriers_in(tokens, lexicon)
    if carriers and staged():
        carriers, carrying = (), frozenset()
    tunes = _known_tunes_in(tokens, lexicon)
    tracks, counting = most_tracks(tokens, lexicon)
    ramped = ramp.tokens if ramp is not None else frozenset[int]()
    named = frozenset(at for tune in tunes for at in tune)
    said = ruling | presence.tokens | ramped | carrying | counting
    passed = ruling | presence.passed | ramped | carrying | counting | named
    return SaidApart(rules, presence, ramp, carriers, tuple(tunes), tracks, said - named, passed)


def _carriers_in(tokens: Sequence[str], lexicon: Lexicon) -> tuple[tuple[Wish, ...], frozenset[int]]:
    """Who plays the melody according to casefolded tokens, and the indices of the tokens that say so, without the
    names: "the viola carries the tune", "melody in the oboe", "clarinet lead"."""
    words = lexicon.words.carriers
    if words is None:
        return (), frozenset()
    tunes, carries, held = (phrase_set(one) for one in (words.tunes, words.carries, words.held))
    found: list[Wish] = []
    used: set[int] = set()
    for at in range(len(tokens)):
        player = _player(tokens, at, lexicon)
        if player is not None:
            end = at + player[0]
            verb = carries.length(tokens, end)
            tune = tunes.length(tokens, end + verb)
            if tune and (verb or tokens[end] not in lexicon.words.places.articles):
                found.append(player[1])
                used |= set(range(end, end + verb + tune))
            continue
        tune = tunes.length(tokens, at)
        link = held.length(tokens, at + tune) if tune else 0
        first = at + tune + link
        while link and first < len(tokens) and tokens[first] in lexicon.words.places.articles:
            first += 1
        player = _player(tokens, first, lexicon) if link else None
        if player is not None and at not in used:
            found.append(player[1])
            used |= set(range(at, first))
    return tuple(dict.fromkeys(found)), frozenset(used)


def _player(tokens: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, Wish] | None:
    """An instrument that can have a tune."""
    wish = lexicon.wish_at(tokens, at) if at < len(tokens) else None
    if wish is None or wish[1].whole_role or wish[1].pieces or not wish[1].families:
        return None
    return None if {"drums", "percussion", "fx"} & set(wish[1].families) else wish


_MOST = 32
_LONGEST = 4


def most_tracks(tokens: Sequence[str], lexicon: Lexicon) -> tuple[int, frozenset[int]]:
    """The maximum number of tracks that casefolded tokens allow (0: not said), and the indices of the tokens that say
    so."""
    words = lexicon.words.figures
    if words is None or lexicon.song.note_count:
        return 0, frozenset()
    for at in range(len(tokens)):
        number = number_at(tokens, at, lexicon)
        end = at + number[0] if number is not None else at
        if number is None or end >= len(tokens) or tokens[end] not in words.tracks or number[1] != int(number[1]):
            continue
        limits = frozenset(phrase_tokens(phrase) for phrase in (*words.at_most, *words.no_more))
        lengths = range(_LONGEST, 0, -1)
        before = next((n for n in lengths if at >= n and tuple(tokens[at - n : at]) in limits), 0)
        behind = next((n for n in lengths if tuple(tokens[end + 1 : end + 1 + n]) in limits), 0)
        if (before or behind) and 1 <= number[1] <= _MOST:
            return int(number[1]), frozenset(range(at - before, end + 1 + behind))
    return 0, frozenset()


_NEAR = 4


def _known_tunes_in(tokens: Sequence[str], lexicon: Lexicon) -> list[range]:
    """Ranges of tokens that name existing melodies, articles included; titles that the piece should only resemble do
    not count."""
    words = lexicon.words.tunes
    if words is None:
        return []
    names = phrase_set(words.names)
    found: list[range] = []
    at = 0
    while at < len(tokens):
        length = names.length(tokens, at)
        if length and not any(word in words.likened for word in tokens[max(0, at - _NEAR) : at]):
            found.append(range(at, at + length))
        at += max(1, length)
    return found
