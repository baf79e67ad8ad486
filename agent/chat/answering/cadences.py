"""Where phrases end and how: the cadences, whether the song sounds finished, where there is time to breathe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.numerals import numeral
from agent.chat.answering.wording import counted, links_to, listed, places, spelled
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.key import Key
from agent.theory.cadences import CLOSED, Cadence, Kind, cadences
from agent.theory.chords import chord_symbol
from agent.theory.harmony import chords_known
from agent.theory.pitch import class_name
from agent.theory.sounding import percussive_tracks

_NAMES: dict[Kind, str] = {
    "perfect": "perfect (authentic)", "authentic": "authentic", "plagal": "plagal", "half": "half (imperfect)",
    "deceptive": "deceptive (interrupted)", "home": "a return to the tonic", "open": "open",
}
_MOST = 12
"""Phrase ends that are named one by one."""
_END = frozenset({
    "final", "finished", "finish", "finishes", "hanging", "hangs", "unfinished", "complete", "resolve", "resolved",
    "resolves", "amen", "conclude", "conclusive",
})
"""Words with which only the end of the song is asked about."""
_LEADING = 3
"""Chords that are told of those that lead into a place."""
_INTO = frozenset({"into", "before"})
"""Words with which the end of what comes before a place is asked about."""
_LONG = 1.3
"""By how much the longest holds must exceed the shortest for them to be told apart."""


def cadences_of(context: Context, question: Question) -> Answer:
    """An answer with the phrase ends of the named place (none: of the song), the two chords of each and their kind, and
    whether the song ends at rest; a question about the end is answered about that alone."""
    song = context.song
    found = cadences(song, percussive_tracks(song, context.palette))
    if not found:
        return Answer("There is no cadence: no chord is heard in the song yet.", (Fact("cadences", 0),))
    where = places(question.about, song)
    if len(where) == 1 and _INTO & words_of(question.words):
        return _into(context, where[0])
    inside = [one for one in found if not where or any(first <= one.bar <= last for _, first, last in where)]
    if not where and _END & words_of(question.words):
        return _end(found[-1], song.key)
    source = "Phrases are taken to end where the sections do" if song.sections else (
        "Phrase ends are not marked: I take them where the top line is held or rests")
    if not inside:
        place = listed(name for name, _, _ in where)
        return Answer(f"No phrase ends in {place}. {source}.", (Fact("cadences", 0),))
    shown = inside[:_MOST]
    more = f"; and {len(inside) - _MOST} more" if len(inside) > _MOST else ""
    kinds = Counter(_NAMES[one.kind] for one in inside)
    tally = f" In all {listed(f'{count} {name}' for name, count in kinds.most_common())}." if more else ""
    perfect = next((one for one in inside if one.kind == "perfect"), None)
    first = f" The first perfect one is in bar {perfect.bar}." if perfect is not None and len(inside) > 1 else ""
    end = f" {_finish(found[-1])}" if found[-1] in inside else ""
    facts = (Fact("cadences", len(inside)), *(Fact(f"bar {one.bar}", _NAMES[one.kind]) for one in shown))
    said = "; ".join(_line(one, song.key) for one in shown)
    text = f"{counted(len(inside), 'phrase end')}: {said}{more}.{tally}{first}{_longest(inside)}{end} {source}."
    return Answer(text, facts, links_to((one.bar, one.bar) for one in shown))


def _into(context: Context, place: tuple[str, int, int]) -> Answer:
    """The chords that lead into a place, and whether they are a ii–V."""
    song = context.song
    name, first, last = place
    start = song.bar_map.start_of(first)
    known = chords_known(song, percussive_tracks(song, context.palette))
    before = [one for one in known if one.end <= start][-_LEADING:]
    after = next((one for one in known if one.start >= start), None)
    if not before or after is None:
        return Answer(f"No chord leads into {name}.", (Fact("cadences", 0),), links_to([(first, last)]))
    said = " – ".join(spelled(chord_symbol(one.chord, song.key)) for one in before)
    goes = spelled(chord_symbol(after.chord, song.key))
    dominant = before[-1].chord
    two = before[-2].chord if len(before) > 1 else None
    strong = 4 in dominant.intervals
    five = strong and (dominant.root - after.chord.root) % 12 == 7
    prepared = strong and two is not None and 3 in two.intervals and (two.root - dominant.root) % 12 == 7
    if prepared:
        verdict = f"Yes, a ii–V{', which resolves to' if five else ', which does not resolve but goes on to'} {goes}"
    elif five:
        verdict = f"No ii–V, but a V that resolves to {goes}"
    else:
        verdict = f"No ii–V: it goes on to {goes} without a dominant of it"
    bars = f"bar {song.bar_map.bar_at(before[0].start)} to bar {first - 1}"
    source = "So the song states them" if song.chords else "Heard from the notes"
    return Answer(
        f"{verdict}. Into {name} lead {said} ({bars}). {source}.",
        (Fact("ii-V", prepared), Fact("resolves", five)), links_to([(max(1, first - 1), first)]),
    )


def _line(one: Cadence, home: Key) -> str:
    """Bar 5, G7 – Cm (V7–i in C minor): perfect."""
    last = spelled(chord_symbol(one.last, one.key))
    key = f" in {spelled(str(one.key))}" if one.key != home else ""
    if one.before is None:
        return f"bar {one.bar}, on {last} ({numeral(one.last, one.key)}){key}: {_NAMES[one.kind]}"
    before = spelled(chord_symbol(one.before, one.key))
    degrees = f"{numeral(one.before, one.key)}–{numeral(one.last, one.key)}{key}"
    return f"bar {one.bar}, {before}–{last} ({degrees}): {_NAMES[one.kind]}"


def _end(last: Cadence, home: Key) -> Answer:
    return Answer(
        f"{_finish(last)} Its last two chords: {_line(last, home)}. Heard from the chords and the notes there.",
        (Fact("final cadence", _NAMES[last.kind]), Fact("closed", last.kind in CLOSED and last.key == home)),
        links_to([(last.bar, last.bar)]),
    )


def _finish(last: Cadence) -> str:
    """Whether the song ends at rest, in plain words."""
    chord = spelled(chord_symbol(last.last, last.key))
    if last.kind == "perfect":
        return f"At the end it sounds finished: it comes home to {chord}, with the keynote at the top and the bottom."
    if last.kind in CLOSED:
        weaker = [f"{spelled(class_name(last.top, last.key))} on top"] if last.top != last.last.root else []
        if last.bass != last.last.root:
            weaker.append(f"{spelled(class_name(last.bass, last.key))} in the bass")
        but = f", a little less firmly with {listed(weaker)}" if weaker else ""
        return f"At the end it sounds finished: it comes home to {chord}{but}."
    return f"At the end it is left hanging: its last chord, {chord}, is not the tonic of the song."


def _longest(found: Sequence[Cadence]) -> str:
    """The phrase ends that are held longest, where some are clearly longer than others."""
    lengths = [one.held for one in found]
    most = max(lengths)
    longest = [one for one in found if one.held == most]
    if not most or most < _LONG * min(lengths) or len(longest) < 2:
        return ""
    return f" Held longest, with the most time to breathe: bars {listed(str(one.bar) for one in longest)}."
