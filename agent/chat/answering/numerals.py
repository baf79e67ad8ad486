"""Chords as roman numerals of the song's key, and the parallels between two parts."""

from __future__ import annotations

from itertools import combinations, pairwise

from agent.chat.answer import Answer, Fact
from agent.chat.answering.harmony import chords
from agent.chat.answering.parts import links_of, named_tracks
from agent.chat.answering.wording import counted, links_to, listed, places, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.chord import Chord
from agent.song.key import Key
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.harmony import chords_known
from agent.theory.sounding import Sounding, kit_tracks, percussive_tracks, sounding

_MAJOR = ("I", "♭II", "II", "♭III", "III", "IV", "♯IV", "V", "♭VI", "VI", "♭VII", "VII")
_MINOR = ("I", "♭II", "II", "III", "♯III", "IV", "♯IV", "V", "VI", "♯VI", "VII", "♯VII")
"""The degree of each semitone above the tonic, in keys with a major third and in those with a minor one."""
_MINORS = ("minor", "dorian", "phrygian", "locrian", "harmonic_minor", "melodic_minor")
_ENDINGS = {"min": "", "maj": "", "dim": "°", "aug": "+", "min7": "7", "m7b5": "ø7", "dim7": "°7", "min6": "6"}
"""How a quality is written behind a numeral, where that is not its own name."""
_SMALL = ("min", "dim", "m7b5")
_MOST_BARS = 16
_PERFECT = {7: "fifths", 0: "octaves or unisons"}
_SHOWN = 6


def numerals(context: Context, about: About) -> Answer:
    """An answer with the chords of the named place (none: of the song), each as a roman numeral of the song's key."""
    named = chords(context, about)
    song = context.song
    found = chords_known(song, percussive_tracks(song, context.palette))
    if not found:
        return named
    where = places(about, song) or (("The song", 1, song.bars),)
    texts = []
    for name, first, last in where:
        bars = range(max(first, 1), min(last, song.bars) + 1)
        by_bar = {
            bar: " ".join(numeral(one.chord, song.key) for one in found if song.bar_map.bar_at(one.start) == bar)
            for bar in bars[:_MOST_BARS]
        }
        more = f" … and {counted(len(bars) - _MOST_BARS, 'more bar')}" if len(bars) > _MOST_BARS else ""
        place = f" {name}" if len(where) > 1 else ""
        line = " | ".join(said or "–" for said in by_bar.values())
        texts.append(f"As numerals of {spelled(str(song.key))}{place}: {line}{more}.")
    facts = (*named.facts, Fact("numerals", " ".join(texts)))
    return Answer(f"{named.text} {' '.join(texts)}", facts, named.links)


def numeral(chord: Chord, key: Key) -> str:
    """A chord as a roman numeral of a key: lower case if its third is minor, ♭ and ♯ for degrees outside the scale."""
    degrees = _MINOR if key.mode in _MINORS else _MAJOR
    degree = degrees[(chord.root - key.pitch_class) % 12]
    small = chord.quality.startswith(_SMALL)
    return (degree.lower() if small else degree) + _ENDINGS.get(chord.quality, chord.quality.removeprefix("min"))


def parallels(context: Context, about: About) -> Answer:
    """An answer with the places where the top notes of two parts move in parallel perfect fifths or octaves."""
    song = context.song
    kits = kit_tracks(song, context.palette)
    tracks = [track for track in named_tracks(context, about) if track.id not in kits]
    found: list[tuple[int, str]] = []
    for one, other in combinations(tracks, 2):
        found += [(bar, f"{what} of {one.name} and {other.name}") for bar, what in _parallel(song, one, other)]
    names = listed(track.name for track in tracks)
    if not found:
        text = f"No: I find no parallel fifths or octaves between {names}, taking the top note of each at every step."
        return Answer(f"{text} Counted from the notes.", (Fact("parallels", 0),), links_of(tracks))
    by_what: dict[str, list[int]] = {}
    for bar, what in sorted(found):
        by_what.setdefault(what, []).append(bar)
    said = "; ".join(f"{what} in bar {_bars(bars)}" for what, bars in list(by_what.items())[:_SHOWN])
    links = (*links_of(tracks), *links_to((bar, bar) for bar, _ in sorted(found)[:_SHOWN]))
    return Answer(f"Yes: {said}. Counted from the notes.", (Fact("parallels", len(found)),), links)


def _bars(bars: list[int]) -> str:
    distinct = sorted(set(bars))
    more = [f"{len(distinct) - _SHOWN} more"] if len(distinct) > _SHOWN else []
    return listed([*map(str, distinct[:_SHOWN]), *more])


def _parallel(song: Song, one: Track, other: Track) -> list[tuple[int, str]]:
    """The bar and the kind of each pair of equal perfect intervals, where both parts move the same way."""
    starts = sorted({note.start for note in (*sounding(song, {one.id}), *sounding(song, {other.id}))})
    upper, lower = sounding(song, {one.id}), sounding(song, {other.id})
    pairs = [(at, _top(upper, at), _top(lower, at)) for at in starts]
    both = [(at, high, low) for at, high, low in pairs if high is not None and low is not None]
    found = []
    for (_, high, low), (at, now, under) in pairwise(both):
        interval, after = abs(high - low) % 12, abs(now - under) % 12
        moved = (now - high) * (under - low) > 0
        if moved and interval == after and interval in _PERFECT and (high > low) == (now > under):
            found.append((song.bar_map.bar_at(at), _PERFECT[interval]))
    return found


def _top(notes: tuple[Sounding, ...] | list[Sounding], at: int) -> int | None:
    return max((note.pitch for note in notes if note.start <= at < note.end), default=None)
