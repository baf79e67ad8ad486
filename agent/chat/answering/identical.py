"""Whether two places are the same note for note, and which parts differ."""

from __future__ import annotations

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.form import repeats as repeats_of_sections
from agent.chat.answering.places_compared import Place, bars_in_words, compared_places
from agent.chat.answering.wording import called, counted, links_to, listed
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.excerpts import only
from agent.theory.stretches import MeasuredBars, equal_share, stretches

_IDENTICAL = frozenset({
    "same", "identical", "equal", "exact", "exactly", "copy", "copied", "repeat", "repeats", "repeated", "match",
    "matches", "duplicate", "verbatim",
})
_TWO = 2


def asks_whether_identical(words: str) -> bool:
    """Whether words ask if places are the same, not in what they differ."""
    return bool(_IDENTICAL & words_of(words))


def repeats(context: Context, question: Question) -> Answer:
    """An answer that says whether the two places that the words name are the same note for note, in the named parts
    (none: in all); where they name no two, which sections repeat."""
    beyond = [first for first, _ in bars_in_words(question.words) if first > context.song.bars]
    if beyond and context.song.note_count:
        bars = context.song.bars
        return Answer(f"The song has no bar {beyond[0]}: it ends after bar {bars}.", (Fact("bars", bars),))
    where = _two(question, context.song)
    if where is None:
        return repeats_of_sections(context, question.about)
    tracks = frozenset(question.about.tracks)
    song = only(context.song, tracks) if tracks else context.song
    one, other = stretches(song, context.palette, [(first, last) for _, first, last in where])
    if not one.notes and not other.notes:
        return Answer(f"Nothing is played in {where[0][0]} and {where[1][0]}.", (Fact("notes", 0),))
    parts = listed(track.name for track in song.tracks if track.id in tracks)
    head = f"Of {parts}: " if parts else ""
    facts = (Fact("equal notes", f"{_percent(song, one, other)}%"),)
    links = links_to((first, last) for _, first, last in where)
    text = same_note_for_note(song, [name for name, _, _ in where], one, other)
    return Answer(f"{head}{text} Counted from the notes.", facts, links)


def same_note_for_note(song: Song, names: list[str], one: MeasuredBars, other: MeasuredBars) -> str:
    """Yes only where every note of two stretches is equal; else the share that is, and the parts that differ."""
    if one.bars == other.bars and equal_share(song, one, other) == 1:
        return f"Yes: {listed(names)} are the same note for note."
    a, b = _placed(song, one), _placed(song, other)
    differ = [called(song, track) for track in song.tracks if a.get(track.id) != b.get(track.id)]
    alike = [called(song, track) for track in song.tracks if track.id in a and a[track.id] == b.get(track.id)]
    said = f"; {listed(differ)} {'differs' if len(differ) == 1 else 'differ'}" if differ else ""
    said += f", {listed(alike)} {'is' if len(alike) == 1 else 'are'} the same" if alike and differ else ""
    size = "" if one.bars == other.bars else (
        f"; the first is {counted(one.bars, 'bar')} long, the second {counted(other.bars, 'bar')}")
    return f"No: {_percent(song, one, other)} % of the notes are equal{said}{size}."


def _percent(song: Song, one: MeasuredBars, other: MeasuredBars) -> int:
    """Rounded down, so that 100 means all."""
    return int(equal_share(song, one, other) * 100 + 1e-9)


def _two(question: Question, song: Song) -> tuple[Place, Place] | None:
    """The two places that a question names; None for sections of one name, or more or fewer than two."""
    about = question.about
    ranges = bars_in_words(question.words)
    sections = {song.section(one).name.casefold() for one in about.sections}
    if len(ranges) != _TWO and not (len(about.sections) == len(sections) == _TWO):
        return None
    if len(ranges) == _TWO:
        question = replace(question, about=replace(about, sections=()))
    found = compared_places(question, song)
    return (found[0], found[1]) if len(found) == _TWO else None


def _placed(song: Song, one: MeasuredBars) -> dict[TrackId, set[tuple[int, int, int]]]:
    """The notes of each part, counted from the first bar."""
    begin = song.bar_map.start_of(one.first)
    found: dict[TrackId, set[tuple[int, int, int]]] = {}
    for note in one.notes:
        found.setdefault(note.track, set()).add((note.pitch, note.start - begin, note.end - note.start))
    return found
