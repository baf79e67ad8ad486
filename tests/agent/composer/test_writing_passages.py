"""From section to section and to the end: upbeats, rolls, risers, breath, turnarounds, cadences, endings, casting."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import SectionStyle, Style, Transitions
from agent.composer.tones import Tone
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.writing.casting import cast
from agent.composer.writing.kit import PITCHES
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import Performance, perform, play, stage_of
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.sounding import sounding

SEEDS = (1, 2, 3, 4)
BEAT = 960


def staged(bench, style: Style, seed: int) -> tuple[NewPiece, Performance]:
    dice = Dice(seed, "passages")
    piece = decide(style, Intent(goal="compose", style=style.name), bench.palette, dice)
    return piece, stage_of(piece.style, piece.players, piece.scenes, piece.frame, dice)


def with_transitions(bench, name: str, **changes) -> Style:
    style = bench.styles.style(name)
    return structs.replace(style, transitions=structs.replace(style.transitions, **changes))


def player_of(piece: NewPiece, role: str):
    return next(player for player in piece.players if player.style.role == role)


def heard(piece: NewPiece, stage: Performance, name: str) -> list[Tone]:
    player = next(player for player in piece.players if player.style.name == name)
    return sorted(tone for passage in perform(player, stage).passages for tone in passage.tones)


@pytest.mark.parametrize("style", ["indie", "pop_ballad", "swing", "waltz"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_tune_may_take_an_upbeat_that_steps_to_its_first_note(bench, style, seed):
    piece, stage = staged(bench, with_transitions(bench, style, pickup=1.0), seed)
    none, _ = staged(bench, with_transitions(bench, style, pickup=0.0), seed)
    plain = stage_of(none.style, none.players, none.scenes, none.frame, Dice(seed, "passages"))
    found = 0
    for scene, following in pairwise(piece.scenes):
        line, bare = stage.tune.get(scene.index, []), plain.tune.get(scene.index, [])
        if following.index not in stage.tune or line == bare:
            continue
        first = stage.tune[following.index][0]
        upbeat = [tone for tone in line if tone not in bare and tone.start >= scene.end - 2 * BEAT]
        assert 1 <= len(upbeat) <= 4
        assert scene.end - BEAT // 2 <= upbeat[-1].end <= scene.end
        # by step, or a single note from a fourth below
        assert all(abs(a.pitch - b.pitch) <= 3 for a, b in pairwise([*upbeat, first])) or (
            len(upbeat) == 1 and first.pitch - upbeat[0].pitch == 5
        )
        found += 1
    assert found


def test_an_upbeat_begins_before_the_section_on_the_singers_track(bench):
    piece, stage = staged(bench, with_transitions(bench, "indie", pickup=1.0), 1)
    tones = heard(piece, stage, "Voice")
    entries = [b for a, b in pairwise(piece.scenes) if "Voice" in b.parts and "Voice" not in a.parts]
    assert any(scene.start - 2 * BEAT <= tone.start < scene.start - 60 for scene in entries for tone in tones)


def test_a_bass_walks_up_where_its_style_says_so(bench):
    for share, least in ((1.0, 1), (0.0, 0)):
        style = with_transitions(bench, "rock", walk=share)
        piece, _ = staged(bench, style, 2)
        bass, still = player_of(piece, "bass"), with_transitions(bench, "rock", walk=0.0)
        walked = 0
        for scene, following in pairwise(piece.scenes):
            if {bass.style.name} <= set(scene.parts) & set(following.parts):
                args = (scene, piece.frame, Dice(1, "bass"))
                plain = play(bass, still, *args, fill=True, following=following)
                led = play(bass, piece.style, *args, fill=True, following=following)
                walked += plain != led
                last = max(led)
                assert plain == led or min((last.pitch - following.chords[0].chord.lowest) % 12,
                                           (following.chords[0].chord.lowest - last.pitch) % 12) <= 2
        assert (walked > 0) == bool(least)


def test_a_snare_roll_grows_into_the_peak(bench):
    piece, _ = staged(bench, bench.styles.style("rock"), 2)
    drums = player_of(piece, "drums")
    scene = next(scene for scene in piece.scenes if scene.builds and drums.style.name in scene.parts)
    tones = play(drums, piece.style, scene, piece.frame, Dice(1, "drums"), fill=True)
    late = sorted(t for t in tones if t.pitch == PITCHES["snare"] and t.start >= scene.end - 2 * scene.bar - 60)
    half = scene.end - scene.bar
    first, second = [t for t in late if t.start < half], [t for t in late if t.start >= half]
    assert len(second) > 1.5 * len(first)
    assert sum(t.velocity for t in second) / len(second) > sum(t.velocity for t in first) / len(first) + 10
    crash = play(drums, piece.style, piece.scenes[scene.index + 1], piece.frame, Dice(1, "drums"), fill=True)
    assert PITCHES["crash"] in {tone.pitch for tone in crash}


@pytest.mark.parametrize("style", ["trance", "deep_house", "dubstep"])
def test_a_riser_climbs_and_swells_and_only_before_a_peak(bench, style):
    piece, stage = staged(bench, bench.styles.style(style), 1)
    riser = next(player for player in piece.players if player.style.builds)
    track = perform(riser, stage)
    building = [scene for scene in piece.scenes if scene.builds]
    assert building
    for scene in building:
        assert piece.scenes[scene.index + 1].energy > scene.energy
        line = sorted(t for passage in track.passages for t in passage.tones if scene.start <= t.start < scene.end)
        assert line[-1].pitch >= line[0].pitch + 12
        assert line[-1].velocity > line[0].velocity + 20
        lane = next(lane for lane in track.lanes if lane.target == "expression")
        inside = [value for at, value in lane.points if scene.start <= at < scene.end]
        assert inside == sorted(inside)
        assert inside[0] < inside[-1]
    last = piece.scenes[-1].end - piece.frame.bar
    silent = [s for s in piece.scenes if not s.builds]
    assert not [t for p in track.passages for t in p.tones for s in silent if s.start <= t.start < min(s.end, last)]


@pytest.mark.parametrize("style", ["trance", "pop_ballad", "deep_house"])
def test_everything_but_the_roll_rests_before_a_drop(bench, style):
    found = 0
    for seed in SEEDS:
        piece, stage = staged(bench, bench.styles.style(style), seed)
        for scene in (scene for scene in piece.scenes if scene.drop):
            begin, reach = scene.end - scene.drop, piece.frame.ticks_of(25)
            for player in piece.players:
                if player.style.role not in ("lead", "drums"):
                    tones = heard(piece, stage, player.style.name)
                    assert not [t for t in tones if begin + reach <= t.start < scene.end - reach], player.style.name
            found += 1
    assert found


@pytest.mark.parametrize("style", ["indie", "soul", "waltz", "swing", "chiptune"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_chord_of_a_section_leads_on(bench, style, seed):
    piece, _ = staged(bench, bench.styles.style(style), seed)
    for scene, following in pairwise(piece.scenes):
        assert scene.chords[-1].chord.root != following.chords[0].chord.root


@pytest.mark.parametrize(
    ("style", "major"), [("waltz", {"G7"}), ("rock", {"G"}), ("pop_ballad", {"G7sus4", "Fm"}), ("swing", {"G7"})]
)
def test_a_piece_ends_with_the_cadence_of_its_style(bench, style, major):
    for seed in SEEDS:
        intent = Intent(goal="compose", style=style, tonic="C", mode="major")
        piece = decide(bench.styles.style(style), intent, bench.palette, Dice(seed, "end"))
        before, last = (span.chord for span in piece.scenes[-1].chords[-2:])
        assert chord_symbol(before, piece.frame.key) in major
        assert last.root == 0


def test_a_waltz_slows_down_unless_its_tempo_is_stated(bench):
    free = bench.compose("a waltz", 3)
    bpms = [change.bpm for change in free.tempos]
    assert len(bpms) >= 3
    assert bpms == sorted(bpms, reverse=True)
    assert free.tempos[1].at >= free.sections[-1].end - 2 * free.meters[0].beats * BEAT
    assert len(bench.compose("a waltz at 120 bpm", 3).tempos) == 1


def test_a_deep_house_track_fades_and_all_end_together(bench):
    song = bench.compose("a deep house track", 2)
    for track in song.tracks:
        (lane,) = (lane for lane in track.automation if lane.target == "expression")
        assert lane.points[-1].value < 20 < lane.points[-3].value
        assert lane.points[-1].at == song.sections[-1].end
        assert track.end == song.sections[-1].end


def pictures(song: Song) -> list[tuple[frozenset[str], float]]:
    """Per section which tracks sound, and notes a tick; upbeats and fills in its last bar are left out."""
    found = []
    for section in song.sections:
        # who comes in before the next section, or stays from the one before, is no player of this one
        bar = song.meters[0].beats * BEAT
        edge = min(2, ((section.end - section.start) // bar - 1) // 2) * bar
        begin, end = section.start + edge, section.end - max(edge, bar)
        notes = [note for note in sounding(song) if begin <= note.start < end]
        found.append((frozenset(note.track for note in notes), len(notes) / (end - begin)))
    return found


@pytest.mark.parametrize("style", ["boom bap", "funk", "indie", "pop ballad", "reggae", "rock", "soul", "trance"])
def test_neighbouring_sections_differ_in_players_or_by_a_fifth_in_density(bench, style):
    for a, b in pairwise(pictures(bench.compose(f"a {style} song", 3))):
        assert a[0] != b[0] or abs(a[1] - b[1]) >= 0.2 * max(a[1], b[1])


@pytest.mark.parametrize("style", ["indie", "pop_ballad", "reggae", "rock", "soul"])
def test_a_second_verse_is_not_the_first_again(bench, style):
    names = ("verse", "chorus", "verse", "chorus")
    for seed in SEEDS:
        intent = Intent(goal="compose", style=style, sections=tuple(map(AskedSection, names)))
        first, chorus, second, last = decide(
            bench.styles.style(style), intent, bench.palette, Dice(seed, "verses")
        ).scenes
        crossing = {stay.name for scene in (first, second) for stay in scene.stays if stay.last - stay.first <= 2}
        assert set(second.parts) - crossing > set(first.parts) - crossing
        assert last.energy > chorus.energy
        assert max((first, chorus, second, last), key=lambda scene: scene.energy) is last


def test_a_section_that_repeats_another_gets_a_part_more(bench):
    piece, _ = staged(bench, bench.styles.style("funk"), 1)
    verse = SectionStyle("Verse", 8, 0.5, ("Drums", "Bass", "Guitar"))
    everybody = SectionStyle("Chorus", 8, 0.9, tuple(player.style.name for player in piece.players), theme="b")
    first, _, again = cast((verse, everybody, verse), piece.players)
    assert set(again.parts) > set(first.parts)


def test_phrases_swell_and_players_stray_less_than_20_ms(bench):
    piece, stage = staged(bench, bench.styles.style("pop_ballad"), 1)
    strings = next(player for player in piece.players if player.style.role == "lead")
    scene = next(s for s in piece.scenes if s.bars >= 8 and s.index in stage.tune)
    flat = [Tone(scene.start + at * BEAT, 72, BEAT, 80) for at in range(16)]
    played = play(strings, piece.style, scene, piece.frame, stage.dice, fill=False, tune=flat)
    edges = [tone.velocity for at, tone in enumerate(played) if at in (0, 1, 14, 15)]
    middle = [tone.velocity for at, tone in enumerate(played) if at in (6, 7, 8, 9)]
    assert sum(middle) > sum(edges) + 8
    most = piece.frame.ticks_of(20)
    assert all(abs(tone.start - meant.start) < most for tone, meant in zip(played, flat, strict=True))
    assert len({tone.start - meant.start for tone, meant in zip(played, flat, strict=True)}) > 3


def test_transitions_of_an_old_style_file_have_defaults():
    assert Transitions().build == "none"
    assert Transitions().drop == 0
