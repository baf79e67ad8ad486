"""What a player would listen for in styles of dances, halls and ensembles: sentences and judgements of a song."""

from __future__ import annotations

from itertools import combinations, pairwise

from song_steps import BEAT, EARLIEST, STEP, bar_of, bars, notes, share, struck
from style_parts import track_of
from style_signs_bands import Signs

from agent.song.song import Section, Song

CHOIR = ("Soprano", "Alto", "Tenor", "Bass")


def _section(song: Song, name: str) -> Section | None:
    return next((section for section in song.sections if section.name == name), None)


def _tune(song: Song, name: str, section: Section, without: int) -> list[tuple[int, int]]:
    """Steps from a section's start and pitches of the tune in it, without its last bars."""
    end = section.end - without * bar_of(song)
    return [
        ((start - section.start + EARLIEST) // STEP, pitch) for start, _, pitch in notes(song, name)
        if section.start - EARLIEST <= start < end - EARLIEST
    ]


def _repeats(song: Song, *singers: str) -> bool:
    """Whether each section that is called a repeat has the tune of the one before it.

    The last bar, from which an upbeat may lead on, and the cadence of the piece may be others.
    """
    for before, again in pairwise(song.sections):
        without = 3 if again is song.sections[-1] else 1
        for name in singers if again.name == f"{before.name} repeat" else ():
            one, two = _tune(song, name, before, without), _tune(song, name, again, without)
            if one and two and one != two:
                return False
    return True


def _voices(song: Song) -> list[tuple[int, ...]]:
    """The four pitches that sound on each beat on which all four sing."""
    tracks = [notes(song, name) for name in CHOIR]
    end = max(start for start, *_ in tracks[0])
    found = []
    for at in range(0, end + 1, BEAT):
        here = [[p for s, length, p in one if s - EARLIEST <= at + EARLIEST < s + length] for one in tracks]
        if all(here):
            found.append(tuple(one[-1] for one in here))
    return found


def _no_parallels(song: Song) -> bool:
    """Whether no more than one step in a hundred is in parallel fifths or octaves."""
    steps = bad = 0
    for before, after in pairwise(_voices(song)):
        if before == after:
            continue
        steps += 1
        bad += any(
            before[a] != after[a] and before[b] != after[b]
            and (before[a] - before[b]) % 12 == (after[a] - after[b]) % 12 and (after[a] - after[b]) % 12 in (0, 7)
            for a, b in combinations(range(4), 2)
        )
    return bad <= 0.01 * steps


def _in_range(song: Song) -> bool:
    ranges = {"Soprano": (60, 79), "Alto": (55, 74), "Tenor": (47, 67), "Bass": (40, 62)}
    return all(low <= pitch <= high for name, (low, high) in ranges.items() for *_, pitch in notes(song, name))


def _imitates(song: Song) -> bool:
    """Whether the left hand has, in the second bar, what the right had in the first, octaves lower."""
    bar = bar_of(song)
    right = [((s + EARLIEST) // STEP, p) for s, _, p in notes(song, "Right hand") if s < bar - EARLIEST]
    second = [(s - bar, p) for s, _, p in notes(song, "Left hand") if bar - EARLIEST <= s < 2 * bar - EARLIEST]
    left = [((s + EARLIEST) // STEP, p) for s, p in second]
    same = [step for step, _ in right] == [step for step, _ in left]
    apart = {(a - b) % 12 for (_, a), (_, b) in zip(right, left, strict=False)}
    alike = same and len(apart) == 1
    # over another chord it rises and falls in the same places
    rises = [b > a for (_, a), (_, b) in pairwise(right)] == [b > a for (_, a), (_, b) in pairwise(left)]
    return alike or (same and rises)


def _sweet(song: Song) -> bool:
    """Whether the two hands hardly ever meet in a second or a seventh on a beat."""
    hands = [notes(song, name) for name in ("Right hand", "Left hand")]
    meet = harsh = 0
    for at in range(0, max(s for s, *_ in hands[0]), BEAT):
        here = [[p for s, _, p in one if abs(s - at) <= EARLIEST] for one in hands]
        if all(here):
            meet += 1
            harsh += (here[0][0] - here[1][0]) % 12 in (1, 2, 10, 11)
    return meet > 0 and harsh <= 0.12 * meet


def _last_is_major(song: Song) -> bool:
    end = song.sections[-1].end - bar_of(song) - EARLIEST
    last = {n.pitch % 12 for t in song.tracks for c in t.clips for n in c.notes if c.start + n.start >= end}
    return (song.key.pitch_class + 4) % 12 in last


def _interlocks(song: Song) -> bool:
    """Whether two players together fill the steps that neither fills alone."""
    polos, sangsih = bars(song, "Polos"), bars(song, "Sangsih")
    both = [bar for bar in polos if bar in sangsih]
    whole = sum(len(polos[bar] | sangsih[bar]) >= 15 for bar in both)
    alone = all(len(polos[bar]) <= 12 and len(sangsih[bar]) <= 12 for bar in both)
    return bool(both) and whole >= 0.9 * len(both) and alone


def _few_tones(song: Song) -> bool:
    pitched = [track.name for track in song.tracks if not track.instrument.startswith("kit_")]
    return len({pitch % 12 for name in pitched for *_, pitch in notes(song, name)}) <= 5


def _middle(song: Song, name: str) -> float:
    pitches = [pitch for *_, pitch in notes(song, name)]
    return sum(pitches) / len(pitches)


def _trio_is_higher(song: Song) -> bool:
    trio, first = _section(song, "Trio"), song.sections[0]
    if trio is None:
        return False
    roots = [p % 12 for s, _, p in notes(song, "Tuba") if trio.start - EARLIEST <= s < trio.start + EARLIEST]
    return first.start == 0 and roots[:1] == [(song.key.pitch_class + 5) % 12]


CONCERT: dict[str, Signs] = {
    "jig_and_reel": {
        "parts of eight bars": lambda song: all(s.end - s.start == 8 * bar_of(song) for s in song.sections),
        "each is played twice, note for note": lambda song: _repeats(song, "Fiddle", "Whistle"),
        "the tune runs": lambda song: max(
            share(bars(song, name), lambda p: len(p) >= 6) for name in ("Fiddle", "Whistle")
        ) >= 0.6,
        "a bodhrán instead of a kit": lambda song: track_of(song, "Drums") is None,
    },
    "march": {
        "in two": lambda song: (song.meters[0].beats, song.meters[0].unit) == (2, 4),
        "oom: the tuba on the beat": lambda song: share(bars(song, "Tuba"), lambda p: {0, 4} <= p) >= 0.95,
        "pah: the horns after it": lambda song: share(
            bars(song, "Horns"), lambda p: {2, 6} <= p and not p & {0, 4}
        ) >= 0.95,
        "a trio in the subdominant": _trio_is_higher,
        "strains are repeated": lambda song: _repeats(song, "Cornet"),
    },
    "childrens_song": {
        "within an octave and a third": lambda song: (
            max(p for *_, p in notes(song, "Voice")) - min(p for *_, p in notes(song, "Voice")) <= 16
        ),
        "in major": lambda song: song.key.mode == "major",
        "no notes faster than eighths": lambda song: all(s % 2 == 0 for p in bars(song, "Voice").values() for s in p),
    },
    "baroque": {
        "the left hand takes up the subject": _imitates,
        "two hands alone": lambda song: {t.name for t in song.tracks} == {"Right hand", "Left hand"},
        "thirds and sixths on the beats": _sweet,
        "one note at a time": lambda song: all(len(p) == 1 for p in struck(song, "Right hand").values()),
        "a minor piece ends on a major chord": lambda song: song.key.mode != "minor" or _last_is_major(song),
        "strains are repeated": lambda song: _repeats(song, "Right hand", "Left hand"),
    },
    "chorale": {
        "four voices": lambda song: set(CHOIR) <= {t.name for t in song.tracks},
        "each in its range": _in_range,
        "none cross": lambda song: all(s >= a >= t >= b for s, a, t, b in _voices(song)),
        "no parallel fifths or octaves": _no_parallels,
        "phrases of two bars end on a longer chord": lambda song: sum(
            length >= 1.6 * BEAT for start, length, _ in notes(song, "Soprano")
        ) >= song.bars // 4,
        "a minor piece ends on a major chord": lambda song: song.key.mode != "minor" or _last_is_major(song),
    },
    "chamber_quartet": {
        "two violins, viola and cello": lambda song: sorted(t.instrument for t in song.tracks) == [
            "strings_cello", "strings_viola", "strings_violin", "strings_violin",
        ],
        "the cello is lowest and the first violin on top": lambda song: (
            _middle(song, "Cello") < _middle(song, "Viola") < max(_middle(song, t.name) for t in song.tracks[:2])
        ),
        "all four play in each section": lambda song: all(
            any(s.start - EARLIEST <= at < s.end for at, *_ in notes(song, t.name))
            for s in song.sections for t in song.tracks
        ),
        "the theme comes again note for note where it is repeated": lambda song: _repeats(song, song.tracks[0].name),
    },
    "gamelan": {
        "five tones": _few_tones,
        "a gong opens each cycle of four bars": lambda song: {
            (s + EARLIEST) // bar_of(song) % 4 for s, *_ in notes(song, "Gong")
        } == {0},
        "two players interlock": _interlocks,
        "the core melody in even notes, on the beats": lambda song: sum(
            step % 4 == 0 for steps in bars(song, "Saron").values() for step in steps
        ) >= 0.9 * sum(map(len, bars(song, "Saron").values())),
    },
}
