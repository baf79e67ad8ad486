"""Twelve styles by their signature: what makes each of them what it is, and that another style has it not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from statistics import mean, median

import pytest
from msgspec import structs
from style_parts import track_of

from agent.composer.styles import Form, Style, StyleBook
from agent.composer.writing.kit import PITCHES
from agent.song.song import Song
from agent.theory.gate import findings
from agent.theory.sounding import percussive_tracks

SEEDS = (1, 2, 3, 4)
STYLES = (
    "ambient", "cinematic", "drum_and_bass", "house", "jazz", "lofi", "lullaby", "neoclassical", "pop", "synthwave",
    "techno", "trap",
)
STEP, BEAT = 240, 960
EARLIEST = 60
"""Ticks that a player may be ahead of the step that is meant."""
KETTLEDRUMS = frozenset(range(41, 54))
"""Where the orchestra's kit has them."""
Hits = dict[int, set[int]]
"""Steps of a bar at which something begins, by the bar's number in the song."""


def bar_of(song: Song) -> int:
    return song.meters[0].beats * BEAT * 4 // song.meters[0].unit


def notes(song: Song, name: str) -> list[tuple[int, int, int, int]]:
    """(start, length, pitch, velocity) of a track's notes, without the song's last bar."""
    track, last = track_of(song, name), song.sections[-1].end - bar_of(song)
    return sorted(
        (clip.start + note.start, note.duration, note.pitch, note.velocity)
        for clip in (track.clips if track else ()) for note in clip.notes if clip.start + note.start < last - EARLIEST
    )


