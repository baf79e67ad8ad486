"""What can be measured where a judgement is asked: mood, speed, sameness. The judgement itself is left to ears."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.parts import links_of
from agent.chat.answering.wording import counted, links_to, listed, number, places_heard, spelled
from agent.chat.context import Context, StyleInfo
from agent.chat.messages import Question
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.key_finding import find_key
from agent.theory.measures import histogram
from agent.theory.pitch import scale
from agent.theory.sounding import Sounding, percussive_tracks, sounding
from agent.theory.stretches import bars_again

_OF_MOOD = frozenset({
    "sad", "happy", "hopeful", "dark", "bright", "gloomy", "cheerful", "melancholy", "angry", "moody", "uplifting",
    "depressing", "scary", "tense", "warm", "mood", "feel", "emotional",
})
_OF_SPEED = frozenset({
    "fast", "slow", "quick", "brisk", "rushed", "speed", "tempo", "caffeinated", "bpm", "pace", "dance", "lively",
    "sluggish", "dragging",
})
_OF_SAMENESS = frozenset({
    "boring", "repetitive", "cheesy", "same", "wallpaper", "samey", "monotonous", "generic", "dull", "predictable",
    "interesting", "good", "bad", "decent", "cliche", "clichéd",
})
_OFTEN = frozenset({"times", "often", "hundred", "thousand", "unhear"})
_OPEN = 0.4
_HALVED = 112
"""Tempo from which on many people feel a song at half of it."""
_EARS = "Whether it is so to you is for ears to decide: I read the notes and hear nothing."


def character(context: Context, question: Question) -> Answer:
    """An answer to a question for a judgement with what is measured in the named parts and places: mode and tempo
    against what is usual, density, and how much repeats; the judgement is left to the person."""
    song, about = context.song, question.about
    words = words_of(question.words)
    where = places_heard(about, song)
    notes = _heard(song, frozenset(about.tracks), [(first, last) for _, first, last in where])
    if not notes:
        return Answer("There is nothing to judge: no note sounds there.", (Fact("notes", 0),))
    facts: list[Fact] = []
    number_of = words & {number(song.bpm)}
    wanted = (_OF_MOOD & words, _OF_SPEED & words or number_of, _OF_SAMENESS & words)
    every = not any(wanted)
    texts = []
    if every or wanted[0]:
        texts.append(_mood(context, notes, facts))
    if every or wanted[1] or wanted[0]:
        texts.append(_speed(context, question, facts))
    if every or wanted[2]:
        texts.append(_sameness(song, notes, facts))
    names = listed(track.name for track in song.tracks if track.id in about.tracks)
    place = listed(name for name, _, _ in where)
    head = f"Of {' in '.join(one for one in (names, place) if one)}: " if names or place else ""
    tracks = [track for track in song.tracks if track.id in about.tracks]
    if len(tracks) > 1:
        texts.append(_side_by_side(song, tracks, notes, facts))
    if _OFTEN & words:
        texts.append("What is heard very often sounds worn, whatever its notes are.")
    text = " ".join(texts)
    return Answer(f"{head}{text} {_EARS}", tuple(facts),
                  (*links_of(tracks), *links_to((first, last) for _, first, last in where)))


def _side_by_side(song: Song, tracks: list[Track], notes: list[Sounding], facts: list[Fact]) -> str:
    """How much each of several parts plays, and how much of it repeats: what comes back is what is remembered."""
    said = []
    for track in tracks:
        own = [note for note in notes if note.track == track.id]
        repeated, bars = bars_again(song, own)
        share = len(repeated) / bars if bars else 0.0
        facts += [Fact(f"{track.name} notes", len(own)), Fact(f"{track.name} repeats", f"{share:.0%}")]
        size = f"{counted(len(own), 'note')} in {counted(bars, 'bar')}"
        said.append(f"{track.name} plays {size}, of which {share:.0%} repeat")
    return f"{'; '.join(said)}."


def _heard(song: Song, tracks: frozenset[TrackId], spans: list[tuple[int, int]]) -> list[Sounding]:
    heard = sounding(song, tracks or None)
    if not spans:
        return list(heard)
    ticks = [song.bar_map.span(first, last) for first, last in spans]
    return [note for note in heard if any(start <= note.start < end for start, end in ticks)]


def _mood(context: Context, notes: list[Sounding], facts: list[Fact]) -> str:
    """Minor or major, which most people hear as darker or brighter, and how hard it is played."""
    song = context.song
    kits = percussive_tracks(song, context.palette)
    found = find_key(histogram(note for note in notes if note.track not in kits))
    key = found.key if found.confidence >= _OPEN else song.key
    minor = 3 in {(pc - key.pitch_class) % 12 for pc in scale(key)}
    velocity = sum(note.velocity for note in notes) / len(notes)
    facts += [Fact("key", str(key)), Fact("minor", minor), Fact("mean velocity", round(velocity))]
    leans = "serious or dark" if minor else "bright or hopeful"
    touch = "softly" if velocity < 60 else "hard" if velocity > 95 else "at a middle strength"
    return (
        f"It leans to the {leans} side: {spelled(str(key))}, a {'minor' if minor else 'major'} key, struck {touch} "
        f"(mean velocity {velocity:.0f})."
    )


def _speed(context: Context, question: Question, facts: list[Fact]) -> str:
    """The tempo, against the range of the style that is named or was asked for."""
    bpm = context.song.bpm
    facts.append(Fact("tempo", bpm, "BPM"))
    style = _style(context, question)
    if style is None or style.tempo is None:
        plain = "slow" if bpm < 76 else "moderate" if bpm < 112 else "lively" if bpm < 150 else "fast"
        return f"{number(bpm)} BPM is {plain} by the metronome; at half speed it is felt as {number(bpm / 2)}."
    low, high = style.tempo
    facts += [Fact("usual from", low, "BPM"), Fact("usual to", high, "BPM")]
    range_said = f"{number(low)}–{number(high)} BPM, as the styles here have it"
    if bpm > high:
        return f"{number(bpm)} BPM is faster than is usual for {style.label} ({range_said})."
    if bpm < low:
        return f"{number(bpm)} BPM is slower than is usual for {style.label} ({range_said})."
    share = (bpm - low) / (high - low) if high > low else 0.5
    half = f"; in half time it is felt as {number(bpm / 2)}" if bpm >= _HALVED else ""
    side = "on the brisk side of" if share > 2 / 3 else "on the easy side of" if share < 1 / 3 else "in the middle of"
    return f"{number(bpm)} BPM is {side} what is usual for {style.label} ({range_said}){half}."


def _style(context: Context, question: Question) -> StyleInfo | None:
    """The style that is named, else the one whose name or word is in the first request."""
    known = {one.name: one for one in context.program.styles}
    if question.about.styles:
        return known.get(question.about.styles[0])
    asked = next((one.request for one in reversed(context.versions) if one.request), "")
    text = f" {' '.join(asked.casefold().replace(',', ' ').split())} "
    fitting = [
        (len(word), one.name) for one in context.program.styles for word in (one.label, one.name, *one.words)
        if f" {word.casefold()} " in text
    ]
    return known[max(fitting)[1]] if fitting else None


def _sameness(song: Song, notes: list[Sounding], facts: list[Fact]) -> str:
    """How many bars repeat an earlier one note for note, and how full they are."""
    repeated, bars = bars_again(song, notes)
    again, share = len(repeated), len(repeated) / bars
    facts += [Fact("bars that repeat", again, f"of {bars}"), Fact("notes a bar", round(len(notes) / bars, 1))]
    classes = len({note.pitch for note in notes})
    return (
        f"{again} of its {counted(bars, 'bar')} ({share:.0%}) repeat an earlier one note for note, with "
        f"{len(notes) / bars:.0f} notes a bar on {counted(classes, 'pitch', 'pitches')}."
    )
