"""What a player would listen for in styles of bands: each sign is a sentence and a judgement of a song."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from song_steps import BEAT, STEP, bar_of, bars, late, notes, share, struck
from style_parts import track_of

from agent.song.song import Song

Signs = Mapping[str, Callable[[Song], bool]]
TRESILLO = {0, 6, 12}
DEMBOW = {3, 6, 11, 14}


def _no_drums(song: Song) -> bool:
    return not any(track.instrument.startswith("kit_") for track in song.tracks)


def _thumb(song: Song) -> bool:
    """Whether the guitar's tones on one and three are the same, and that on two another above it."""
    picked = struck(song, "Guitar")
    quarter = BEAT // STEP
    ones = [at for at in picked if at % (4 * quarter) == 0 and {at + quarter, at + 2 * quarter} <= picked.keys()]
    good = [max(picked[at]) == max(picked[at + 2 * quarter]) < max(picked[at + quarter]) for at in ones]
    return sum(good) >= 0.8 * len(good) > 0


def _fifths(song: Song, name: str) -> bool:
    return all(max(p) - min(p) in (0, 5, 7, 12) for p in struck(song, name).values() if len(p) <= 2)


def _roots(song: Song) -> dict[int, int]:
    """The lowest pitch class with which the bass begins each bar."""
    bar = bar_of(song)
    return {start // bar: pitch % 12 for start, _, pitch in reversed(notes(song, "Bass")) if (start + 60) % bar < 120}


def _twelve_bars(song: Song) -> bool:
    roots, tonic, bar = _roots(song), song.key.pitch_class, bar_of(song)
    rounds = [s for s in song.sections if s.end - s.start == 12 * bar]
    first = [s.start // bar for s in rounds]
    home = all(roots.get(at, tonic) == tonic for at in first)
    four = all(roots.get(at + 4, tonic + 5) % 12 == (tonic + 5) % 12 for at in first)
    return len(rounds) >= 3 and home and four


BANDS: dict[str, Signs] = {
    "blues": {
        "rounds of twelve bars: home in the first, the subdominant in the fifth": _twelve_bars,
        "eighths shuffle": lambda song: 0.6 <= late(song, "Drums") <= 0.7,
        "a backbeat": lambda song: share(bars(song, "Drums", "snare", "rim"), lambda p: {4, 12} <= p) >= 0.9,
        "all sections are rounds or the end of one": lambda song: all(
            (s.end - s.start) // bar_of(song) in (1, 2, 4, 12) for s in song.sections
        ),
    },
    "gospel": {
        "organ and piano": lambda song: bool(track_of(song, "Organ") and track_of(song, "Piano")),
        "a choir answers in chords": lambda song: any(len(p) >= 3 for p in struck(song, "Choir").values()),
        "hands or tambourine on two and four": lambda song: share(
            bars(song, "Tambourine", "tambourine", "clap"), lambda p: {4, 12} <= p
        ) >= 0.9,
        "it swings": lambda song: 0.57 <= late(song, "Drums") <= 0.7,
    },
    "country": {
        "boom-chick: the guitar answers on two and four": lambda song: share(
            bars(song, "Acoustic guitar"), lambda p: {4, 12} <= p
        ) >= 0.95,
        "the bass steps on one and three": lambda song: share(bars(song, "Bass"), lambda p: {0, 8} <= p) >= 0.9,
        "root, then another tone": lambda song: len({p % 12 for *_, p in notes(song, "Bass")}) >= 3,
        "brushes or sticks never rest for long": lambda song: bool(bars(song, "Drums", "snare", "rim")),
    },
    "bluegrass": {
        "no drums": _no_drums,
        "the mandolin chops between the beats": lambda song: share(
            bars(song, "Mandolin"), lambda p: p == {2, 6, 10, 14}
        ) >= 0.95,
        "the banjo rolls": lambda song: share(bars(song, "Banjo"), lambda p: len(p) >= 8) >= 0.9,
        "the bass booms on the beat": lambda song: share(bars(song, "Bass"), lambda p: 0 in p and 8 in p) >= 0.9,
    },
    "disco": {
        "four on the floor": lambda song: share(bars(song, "Drums", "kick"), lambda p: {0, 4, 8, 12} <= p) >= 0.95,
        "an open hat on each offbeat": lambda song: share(
            bars(song, "Drums", "open"), lambda p: {2, 6, 10, 14} <= p
        ) >= 0.95,
        "the bass leaps octaves": lambda song: sum(
            abs(b[2] - a[2]) == 12 for a, b in zip(notes(song, "Bass"), notes(song, "Bass")[1:], strict=False)
        ) >= 0.4 * len(notes(song, "Bass")),
        "strings": lambda song: track_of(song, "Strings") is not None,
    },
    "afrobeats": {
        "a kick on the one and others off the beat": lambda song: share(
            bars(song, "Drums", "kick"), lambda p: 0 in p
        ) >= 0.95,
        "rim or snare in threes": lambda song: share(
            bars(song, "Drums", "rim", "snare"), lambda p: bool(p & {3, 6}) and bool(p & {11, 14})
        ) >= 0.95,
        "shakers run in sixteenths": lambda song: share(
            bars(song, "Percussion", "shaker"), lambda p: len(p) >= 12
        ) >= 0.9,
        "guitar lines weave off the beat": lambda song: share(
            bars(song, "Guitar"), lambda p: any(s % 2 for s in p)
        ) >= 0.9,
    },
    "reggaeton": {
        "a kick on each beat": lambda song: share(bars(song, "Drums", "kick"), lambda p: {0, 4, 8, 12} <= p) >= 0.95,
        "the dembow: three, three and two against it": lambda song: share(
            bars(song, "Drums", "snare", "rim"), lambda p: len(DEMBOW & p) >= 3
        ) >= 0.95,
        "the bass on three, three and two": lambda song: share(
            bars(song, "Bass"), lambda p: len(p & {0, 3, 6, 8, 11, 12, 14}) >= 3
        ) >= 0.8,
        "under 105": lambda song: song.tempos[0].bpm <= 105,
    },
    "drill": {
        "a snare on three, then on eight": lambda song: share(
            bars(song, "Drums", "snare"), lambda p: (8 in p) != (12 in p) and 4 not in p
        ) >= 0.9,
        "hats in three, three and two": lambda song: share(
            bars(song, "Drums", "hat"), lambda p: {0, 3, 8, 11} <= p
        ) >= 0.9,
        "the 808 leaps an octave": lambda song: any(
            abs(b[2] - a[2]) == 12 for a, b in zip(notes(song, "808"), notes(song, "808")[1:], strict=False)
        ),
        "notes of the 808 run into each other": lambda song: any(
            b[0] - (a[0] + a[1]) <= STEP // 4
            for a, b in zip(notes(song, "808"), notes(song, "808")[1:], strict=False) if a[2] != b[2]
        ),
        "around 142": lambda song: 136 <= song.tempos[0].bpm <= 148,
    },
    "trip_hop": {
        "slow": lambda song: song.tempos[0].bpm <= 96,
        "a backbeat": lambda song: share(bars(song, "Drums", "snare"), lambda p: {4, 12} <= p) >= 0.95,
        "the kick is broken": lambda song: share(
            bars(song, "Drums", "kick"), lambda p: 0 in p and any(s % 4 for s in p)
        ) >= 0.7,
        "the bass is deep": lambda song: all(pitch <= 50 for *_, pitch in notes(song, "Bass")),
    },
    "metal": {
        "guitars play roots and fifths": lambda song: _fifths(song, "Guitar left"),
        "two guitars play the same riff": lambda song: (
            track_of(song, "Guitar right") is None
            or share(
                {k: v ^ bars(song, "Guitar left").get(k, set()) for k, v in bars(song, "Guitar right").items()},
                lambda p: not p,
            ) >= 0.95
        ),
        "gallops: an eighth and two sixteenths": lambda song: share(
            bars(song, "Guitar left"), lambda p: {0, 2, 3} <= p or {4, 6, 7} <= p
        ) >= 0.5,
        "two bass drums": lambda song: share(bars(song, "Drums", "kick"), lambda p: len(p) >= 7) >= 0.5,
        "in a minor mode": lambda song: song.key.mode != "major",
    },
    "cumbia": {
        "the guacharaca: long, short, short": lambda song: share(
            bars(song, "Percussion", "cabasa"), lambda p: {0, 2, 3, 4, 6, 7, 8, 10, 11} <= p and not p & {1, 5, 9, 13}
        ) >= 0.95,
        "the bass on one, three and four": lambda song: share(
            bars(song, "Bass"), lambda p: {0, 8} <= p and 4 not in p
        ) >= 0.95,
        "chops between the beats": lambda song: share(bars(song, "Guitar"), lambda p: {2, 6, 10, 14} <= p) >= 0.9,
        "an accordion": lambda song: track_of(song, "Accordion") is not None,
    },
    "salsa": {
        "the son clave, one way or the other": lambda song: share(
            bars(song, "Percussion", "claves"), lambda p: p in ({4, 8}, TRESILLO)
        ) >= 0.95 and len(set(map(frozenset, bars(song, "Percussion", "claves").values()))) == 2,
        "the tumbao leaves the one and comes before it": lambda song: share(
            bars(song, "Bass"), lambda p: 0 not in p and 12 in p
        ) >= 0.9,
        "what is played on four is the next bar's root": lambda song: _comes_before(song),
        "the montuno in octaves": lambda song: all(
            len(p) == 1 or any(b - a == 12 for a in p for b in p) for p in struck(song, "Piano").values()
        ),
    },
    "folk": {
        "nobody drums: a tambourine at most": lambda song: all(
            track == track_of(song, "Tambourine") for track in song.tracks if track.instrument.startswith("kit_")
        ),
        "one picked guitar, the thumb on every beat and fingers between": lambda song: share(
            bars(song, "Guitar"), lambda p: {0, 4, 8, 12} <= p and len(p) >= 8
        ) >= 0.9 and all(len(p) == 1 for p in struck(song, "Guitar").values()),
        "the thumb walks between two strings": _thumb,
        "a story in three verses or more": lambda song: sum(s.name.startswith("Verse") for s in song.sections) >= 3,
        "two to the bar in the bass, one string at a time": lambda song: share(
            bars(song, "Bass"), lambda p: 0 in p and p <= {0, 8, 12, 14}
        ) >= 0.9,
    },
    "tango": {
        "no drums": _no_drums,
        "a bandoneon": lambda song: any(t.instrument == "organ_bandoneon" for t in song.tracks),
        "marcato: the bass on the beat": lambda song: share(bars(song, "Bass"), lambda p: {0, 8} <= p) >= 0.95,
        "piano in marcato or síncopa": lambda song: share(
            bars(song, "Piano"), lambda p: {0, 8} <= p or {0, 1, 6} <= p
        ) >= 0.9,
    },
}


def _comes_before(song: Song) -> bool:
    """Whether the bass has, on four, a tone that the montuno plays in the bar after it."""
    bar = bar_of(song)
    low = {start // bar: pitch % 12 for start, _, pitch in notes(song, "Bass") if (start + 60) % bar // BEAT == 3}
    high: dict[int, set[int]] = {}
    for start, _, pitch in notes(song, "Piano"):
        high.setdefault((start + 60) // bar, set()).add(pitch % 12)
    begins = {section.start // bar for section in song.sections}
    both = [(pitch, high[at + 1]) for at, pitch in low.items() if at + 1 in high and at + 1 not in begins]
    return bool(both) and sum(pitch in above for pitch, above in both) >= 0.75 * len(both)