def begins(song: Song, name: str, drum: str = "") -> list[tuple[int, int]]:
    """(bar, tick in the bar) of notes; the last bar of each section, which may lead over, is left out."""
    bar = bar_of(song)
    lead_over = {section.end // bar - 1 for section in song.sections}
    found = []
    for start, _, pitch, _ in notes(song, name):
        number, tick = divmod(start + EARLIEST, bar)
        if number not in lead_over and (not drum or pitch == PITCHES[drum]):
            found.append((number, tick - EARLIEST))
    return found


def steps(song: Song, name: str, *drums: str) -> Hits:
    bars: Hits = defaultdict(set)
    for drum in drums or ("",):
        for number, tick in begins(song, name, drum):
            bars[number].add((tick + EARLIEST) // STEP)
    return bars


def share(bars: Hits, wanted: Callable[[set[int]], bool]) -> float:
    """Share of the bars that are as wanted; 0 where nothing plays."""
    return sum(wanted(places) for places in bars.values()) / len(bars) if bars else 0.0


def lateness(song: Song, name: str, grid: int) -> float:
    """Mean ticks by which notes on every second place of a grid come late; 0 where there are none."""
    late = [
        tick % (2 * grid) - grid for _, tick in begins(song, name)
        if grid - EARLIEST < tick % (2 * grid) < 1.7 * grid
    ]
    return mean(late) if late else 0.0


def at_once(song: Song, name: str) -> list[set[int]]:
    """The pitch classes struck or rolled together, for each stroke."""
    strokes: list[tuple[int, set[int]]] = []
    for start, _, pitch, _ in notes(song, name):
        if strokes and start - strokes[-1][0] < EARLIEST:
            strokes[-1][1].add(pitch % 12)
        else:
            strokes.append((start, {pitch % 12}))
    return [classes for _, classes in strokes]


def four_on_the_floor(song: Song) -> bool:
    return share(steps(song, "Drums", "kick"), lambda places: {0, 4, 8, 12} <= places) >= 0.95


def is_house(song: Song) -> bool:
    hats = share(steps(song, "Drums", "open", "hat"), lambda places: {2, 6, 10} <= places)
    claps = share(steps(song, "Drums", "clap"), lambda places: {4, 12} <= places)
    between = [step for places in steps(song, "Bass").values() for step in places]
    off = sum(step % 4 != 0 for step in between) >= 0.7 * len(between)
    return four_on_the_floor(song) and hats >= 0.95 and claps >= 0.95 and off and song.tempos[0].bpm <= 127


def is_techno(song: Song) -> bool:
    line = steps(song, "Sequence")
    busiest = max((len(places) for places in line.values()), default=0)
    odd = any(step % 2 for places in line.values() for step in places)
    on_the_kick = share(steps(song, "Bass"), lambda places: bool(places & {0, 4, 8, 12}))
    sevens = {frozenset(places) for places in at_once(song, "Pad")}
    tight = all(abs(tick % STEP - (STEP if tick % STEP > STEP // 2 else 0)) < 12 for _, tick in begins(song, "Drums"))
    hypnotic = busiest >= 6 and odd and len(sevens) <= 6
    return four_on_the_floor(song) and hypnotic and on_the_kick <= 0.3 and tight and song.tempos[0].bpm >= 128


def is_trap(song: Song) -> bool:
    back = share(steps(song, "Drums", "clap", "snare"), lambda places: 8 in places and not places & {4, 12})
    rolls = share(steps(song, "Drums", "hat"), lambda places: any({at, at + 1, at + 2} <= places for at in range(14)))
    low = notes(song, "808")
    long = bool(low) and median(length for _, length, _, _ in low) >= 0.7 * BEAT
    kick, sub = steps(song, "Drums", "kick"), steps(song, "808")
    together = [number for number in kick if number in sub]
    return back >= 0.95 and rolls >= 0.3 and long and bool(together) and all(0 in kick[n] & sub[n] for n in together)


def breaks(song: Song) -> bool:
    kick = share(steps(song, "Drums", "kick"), lambda places: {0, 10} <= places and not places & {4, 8, 12})
    snare = share(steps(song, "Drums", "snare", "rim"), lambda places: {4, 12} <= places)
    ghosts = share(steps(song, "Drums", "snare"), lambda places: len(places) >= 4)
    chords = [length for _, length, _, _ in notes(song, "Pad")]
    slow = not chords or median(chords) >= 1.8 * 4 * BEAT
    return kick >= 0.8 and snare >= 0.95 and ghosts >= 0.6 and slow and song.tempos[0].bpm >= 165


def is_jazz(song: Song) -> bool:
    ride = share(steps(song, "Drums", "ride"), lambda places: {0, 4, 6, 8, 12, 14} <= places)
    pedal = share(steps(song, "Drums", "pedal"), lambda places: places == {4, 12})
    walks = share(steps(song, "Bass"), lambda places: {0, 4, 8, 12} <= places)
    bass, bar = notes(song, "Bass"), bar_of(song)
    ones = [pitch % 12 for start, _, pitch, _ in bass if (start + EARLIEST) % bar < 2 * EARLIEST]
    fourths = sum((b - a) % 12 == 5 for a, b in pairwise(ones)) >= 0.35 * len(ones)
    sevenths = [chord for chord in at_once(song, "Comping") if len(chord) >= 3]
    swung = 100 <= lateness(song, "Drums", BEAT // 2) <= 200
    return ride >= 0.95 and pedal >= 0.95 and walks >= 0.6 and fourths and len(sevenths) > 10 and swung


def is_lofi(song: Song) -> bool:
    chords = [chord for chord in at_once(song, "Rhodes") if len(chord) > 1]
    rich = sum(len(chord) >= 4 for chord in chords) >= 0.8 * len(chords)
    back = share(steps(song, "Drums", "snare", "rim"), lambda places: {4, 12} <= places)
    loud = [velocity for _, _, _, velocity in notes(song, "Drums")]
    lazy = lateness(song, "Drums", STEP) >= 40 and lateness(song, "Rhodes", STEP) >= 30
    return bool(chords) and rich and back >= 0.95 and lazy and max(loud) <= 104 and song.tempos[0].bpm <= 88


def floats(song: Song) -> bool:
    bar = bar_of(song)
    pad = [length for _, length, _, _ in notes(song, "Deep pad")]
    busy = sum(track.note_count for track in song.tracks) / song.bars
    held = bool(pad) and median(pad) >= 1.9 * bar
    return held and busy <= 9 and song.tempos[0].bpm <= 76


def grows(song: Song) -> bool:
    loud: dict[str, float] = {}
    tracks: dict[str, int] = {}
    for section in song.sections:
        inside = [
            (track.id, note.velocity) for track in song.tracks for clip in track.clips for note in clip.notes
            if section.start <= clip.start + note.start < section.end
        ]
        loud[section.name] = mean(velocity for _, velocity in inside)
        tracks[section.name] = len({track for track, _ in inside})
    peak = max(loud, key=lambda name: loud[name])
    first = song.sections[0].name
    drums = track_of(song, "Low drums")
    if drums is not None and drums.instrument == "kit_orchestra":
        low = bool({pitch for _, _, pitch, _ in notes(song, "Low drums")} & KETTLEDRUMS)
        metal = False
    else:
        low = bool(steps(song, "Low drums", "tom_low"))
        metal = bool(steps(song, "Low drums", "hat", "ride", "open"))
    rises = loud[peak] >= loud[first] + 12 and tracks[peak] >= tracks[first] + 3
    return rises and low and not metal and track_of(song, "Ostinato") is not None


def rocks_the_cradle(song: Song) -> bool:
    if (song.meters[0].beats, song.meters[0].unit) != (3, 4):
        return False
    cradle = share(steps(song, "Cradle"), lambda places: {0, 4, 8} <= places and not any(step % 2 for step in places))
    tune = [pitch for _, _, pitch, _ in notes(song, "Tune")]
    soft = max(note.velocity for track in song.tracks for clip in track.clips for note in clip.notes) <= 88
    return cradle >= 0.95 and bool(tune) and min(tune) >= 64 and soft and song.tempos[0].bpm <= 84


def two_hands(song: Song) -> bool:
    left, right = notes(song, "Left hand"), notes(song, "Right hand")
    if not left or not right:
        return False
    piano = {track.instrument for track in song.tracks if track != track_of(song, "Far strings")} == {"piano_grand"}
    broken = all(len(chord) == 1 for chord in at_once(song, "Left hand"))
    above = median(pitch for _, _, pitch, _ in right) >= median(pitch for _, _, pitch, _ in left) + 12
    return piano and broken and above and max(pitch for _, _, pitch, _ in left) <= 72


def sings_its_chorus(song: Song) -> bool:
    sections = {section.name: section for section in song.sections}
    names = [name for name in sections if name.startswith("Chorus")][:2]
    if len(names) < 2:
        return False
    tunes = []
    for name in names:
        start = sections[name].start
        end = start + 2 * bar_of(song)
        tunes.append([pitch for at, _, pitch, _ in notes(song, "Lead") if start - EARLIEST <= at < end])
    same = sum(a == b for a, b in zip(*tunes, strict=False)) >= 0.8 * max(map(len, tunes))
    back = share(steps(song, "Drums", "snare", "rim"), lambda places: {4, 12} <= places)
    return bool(tunes[0]) and same and back >= 0.95


def is_synthwave(song: Song) -> bool:
    motor = share(steps(song, "Bass"), lambda places: {0, 2, 4, 6, 8, 10} <= places)
    back = share(steps(song, "Drums", "snare"), lambda places: {4, 12} <= places)
    arp = share(steps(song, "Arp"), lambda places: len(places) >= 7)
    acoustic = {"piano", "guitar", "woodwind", "choir"} & {track.instrument.partition("_")[0] for track in song.tracks}
    return motor >= 0.7 and back >= 0.95 and arp >= 0.8 and not acoustic


SIGNATURES: dict[str, Callable[[Song], bool]] = {
    "ambient": floats, "cinematic": grows, "drum_and_bass": breaks, "house": is_house, "jazz": is_jazz,
    "lofi": is_lofi, "lullaby": rocks_the_cradle, "neoclassical": two_hands, "pop": sings_its_chorus,
    "synthwave": is_synthwave, "techno": is_techno, "trap": is_trap,
}
BEATLESS = ("ambient", "lullaby", "neoclassical")


def asked(style: str) -> str:
    return f"a {style.replace('_', ' ')} piece"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("style", STYLES)
def test_a_style_has_its_signature_and_passes_the_gate(bench, style, seed):
    song = bench.compose(asked(style), seed)
    assert findings(song, bench.palette) == ()
    low, high = bench.styles.style(style).tempo
    assert low <= song.tempos[0].bpm <= high
    assert SIGNATURES[style](song)
    assert bool(percussive_tracks(song, bench.palette)) == (style not in BEATLESS)


@pytest.mark.parametrize("style", STYLES)
def test_another_music_under_its_name_has_not_its_signature(bench, style):
    other = bench.styles.style("rock" if style != "pop" else "jazz")
    own = bench.styles.style(style)
    names = {ours.role: ours.name for ours in reversed(own.parts)}

    def called(known: Style) -> Style:
        """The other style, its parts called as those of this one where they have the same role."""
        fresh = {part.name: names.get(part.role, part.name) for part in known.parts}
        taken: set[str] = set()
        for old, new in fresh.items():
            fresh[old] = old if new in taken else new
            taken.add(fresh[old])
        forms = tuple(
            Form(tuple(structs.replace(one, parts=tuple(fresh[name] for name in one.parts)) for one in form.sections))
            for form in known.forms
        )
        parts = tuple(structs.replace(part, name=fresh[part.name]) for part in known.parts)
        return structs.replace(known, name=style, label=own.label, words=own.words, forms=forms, parts=parts)

    book = StyleBook(tuple(called(other) if known.name == style else known for known in bench.styles.styles))
    disguised = replace(bench, styles=book)
    for seed in SEEDS[:2]:
        song = disguised.compose(asked(style), seed)
        assert track_of(song, other.parts[0].name) or set(names.values()) & {track.name for track in song.tracks}
        assert not SIGNATURES[style](song)


@pytest.mark.parametrize("style", STYLES)
def test_a_style_has_three_forms_and_chords_enough(bench, style):
    known = bench.styles.style(style)
    assert len(known.forms) >= 3
    assert len({tuple((one.name, one.energy) for one in form.sections) for form in known.forms}) == len(known.forms)
    assert known.rules is not None
    for mode in ("major", "minor"):
        assert 4 <= len(set(getattr(known.progressions, mode))) <= 8, mode
    for mode in set(known.modes) & {"dorian", "phrygian", "lydian", "mixolydian"}:
        assert len(set(getattr(known.progressions, mode))) >= 4, mode
    played = {name for form in known.forms for section in form.sections for name in section.parts}
    assert {part.name for part in known.parts if not getattr(part, "builds", False)} <= played
    assert all(part.why for part in known.parts)


@pytest.mark.parametrize("style", STYLES)
def test_seeds_bring_different_forms_chords_and_tunes(bench, style):
    songs = [bench.compose(asked(style), seed) for seed in range(6)]
    assert len({tuple(section.name for section in song.sections) for song in songs}) >= 2
    assert len({tuple(note.pitch for track in song.tracks for clip in track.clips for note in clip.notes)
                for song in songs}) == 6
