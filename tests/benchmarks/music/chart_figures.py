"""How well pieces keep to the charts that they are asked for: what is stated, what sounds longest, the bass, the root.

`PYTHONPATH=. python tests/benchmarks/music/chart_figures.py [--seed N]`; with `MUSIC21_PYTHON=that/bin/python`
music21 reads the comping parts too. The charts are the forty that MMA plays as well, with the harmony of their styles,
and 44 that dice draw, of any chords behind one another.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from agent.composer.changing.hearing.listening import drum_tracks, roles_of
from agent.song.chord import Chord
from agent.song.chord_symbols import chord
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding, pitched
from tests.benchmarks.music.asking import Desk, open_desk
from tests.benchmarks.music.lines import GRID
from tests.benchmarks.music.mma import charts
from tests.benchmarks.music.spelled import spelled, written_out

ROOTS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
ENDINGS = ("", "m", "7", "m7", "maj7", "sus4", "m7b5", "6", "9", "add9", "7b9", "dim7", "m6", "7#9")
STYLES = ("pop", "jazz", "techno", "rock", "lofi", "funk", "bossa nova", "house", "metal", "soul", "trap")
DRAWN = 4
"""Charts that are drawn for each of the styles."""
EARLY = PPQ // 6
"""Ticks before its beat from which on a note belongs to that."""
_COMPING = frozenset({"chords", "pad", "arp"})


class Asked(Struct, frozen=True):
    """A request with its chart, by bars, and the quarters to the bar."""

    words: str
    bars: tuple[tuple[str, ...], ...]
    beats: int = 4

    @property
    def spans(self) -> list[tuple[int, int, Chord]]:
        """Where each chord sounds, with start and end in ticks: a bar is shared out evenly."""
        found = []
        for number, symbols in enumerate(self.bars):
            length = self.beats * PPQ // len(symbols)
            starts = (number * self.beats * PPQ + at * length for at in range(len(symbols)))
            found += [(start, start + length, chord(one)) for start, one in zip(starts, symbols, strict=True)]
        return found


class Beat(Struct, frozen=True):
    """The chord that is stated at a beat, and what sounds there, spelled as its tones."""

    chord: Chord
    comping: list[str]
    with_bass: list[str]


class Kept(Struct, frozen=True):
    """Of a piece: for each span whether it is stated, heard and begun on its bass (None without a bass), and the beats
    at which comping parts sound."""

    stated: tuple[bool, ...]
    heard: tuple[bool, ...]
    bass: tuple[bool | None, ...]
    beats: tuple[Beat, ...]


def main(arguments: Sequence[str]) -> None:
    """Ask for all, and print the shares."""
    parser = argparse.ArgumentParser(description="How well pieces keep to the charts that they are asked for.")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the pieces and of the drawn charts")
    seed = parser.parse_args(arguments).seed
    desk = open_desk()
    for name, asked in (("charts of a style", list(of_styles())), ("drawn charts", list(drawn(seed)))):
        kept = [kept_by(song, one, desk) for one in asked if (song := _piece(one, desk, seed)) is not None]
        print(f"{name}: {len(kept)} of {len(asked)} are pieces")
        _show(kept)


def of_styles() -> Iterator[Asked]:
    """The forty charts with harmony that their styles have."""
    for one in charts():
        yield Asked(f"{one.request} at {one.bpm} bpm\n\n{one.text}", one.bars, one.beats)


def drawn(seed: int) -> Iterator[Asked]:
    """Charts of eight bars of one or two chords that need not have to do with one another."""
    for number, style in enumerate(STYLES * DRAWN):
        dice = Random(f"{seed}:{number}")
        many = [dice.choice((1, 1, 2)) for _ in range(8)]
        bars = tuple(tuple(dice.choice(ROOTS) + dice.choice(ENDINGS) for _ in range(count)) for count in many)
        written = "| " + " | ".join(" ".join(bar) for bar in bars) + " |"
        yield Asked(f"an 8-bar {style} piece over {written}", bars)


def kept_by(song: Song, asked: Asked, desk: Desk) -> Kept:
    """What a piece keeps of its chart."""
    roles = roles_of(song, desk.palette)
    notes = pitched(song, drum_tracks(song, desk.palette))
    low = [note for note in notes if roles[note.track] == "bass"]
    comping = [note for note in notes if roles[note.track] in _COMPING]
    there = {(one.start, one.chord) for one in song.chords}
    beats = []
    for start, end, one in asked.spans:
        for beat in range(start, end, PPQ):
            chords, bass = (_at(part, beat, min(end, beat + PPQ)) for part in (comping, low))
            if chords:
                names = [spelled(pitch, one) for pitch in chords]
                beats.append(Beat(one, names, [*(spelled(pitch, one) for pitch in bass), *names]))
    return Kept(
        tuple((start, one) in there for start, _, one in asked.spans),
        tuple(tells(one) <= longest(notes, start, end) for start, end, one in asked.spans),
        tuple(_begins(low, start, end, one) for start, end, one in asked.spans), tuple(beats),
    )


def tells(one: Chord) -> set[int]:
    """The pitch classes of root, third and seventh of a chord, or of what hangs instead of a third."""
    steps = one.intervals
    third = [step for step in (3, 4) if step in steps][:1] or [step for step in (5, 2) if step in steps][:1]
    seventh = [step for step in (10, 11) if step in steps][:1]
    return {(one.root + step) % 12 for step in (0, *third, *seventh)}


def longest(notes: Collection[Sounding], start: int, end: int) -> set[int]:
    """The five pitch classes that sound longest from `start` to `end`."""
    lengths = [0] * 12
    for note in notes:
        lengths[note.pitch % 12] += max(0, min(note.end, end) - max(note.start, start))
    return {at for at in sorted(range(12), key=lambda at: -lengths[at])[:5] if lengths[at]}


def _begins(low: Collection[Sounding], start: int, end: int, one: Chord) -> bool | None:
    begun = [note for note in low if start - EARLY <= note.start < end - EARLY]
    return min(begun, key=lambda note: note.start).pitch % 12 == one.lowest if begun else None


def _at(notes: Collection[Sounding], start: int, end: int) -> tuple[int, ...]:
    """The pitches that sound for a sixteenth or more of the time."""
    return tuple(sorted({note.pitch for note in notes if min(note.end, end) - max(note.start, start) >= GRID}))


def _piece(asked: Asked, desk: Desk, seed: int) -> Song | None:
    answer = desk.ask(asked.words, seed=seed)
    if answer.trouble:
        print(f"no piece: {asked.words!r}: {answer.trouble}")
        return None
    return answer.song


def _show(kept: Sequence[Kept]) -> None:
    _share("stated at their beat", [one for piece in kept for one in piece.stated])
    _share("root, third, seventh among the five longest", [one for piece in kept for one in piece.heard])
    _share("begun on the stated bass", [one for piece in kept for one in piece.bass if one is not None])
    python = os.environ.get("MUSIC21_PYTHON")
    if not python:
        print("  music21 reads the comping parts with MUSIC21_PYTHON=that/bin/python")
        return
    beats = [beat for piece in kept for beat in piece.beats]
    itself = _roots([written_out(beat.chord) for beat in beats], python)
    comping, bass = _roots([one.comping for one in beats], python), _roots([one.with_bass for one in beats], python)
    roots = [beat.chord.root for beat in beats]
    plain = [at for at, root in enumerate(roots) if itself[at] == root]
    for name, found in (("comping parts", comping), ("with the bass", bass)):
        _share(f"beats whose root music21 finds, {name}", [found[at] == root for at, root in enumerate(roots)])
        _share("  of chords whose root it finds when they are written out", [found[at] == roots[at] for at in plain])
    _share("the same root as of the chord written out", [comping[at] == one for at, one in enumerate(itself)])


def _roots(groups: Sequence[Sequence[str]], python: str) -> list[int | None]:
    script = Path(__file__).with_name("roots_by_music21.py")
    run = subprocess.run([python, str(script)], input=json.dumps(groups), capture_output=True, text=True, check=True)
    found: list[int | None] = json.loads(run.stdout)
    return found


def _share(name: str, values: Sequence[bool]) -> None:
    print(f"  {name}: {sum(values)} of {len(values)} ({sum(values) / max(1, len(values)):.1%})")


if __name__ == "__main__":
    main(sys.argv[1:])
