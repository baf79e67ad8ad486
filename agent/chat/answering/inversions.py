"""Which tone of the chords is the lowest: root positions, inversions and six-four chords."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import (
    NotesAsked,
    asked_notes,
    at_said,
    nothing_asked,
    shown_first,
)
from agent.chat.answering.stacked_chords import StackedChord, beats_of, is_chordal, stacked_chords
from agent.chat.answering.wording import counted, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.chord import Chord
from agent.song.key import Key
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.harmony import chords_known
from agent.theory.sounding import TOGETHER, Sounding, percussive_tracks

_NAMES = ("root position", "first inversion", "second inversion", "third inversion")
_STEP, _DOMINANT = 2, 7
_SHOWN = 8


def inversions(context: Context, about: About) -> Answer:
    """An answer with the number of chords in root position and in each inversion in the named places (none: the song),
    and where the six-four chords are, each with how it is used.

    Where complete chords sound on most beats these are read beat by beat, otherwise the chords as heard or stated with
    the lowest note that sounds as they begin.
    """
    song = context.song
    asked = asked_notes(context, about, "pitched")
    if not asked.notes:
        return nothing_asked(context, about, "pitched")
    notes = asked.together()
    beats = [beat for first, last in asked.bars or ((1, song.bars),) for beat in beats_of(song, first, last)]
    if is_chordal(notes, beats):
        return _by_beats(song, asked, stacked_chords(notes, beats))
    return _by_chords(context, asked, notes)


def _by_beats(song: Song, asked: NotesAsked, found: Sequence[StackedChord]) -> Answer:
    counts = Counter(one.inversion for one in found)
    sixfour = [at for at, one in enumerate(found) if one.six_four]
    told = [
        f"{at_said(song, found[at].at)} ({_symbol(song, found[at])}, {use_of(found, at, song.key)})" for at in sixfour
    ]
    head = f"{counted(len(sixfour), 'six-four chord')}{asked.where}: {shown_first(told, _SHOWN)}."
    if not sixfour:
        head = f"No six-four chord{asked.where}: no triad has its fifth in the bass on a beat."
    rest = f"Of {counted(len(found), 'chord')} on the beats {_spread(counts)}."
    facts = (Fact("six-four chords", len(sixfour)), *_facts(counts))
    text = f"{head} {rest} Read from the notes, beat by beat; how a six-four is used is my reading."
    return Answer(text, facts, asked.links(song.bar_map.bar_at(found[at].at) for at in sixfour))


def use_of(chords: Sequence[StackedChord], at: int, key: Key) -> str:
    """How a six-four chord among its neighbours is used: cadential (the dominant on its bass follows), an appoggiatura
    (another chord on its bass follows), over a pedal (the bass was there before as well), passing (the bass goes
    through it by step), arpeggiated (it was there before over another bass) or none of these."""
    one = chords[at]
    before = chords[at - 1] if at else None
    after = chords[at + 1] if at + 1 < len(chords) else None
    bass = one.lowest % 12
    if after is not None and after.lowest % 12 == bass == after.chord.root:
        if before is not None and before.lowest % 12 == bass:
            return "over a pedal"
        dominant = after.chord.quality == "7" or (bass - key.pitch_class) % 12 == _DOMINANT
        return "cadential" if dominant else "an appoggiatura over its bass"
    if before is not None and replace(before.chord, bass=None) == one.chord:
        return "arpeggiated"
    if before is None or after is None:
        return "neither cadential nor passing"
    came, went = one.lowest - before.lowest, after.lowest - one.lowest
    if 0 < abs(came) <= _STEP and 0 < abs(went) <= _STEP and (came > 0) == (went > 0):
        return "passing"
    if before.lowest % 12 == bass == after.lowest % 12:
        return "over a pedal"
    return "neither cadential nor passing"


def _by_chords(context: Context, asked: NotesAsked, notes: Sequence[Sounding]) -> Answer:
    song = context.song
    spans: list[tuple[int, int]] = [song.bar_map.span(first, last) for first, last in asked.bars]
    spans = spans or [(0, song.end)]
    counts: Counter[int] = Counter()
    slashes: list[tuple[int, str]] = []
    others = 0
    held: list[Sounding] = []
    ahead = 0
    for one in chords_known(song, percussive_tracks(song, context.palette)):
        if not any(start <= one.start < end for start, end in spans):
            continue
        while ahead < len(notes) and notes[ahead].start < one.start + TOGETHER:
            held.append(notes[ahead])
            ahead += 1
        held = [note for note in held if note.end > one.start + TOGETHER]
        if not held:
            continue
        tones = [(one.chord.root + step) % 12 for step in one.chord.intervals]
        bass = min(note.pitch for note in held) % 12
        if bass not in tones:
            others += 1
        else:
            counts[tones.index(bass)] += 1
        if bass != one.chord.root:
            slashes.append((one.start, _symbol_over(song, one.chord, bass)))
    if not counts and not others:
        return Answer(f"No chord begins{asked.where} with a note that sounds.", (Fact("chords", 0),), asked.links())
    total = sum(counts.values()) + others
    said = [f"{symbol} in {at_said(song, at)}" for at, symbol in slashes]
    over = f", and {others:,} over a bass that is none of their tones" if others else ""
    text = f"Of {counted(total, 'chord')}{asked.where} {_spread(counts)}{over}."
    text += f" Over another bass than the root: {shown_first(said, _SHOWN)}." if said else ""
    sixfour = counts[2]
    source = "The chords are those stated" if song.chords else "The chords are heard bar by bar"
    facts = (Fact("six-four chords", sixfour), *_facts(counts))
    return Answer(f"{text} {source}, with the lowest note as each begins.", facts,
                  asked.links(song.bar_map.bar_at(at) for at, _ in slashes))


def _spread(counts: Counter[int]) -> str:
    said = [
        f"{counts[place]:,} {'is' if counts[place] == 1 else 'are'} in {name}" for place, name in enumerate(_NAMES)
        if counts[place]
    ]
    return shown_first(said or ["none has one of its tones in the bass"], len(_NAMES))


def _facts(counts: Counter[int]) -> tuple[Fact, ...]:
    return tuple(Fact(name, counts[place], "chords") for place, name in enumerate(_NAMES))


def _symbol(song: Song, one: StackedChord) -> str:
    return _symbol_over(song, one.chord, one.lowest % 12)


def _symbol_over(song: Song, chord: Chord, bass: int) -> str:
    return spelled(chord_symbol(replace(chord, bass=None if bass == chord.root else bass), song.key))
