"""How fast the harmony moves: chords to a bar, and how long one lasts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, bars_listed, nothing_asked, sentence
from agent.chat.answering.stacked_chords import beats_of, is_chordal, stacked_chords
from agent.chat.answering.wording import counted, links_to, listed, number, places
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.harmony import chords_known
from agent.theory.sounding import percussive_tracks

_NUMBERS = {1: "one chord", 2: "two chords", 3: "three chords", 4: "four chords"}


class SteadyChord(Struct, frozen=True):
    """A chord from tick `start` to tick `end`, however often it is struck; `root` and `quality` tell it from others."""

    start: int
    end: int
    root: int
    quality: str


def harmonic_rhythm(context: Context, about: About) -> Answer:
    """An answer with the number of chords to a bar in each named place (none: in the song), how often the chord
    changes, and how long one lasts on average."""
    song = context.song
    asked = asked_notes(context, About(bars=about.bars, sections=about.sections), "pitched")
    if not asked.notes and not song.chords:
        return nothing_asked(context, About(bars=about.bars, sections=about.sections), "pitched")
    texts: list[str] = []
    facts: list[Fact] = []
    sources: list[str] = []
    shown = []
    for name, first, last in places(about, song) or (("the song", 1, song.bars),):
        if first > song.bars:
            texts.append(f"{name}: the song ends before, after bar {song.bars}.")
            continue
        last = min(last, song.bars)
        found, source = _chords(context, first, last)
        shown.append((first, last))
        if not found:
            texts.append(f"{name}: no chord sounds there.")
            continue
        sources.append(source)
        texts.append(f"{name}: {_told(song, found, first, last)}")
        changes = len(found) - 1
        mean = sum(one.end - one.start for one in found) / len(found) / PPQ
        facts += [Fact(f"chord changes, {name}", changes), Fact(f"beats a chord, {name}", round(mean, 2))]
    said = " ".join(sentence(text) for text in texts)
    source = f" {sources[0]}" if sources else ""
    return Answer(f"{said}{source}", tuple(facts), links_to(shown))


def _chords(context: Context, first: int, last: int) -> tuple[list[SteadyChord], str]:
    """The chords of some bars, neighbours that are the same as one, and where they are known from."""
    song = context.song
    start, end = song.bar_map.span(first, last)
    if not song.chords:
        notes = asked_notes(context, About(bars=(first, last)), "pitched").together()
        beats = beats_of(song, first, last)
        if is_chordal(notes, beats):
            stacked = stacked_chords(notes, beats)
            ends = [*(one.at for one in stacked[1:]), end]
            spans = [
                SteadyChord(one.at, until, one.chord.root, one.chord.quality)
                for one, until in zip(stacked, ends, strict=True)
            ]
            return _merged(spans), "Read from the notes beat by beat, where complete chords sound."
    known = chords_known(song, percussive_tracks(song, context.palette))
    spans = [
        SteadyChord(max(one.start, start), min(one.end, end), one.chord.root, f"{one.chord.quality}{one.chord.altered}")
        for one in known if one.start < end and one.end > start
    ]
    source = "These are the chords that the song states." if song.chords else (
        "The chords are heard from the notes, no finer than half a bar."
    )
    return _merged(spans), source


def _merged(spans: Sequence[SteadyChord]) -> list[SteadyChord]:
    found: list[SteadyChord] = []
    for one in spans:
        before = found[-1] if found else None
        if before is not None and (before.root, before.quality) == (one.root, one.quality):
            found[-1] = SteadyChord(before.start, one.end, one.root, one.quality)
        else:
            found.append(one)
    return found


def _told(song: Song, chords: Sequence[SteadyChord], first: int, last: int) -> str:
    by_bar: Counter[int] = Counter()
    for one in chords:
        for bar in range(song.bar_map.bar_at(one.start), song.bar_map.bar_at(one.end - 1) + 1):
            by_bar[bar] += 1
    of_count: dict[int, list[int]] = {}
    for bar in range(first, last + 1):
        if by_bar[bar]:
            of_count.setdefault(by_bar[bar], []).append(bar)
    usual = max(of_count, key=lambda count: len(of_count[count]))
    bars = last - first + 1
    if len(of_count) == 1 and len(of_count[usual]) == bars:
        head = f"{_NUMBERS.get(usual, f'{usual} chords')} to a bar throughout"
    else:
        said = [
            f"{_NUMBERS.get(count, f'{count} chords')} in {bars_listed(found, 4)}" if count != usual else
            f"{_NUMBERS.get(count, f'{count} chords')} to a bar in {len(found)} of {counted(bars, 'bar')}"
            for count, found in sorted(of_count.items(), key=lambda item: -len(item[1]))
        ]
        head = listed(said)
    changes = len(chords) - 1
    mean = sum(one.end - one.start for one in chords) / len(chords) / PPQ
    how = "the chord never changes" if not changes else f"the chord changes {counted(changes, 'time')}"
    return f"{head}; {how}, so one lasts {number(round(mean, 1))} beats on average."
