"""Two or more places side by side: which is fuller, louder or higher, through which parts, and how much is the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.identical import asks_whether_identical, same_note_for_note
from agent.chat.answering.parts import links_of
from agent.chat.answering.places_compared import Place, compared_places
from agent.chat.answering.wording import bars_said, called, counted, links_to, listed, runs_of, spelled
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.excerpts import only
from agent.theory.harmony import chords_known
from agent.theory.pitch import pitch_name
from agent.theory.sounding import percussive_tracks
from agent.theory.stretches import MeasuredBars, equal_bars, equal_share, moved_steps, stretches

_MOST = 8
_CLEAR = 1.05
"""Ratio of two figures from which on one counts as more than the other."""
_PARTS = frozenset({"tracks", "parts", "instruments", "who", "playing", "plays"})
"""Words that ask for the names of the parts."""
_FEW = 4
"""Places up to which each is told with all its figures."""
_MUCH = 0.5
"""Share of equal notes that is told of more places than these."""
_LOUDER = 0.5
"""Decibels by which a place must stand out."""
_SOURCE = "Counted from the notes, levels reckoned from faders and velocities."


def compare_places(context: Context, question: Question) -> Answer:
    """An answer that compares the named places in the named parts (none: in all): notes a bar, parts, velocity, level,
    highest note, the parts that make the difference, and what is the same note for note. What is named alone stands
    beside its namesakes, or beside what comes before it."""
    tracks = frozenset(question.about.tracks)
    song = only(context.song, tracks) if tracks else context.song
    where = compared_places(question, song)
    if len(where) < 2:
        text = "Name two places to compare, such as “chorus 1 and chorus 2” or “bars 1–4 and bars 5–8”."
        return Answer(text, (Fact("places", len(where)),), links_to((first, last) for _, first, last in where))
    found = stretches(song, context.palette, [(first, last) for _, first, last in where])
    names = _names(where)
    if not any(one.notes for one in found):
        return Answer(f"Nothing is played in {listed(names)}.", (Fact("notes", 0),))
    texts = [_verdict(names, found), _figures(song, names, found)]
    if len(found) == 2 and asks_whether_identical(question.words):
        texts.insert(0, same_note_for_note(song, names, *found))
    if len(found) == 2:
        texts += [_parts(song, names, found), _same(song, names, found)]
        texts += [] if tracks else [_chords(context, found)]
        texts += [_playing(song, names, found)] if _PARTS & words_of(question.words) else []
    else:
        texts.append(_all_same(song, names, found))
    parts = listed(track.name for track in song.tracks if track.id in tracks)
    head = [f"Of {parts}:"] if parts else []
    facts = [fact for name, one in zip(names, found, strict=True) for fact in (
        Fact(f"{name} notes a bar", round(one.density, 1)), Fact(f"{name} parts", len(one.parts)),
        Fact(f"{name} velocity", round(one.velocity)), Fact(f"{name} level", round(one.level, 1), "dB"))]
    if len(found) == 2:
        facts.append(Fact("equal notes", f"{equal_share(song, *found):.0%}"))
    links = (*links_to((one.first, one.last) for one in found),
             *links_of([track for track in song.tracks if track.id in tracks]))
    return Answer(" ".join([*head, *(text for text in texts if text), _SOURCE]), tuple(facts), links)


def _names(where: Sequence[Place]) -> list[str]:
    """The places without their bars, unless two are called the same."""
    short = [name.partition(" (")[0] for name, _, _ in where]
    return [name if short.count(plain) > 1 else plain for plain, (name, _, _) in zip(short, where, strict=True)]


def _verdict(names: Sequence[str], found: Sequence[MeasuredBars]) -> str:
    """Which is fuller, and which is louder."""
    order = sorted(range(len(found)), key=lambda at: -found[at].density)
    most, next_most = found[order[0]], found[order[1]]
    fuller = most.density > _CLEAR * next_most.density
    degree = "fuller" if len(found) == 2 else "fullest"
    if not fuller and len(found) > 2:
        least = found[order[-1]]
        if most.density > _CLEAR * least.density:
            text = f"{names[order[0]]} is the fullest by a little, {names[order[-1]]} the thinnest"
        else:
            text = f"{listed(names)} are about equally full"
    else:
        text = f"{names[order[0]]} is {degree}" if fuller else f"{listed(names)} are about equally full"
    loud = sorted(range(len(found)), key=lambda at: -found[at].level)
    gap = found[loud[0]].level - found[loud[1]].level
    text = f"{text[:1].upper()}{text[1:]}"
    if gap < _LOUDER:
        return f"{text}, and equally loud." if "equally" in text else f"{text}; they are about equally loud."
    if fuller and loud[0] == order[0]:
        return f"{text} and louder, by {gap:.1f} dB."
    return f"{text}, and {names[loud[0]]} is louder, by {gap:.1f} dB."


def _figures(song: Song, names: Sequence[str], found: Sequence[MeasuredBars]) -> str:
    """Drop 1 (bars 13–44): 60 notes a bar from 6 parts, mean velocity 92, up to C6."""
    if len(found) > _FEW:
        return f"Notes a bar: {listed(f'{name} {_few(one.density)}' for name, one in zip(names, found, strict=True))}."
    said = []
    for name, one in zip(names, found, strict=True):
        top = "" if one.top is None else f", up to {spelled(pitch_name(one.top, song.key))}"
        bars = bars_said(one.first, one.last)
        where = "" if bars in name else f" ({bars})"
        said.append(
            f"{name[:1].upper()}{name[1:]}{where}: {_few(one.density)} notes a bar from "
            f"{counted(len(one.parts), 'part')}, mean velocity {one.velocity:.0f}{top}"
        )
    lengths = {one.bars for one in found}
    equal = f" All are {counted(found[0].bars, 'bar')} long." if len(found) > 2 and len(lengths) == 1 else ""
    return f"{'; '.join(said)}.{equal}"


def _parts(song: Song, names: Sequence[str], found: Sequence[MeasuredBars]) -> str:
    """The parts that play in one place only, and those whose notes a bar differ most."""
    one, other = found
    said = []
    for name, here, there in ((names[0], one, other), (names[1], other, one)):
        alone = [called(song, song.track(track)) for track in here.parts if track not in there.parts]
        if alone:
            said.append(f"{listed(alone)} {'plays' if len(alone) == 1 else 'play'} only in {name}")
    changes = []
    for track in song.tracks:
        if track.id in one.parts and track.id in other.parts:
            a, b = one.of(track.id) / one.bars, other.of(track.id) / other.bars
            if max(a, b) > _CLEAR * min(a, b):
                changes.append((abs(a - b), f"{called(song, track)} has {_few(a)} notes a bar against {_few(b)}"))
    said += [text for _, text in sorted(changes, key=lambda one: -one[0])[:3]]
    return f"{'; '.join(said)}." if said else "The same parts play in both."


def _playing(song: Song, names: Sequence[str], found: Sequence[MeasuredBars]) -> str:
    """The parts that sound in each place."""
    said = (
        f"in {name}: {listed(called(song, song.track(track)) for track in one.parts) or 'nobody'}"
        for name, one in zip(names, found, strict=True)
    )
    return f"Playing {'; '.join(said)}."


def _same(song: Song, names: Sequence[str], found: Sequence[MeasuredBars]) -> str:
    one, other = found
    share = equal_share(song, one, other)
    if share == 1 and one.bars == other.bars:
        return "They are the same note for note."
    moved = [
        f"{called(song, track)} is there the same {_interval(steps)}" for track in song.tracks
        if (steps := moved_steps(song, one, other, track.id))
    ]
    if moved:
        return f"{listed(moved)}; {share:.0%} of all notes are the same as they stand."
    bars = equal_bars(song, one, other)
    text = f"{share:.0%} of the notes are the same"
    if not bars:
        return f"{text}; no bar is the same in every part."
    shown = runs_of(bars)
    more = f" and {len(shown) - _MOST} more places" if len(shown) > _MOST else ""
    said = listed(bars_said(*stretch) for stretch in shown[:_MOST])
    verb = "is" if len(bars) == 1 else "are"
    return f"{text}; of {names[1]} {said}{more} {verb} in every part what {names[0]} has there."


def _interval(steps: int) -> str:
    """Steps of the scale in words: "a step lower", "a third higher"."""
    names = ("a step", "a third", "a fourth", "a fifth", "a sixth", "a seventh", "an octave")
    size = names[abs(steps) - 1] if abs(steps) <= len(names) else f"{abs(steps)} steps"
    return f"{size} {'higher' if steps > 0 else 'lower'}"


def _chords(context: Context, found: Sequence[MeasuredBars]) -> str:
    """Whether the chords are the same, and where they part company."""
    song = context.song
    by_bar: dict[int, list[str]] = {}
    for chord in chords_known(song, percussive_tracks(song, context.palette)):
        for bar in range(song.bar_map.bar_at(chord.start), song.bar_map.bar_at(chord.end - 1) + 1):
            by_bar.setdefault(bar, []).append(spelled(chord_symbol(chord.chord, song.key)))
    one, other = found
    if not by_bar:
        return ""
    for at in range(min(one.bars, other.bars)):
        a, b = by_bar.get(one.first + at, []), by_bar.get(other.first + at, [])
        if a != b:
            return (
                f"The chords first differ in bar {other.first + at} ({' '.join(b) or 'none'}) against bar "
                f"{one.first + at} ({' '.join(a) or 'none'})."
            )
    return "The chords are the same." if one.bars == other.bars else "The chords are the same as far as both go."


def _all_same(song: Song, names: Sequence[str], found: Sequence[MeasuredBars]) -> str:
    """How much of each is what the one before has."""
    shares = [equal_share(song, one, other) for one, other in pairwise(found)]
    said = [
        f"{names[at + 1]} shares {share:.0%} of its notes with {names[at]}" for at, share in enumerate(shares)
        if len(found) <= _FEW or share >= _MUCH
    ]
    return f"{listed(said)}." if said else ""


def _few(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{round(value, 1):g}"
