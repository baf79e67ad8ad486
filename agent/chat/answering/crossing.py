"""Whether two parts cross."""

from __future__ import annotations

from itertools import combinations, pairwise

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import NotesAsked, asked_notes, at_said, nothing_asked
from agent.chat.answering.note_values import an_interval
from agent.chat.answering.supposing import supposed_move
from agent.chat.answering.top_lines import HighestNote, VoiceCrossing, both, crossings, top_line
from agent.chat.answering.wording import listed, spelled
from agent.chat.context import Context
from agent.chat.messages import About, Question
from agent.chat.reading.language import Language
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.measures import mean_pitch
from agent.theory.pitch import pitch_name
from agent.theory.sounding import strokes

_SHOWN, _SHOWN_OF_MANY = 6, 2


def crossing(context: Context, question: Question, language: Language) -> Answer:
    """An answer that says whether a part lies above the next higher one at the same moment, and where: of the named
    parts, of a single named one with its neighbours, or of all; parts are ordered by their mean pitch. A part that
    the words suppose to be moved by octaves is compared so, in the order of the parts as they are."""
    song, about = context.song, question.about
    few = len(about.tracks) == 1
    whole = About(bars=about.bars, sections=about.sections) if few else about
    asked = asked_notes(context, whole, "pitched")
    if not asked.notes or (few and about.tracks[0] not in asked.notes):
        return nothing_asked(context, about, "pitched")
    order = sorted(asked.notes, key=lambda track: mean_pitch(asked.notes[track]))
    move = supposed_move(question, context, language)
    moved = None if move is None else move.track
    every = pairwise(order) if moved is None else combinations(order, 2)
    pairs = [pair for pair in every if not few or about.tracks[0] in pair]
    if not pairs:
        name = asked.names[order[0]]
        return Answer(f"It takes two parts to cross, and only {name} plays{asked.where}.", (Fact("parts", 1),))
    by = {moved: move.semitones} if move is not None and moved is not None else {}
    lines = {track: _moved(top_line(notes), by.get(track, 0)) for track, notes in asked.notes.items()}
    found = {pair: crossings(lines[pair[0]], lines[pair[1]]) for pair in pairs}
    texts: list[str] = []
    bars: list[int] = []
    for (lower, upper), places in found.items():
        if places:
            most = _SHOWN if len(pairs) == 1 else _SHOWN_OF_MANY
            told = _crossed(song, asked.names[lower], asked.names[upper], places, most)
            texts.append(told if texts else f"Yes{asked.where}: {told}")
            bars += [song.bar_map.bar_at(one.at) for one in places]
    shared = [pair for pair in pairs if any(True for _ in both(lines[pair[0]], lines[pair[1]]))]
    never = [pair for pair in shared if not found[pair]]
    if never:
        texts.append(_uncrossed(asked, never, any_crossed=bool(texts)))
    if not texts:
        texts.append(f"No: {' and '.join(asked.names[one] for one in pairs[0])} never sound at the same time")
    chords = any(len(group) > 1 for track in order for group in strokes(asked.notes[track]))
    top = " I took the top note of each part." if chords else ""
    facts = (Fact("crossings", sum(map(len, found.values()))),)
    head = f"With {asked.names[moved]} {_interval(by[moved])}: " if moved is not None else ""
    return Answer(f"{head}{'. '.join(texts)}. Counted from the notes.{top}", facts, asked.links(bars))


def _moved(line: list[HighestNote], semitones: int) -> list[HighestNote]:
    return [HighestNote(one.start, one.end, one.pitch + semitones) for one in line]


def _interval(semitones: int) -> str:
    """How far a part is moved: "an octave lower"."""
    return f"{an_interval(abs(semitones))} {'lower' if semitones < 0 else 'higher'}"


def _crossed(song: Song, lower: str, upper: str, places: list[VoiceCrossing], most: int) -> str:
    said = [
        f"{at_said(song, one.at)} ({_name(song, one.lower)} over {_name(song, one.upper)})" for one in places[:most]
    ]
    more = [f"{len(places) - most} more"] if len(places) > most else []
    often = "once" if len(places) == 1 else f"{len(places):,} times"
    return f"{lower} goes above {upper} {often}, in {listed([*said, *more])}"


def _uncrossed(asked: NotesAsked, pairs: list[tuple[TrackId, TrackId]], *, any_crossed: bool) -> str:
    said = listed((f"{asked.names[lower]} above {asked.names[upper]}" for lower, upper in pairs), "or")
    return f"{'Never' if any_crossed else f'No, they do not cross{asked.where}: never'} {said}"


def _name(song: Song, pitch: int) -> str:
    return spelled(pitch_name(pitch, song.key))
