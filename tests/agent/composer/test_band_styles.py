"""Band styles: sound, bound to the words, and each with the rhythm that makes it what it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from msgspec import structs
from style_parts import track_of

from agent.composer.styles import Groove, Style, StyleBook
from agent.composer.writing.kit import PITCHES
from agent.song.key import Key
from agent.song.song import Song
from agent.theory.gate import findings

SEEDS = (1, 2, 3, 4, 5)
STYLES = ("boom_bap", "bossa_nova", "funk", "indie", "reggae", "rock", "soul", "swing")
FOUR_ON_THE_FLOOR = Groove(
    0.0, {"kick": "X...X...X...X...", "clap": "....X.......X...", "open": "..x...x...x...x.", "hat": "x.x.x.x.x.x.x.x."}
)
STEP, BEAT, BAR = 240, 960, 3840
EARLIEST = 60
"""Ticks that a player may be ahead of the step that is meant."""
Hits = dict[int, set[int]]
"""Steps of a bar at which something begins, by the bar's number in the song."""


def begins(song: Song, name: str, drum: str = "") -> list[tuple[int, int, int]]:
    """(bar, tick in the bar, velocity) of a track's notes; sections' last bars, which hold fills, are left out."""
    track = track_of(song, name)
    last = {section.end // BAR - 1 for section in song.sections}
    found = []
    for clip in track.clips if track else ():
        for note in clip.notes:
            bar, tick = divmod(clip.start + note.start + EARLIEST, BAR)
            if bar not in last and (not drum or note.pitch == PITCHES[drum]):
                found.append((bar, tick - EARLIEST, note.velocity))
    return found


def steps(song: Song, name: str, drum: str = "") -> Hits:
    bars: Hits = defaultdict(set)
    for bar, tick, _ in begins(song, name, drum):
        bars[bar].add((tick + EARLIEST) // STEP)
    return bars


def share(bars: Hits, wanted: Callable[[set[int]], bool]) -> float:
    """Share of the bars that are as wanted; 0 where nothing plays."""
    return sum(wanted(places) for places in bars.values()) / len(bars) if bars else 0.0


def lateness(song: Song, drum: str) -> float:
    """Mean milliseconds behind the grid of a drum on the beats."""
    ticks = [tick for _, tick, _ in begins(song, "Drums", drum) if (tick + EARLIEST) % BEAT < 2 * EARLIEST]
    late = [(tick + EARLIEST) % BEAT - EARLIEST for tick in ticks]
    return sum(late) / len(late) / BEAT * 60_000 / song.tempos[0].bpm if late else 0.0


def drops_the_one(song: Song) -> bool:
    kick, rim = steps(song, "Drums", "kick"), steps(song, "Drums", "rim")
    together = all({4, 12} <= kick[bar] & rim[bar] for bar in kick)
    skank = share(steps(song, "Skank"), lambda places: {2, 6, 10, 14} <= places and 0 not in places)
    return bool(kick) and together and not any({0, 8} & places for places in kick.values()) and skank == 1


def has_the_clave(song: Song) -> bool:
    three, two = {0, 6, 12}, {4, 10}
    rim = steps(song, "Drums", "rim")
    pairs = [(rim[bar], rim[bar + 1]) for bar in sorted(rim) if bar + 1 in rim]
    good = sum((a, b) in ((three, two), (two, three)) for a, b in pairs)
    surdo = share(steps(song, "Percussion", "surdo_open"), lambda places: 8 in places)
    return bool(pairs) and good >= 0.85 * len(pairs) and surdo == 1


def swings(song: Song) -> bool:
    ride = [tick for _, tick, _ in begins(song, "Drums", "ride")]
    between = [tick % BEAT for tick in ride if 300 < tick % BEAT < 900]
    lang = sum(600 <= place <= 690 for place in between)
    walks = share(steps(song, "Bass"), lambda places: {0, 4, 8, 12} <= places)
    pedal = share(steps(song, "Drums", "pedal"), lambda places: places == {4, 12})
    kick = [velocity for *_, velocity in begins(song, "Drums", "kick")]
    feathered = sum(velocity < 60 for velocity in kick) >= 0.7 * len(kick)
    return bool(between) and lang == len(between) and walks >= 0.95 and pedal == 1 and feathered


def is_funky(song: Song) -> bool:
    bass, snare = steps(song, "Bass"), begins(song, "Drums", "snare")
    off = sum(place % 4 != 0 for places in bass.values() for place in places)
    loud = max((velocity for *_, velocity in snare), default=0)
    ghosts = sum(velocity < 0.65 * loud for *_, velocity in snare)
    kick = steps(song, "Drums", "kick")
    one = [bar for bar in bass if bar in kick]
    together = sum(0 in bass[bar] and 0 in kick[bar] for bar in one)
    off_kick = share(kick, lambda places: any(place % 4 for place in places))
    haunted = ghosts >= len({bar for bar, *_ in snare})
    return off >= 2.5 * len(bass) and haunted and together == len(one) and off_kick == 1


def nods(song: Song) -> bool:
    hats = [tick % 480 for _, tick, _ in begins(song, "Drums", "kick") if (tick + EARLIEST) // STEP % 2]
    swung = bool(hats) and sum(hats) / len(hats) > 240 + 30
    backbeat = share(steps(song, "Drums", "snare"), lambda places: {4, 12} <= places)
    return backbeat == 1 and swung and lateness(song, "snare") - lateness(song, "kick") >= 8


def is_soul(song: Song) -> bool:
    kick, bass = steps(song, "Drums", "kick"), steps(song, "Bass")
    shared = [(kick[bar], bass[bar]) for bar in kick if bar in bass]
    tied = sum(len(drum & low) for drum, low in shared) >= 0.6 * sum(len(drum) for drum, _ in shared)
    chops = share(steps(song, "Guitar"), lambda places: {4, 12} <= places and 0 not in places)
    backbeat = share(steps(song, "Drums", "snare"), lambda places: {4, 12} <= places)
    return bool(shared) and tied and chops == 1 and backbeat == 1 and lateness(song, "snare") >= 3


def rocks(song: Song) -> bool:
    guitars: dict[int, set[int]] = defaultdict(set)
    track = track_of(song, "Guitar left")
    for clip in track.clips if track else ():
        for note in clip.notes:
            guitars[(clip.start + note.start) // 40].add(note.pitch % 12)
    power = all(len(p) == 1 or (max(p) - min(p) in (5, 7) and len(p) == 2) for p in guitars.values())
    backbeat = share(steps(song, "Drums", "snare"), lambda places: {4, 12} <= places)
    kick = share(steps(song, "Drums", "kick"), lambda places: 0 in places and not places & {4, 12})
    eighths = Counter(len(places) >= 7 for places in steps(song, "Bass").values())
    return bool(guitars) and power and backbeat == 1 and kick == 1 and eighths[True] >= 6


def jangles(song: Song) -> bool:
    bass = share(steps(song, "Bass"), lambda places: len(places) >= 7)
    guitar = share(steps(song, "Jangle guitar"), lambda places: len(places) >= 7)
    kick = share(steps(song, "Drums", "kick"), lambda places: 0 in places and not places & {4, 12})
    snare = share(steps(song, "Drums", "snare"), lambda places: {4, 12} <= places)
    return bass >= 0.4 and guitar >= 0.8 and kick == 1 and snare == 1


SIGNATURES: dict[str, Callable[[Song], bool]] = {
    "boom_bap": nods, "bossa_nova": has_the_clave, "funk": is_funky, "indie": jangles, "reggae": drops_the_one,
    "rock": rocks, "soul": is_soul, "swing": swings,
}


def asked(style: str) -> str:
    return f"a {style.replace('_', ' ')} song"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("style", STYLES)
def test_a_band_style_passes_the_gate_and_has_its_signature(bench, style, seed):
    draft = bench.draft(asked(style), seed=seed)
    judged = bench.review(draft, bench.nothing)
    song = judged.preview.song
    assert judged.plan.lint == ()
    assert findings(song, bench.palette) == ()
    low, high = bench.styles.style(style).tempo
    assert low <= song.tempos[0].bpm <= high
    assert all(step.title and step.group and step.why for step in draft.steps)
    assert {song.bar_map.count(track.end) for track in song.tracks} == {song.bars}
    assert SIGNATURES[style](song)


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("style", STYLES)
def test_a_band_leaves_the_top_to_the_tune(bench, style, seed):
    song = bench.compose(asked(style), seed)
    parts = bench.styles.style(style).parts
    by_role: dict[str, list[list[int]]] = defaultdict(list)
    for part in parts:
        track = track_of(song, part.name)
        if track is not None:
            by_role[part.role].append(sorted(note.pitch for clip in track.clips for note in clip.notes))
    (tune,) = by_role["lead"]
    for low in by_role["chords"] + by_role["pad"]:
        assert tune[len(tune) // 2] > low[len(low) * 3 // 4]


@pytest.mark.parametrize("style", STYLES)
def test_four_on_the_floor_is_not_the_style(bench, style):
    def levelled(known: Style) -> Style:
        return structs.replace(known, grooves=(FOUR_ON_THE_FLOOR,)) if known.name == style else known

    other = replace(bench, styles=StyleBook(tuple(levelled(known) for known in bench.styles.styles)))
    for seed in SEEDS[:2]:
        assert not SIGNATURES[style](other.compose(asked(style), seed))


@pytest.mark.parametrize("style", STYLES)
def test_a_band_style_takes_tempo_and_key_as_stated(bench, style):
    song = bench.compose(f"a {style.replace('_', ' ')} song in F# minor at 97 bpm, 24 bars", 2)
    assert (song.tempos[0].bpm, song.key, song.bars) == (97, Key("F#", "minor"), 24)
    assert findings(song, bench.palette) == ()


@pytest.mark.parametrize("mode", ["major", "minor", "dorian", "phrygian", "lydian", "mixolydian", "harmonic minor"])
@pytest.mark.parametrize("style", STYLES)
def test_a_band_style_stays_in_every_mode(bench, style, mode):
    song = bench.compose(f"a {style.replace('_', ' ')} song in D {mode}, 24 bars", 1)
    assert [found.message for found in findings(song, bench.palette) if found.rule == "key"] == []


@pytest.mark.parametrize("style", STYLES)
def test_sections_of_a_band_style_differ_and_its_energies_have_grooves(bench, style):
    known = bench.styles.style(style)
    assert len({groove.energy for groove in known.grooves}) >= 3
    assert len(known.forms) >= 2
    assert all(part.why for part in known.parts)
    song = bench.compose(asked(style), 4)
    playing = [
        {
            track.id for track in song.tracks
            for clip in track.clips if clip.start < section.end and section.start < clip.end
        }
        for section in song.sections
    ]
    assert sum(a != b for a, b in pairwise(playing)) >= 2


@pytest.mark.parametrize(
    ("words", "style"),
    [
        ("a rock song", "rock"), ("hard rock", "rock"), ("an indie pop song", "indie"), ("something funky", "funk"),
        ("a motown tune", "soul"), ("roots reggae", "reggae"), ("a 90s hip hop beat", "boom_bap"),
        ("a boom-bap beat", "boom_bap"), ("bossa nova", "bossa_nova"), ("a samba", "bossa_nova"),
        ("a big band tune", "swing"), ("swing", "swing"), ("a jazz trio piece", "jazz"), ("a hip hop beat", "trap"),
    ],
)
def test_band_styles_are_known_by_their_words(bench, words, style):
    assert f"style {style.replace('_', ' ')}" in " ".join(bench.draft(f"compose {words}").understood).casefold() or (
        bench.styles.style(style).label.casefold() in " ".join(bench.draft(f"compose {words}").understood).casefold()
    )


def test_a_part_plays_behind_the_beat_only_where_its_style_says_so(bench):
    late = bench.compose(asked("boom_bap"), 1)

    def on_time(known: Style) -> Style:
        return structs.replace(known, parts=tuple(structs.replace(part, late_ms={}) for part in known.parts))

    other = replace(bench, styles=StyleBook(tuple(on_time(known) for known in bench.styles.styles)))
    plain = other.compose(asked("boom_bap"), 1)
    assert lateness(late, "snare") - lateness(plain, "snare") == pytest.approx(13, abs=1.5)
    assert lateness(late, "kick") == lateness(plain, "kick")
