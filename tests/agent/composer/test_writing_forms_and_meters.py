"""Forms as asked for, two styles in one piece, and meters that sound meant."""

from __future__ import annotations

import pytest

from agent.composer.choosing import choose_style
from agent.composer.dice import Dice
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.writing.blending import blended
from agent.composer.writing.kit import PITCHES
from agent.composer.writing.meters import accents, groups, in_meter, laid
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import perform, stage_of
from agent.plan.errors import PlanError
from agent.theory.gate import findings

POP_FORM = tuple(AskedSection(name) for name in ("intro", "verse", "chorus", "verse", "chorus", "outro"))
FOUR = (4, 4, 4, 4)
METERS = ((3, 4), (6, 8), (5, 4), (7, 8), (12, 8))


def piece_of(bench, style: str, seed: int = 1, **said) -> NewPiece:
    intent = Intent(goal="compose", style=style, **said)
    dice = Dice(seed, "forms")
    chosen = choose_style(intent, bench.styles, bench.palette)
    assert chosen is not None
    return decide(chosen, intent, bench.palette, dice)


def begins(piece: NewPiece, role: str) -> dict[int, list[tuple[int, int]]]:
    """Bar -> (step, pitch) of what the first player of a role plays, meant on the grid."""
    player = next(player for player in piece.players if player.style.role == role)
    stage = stage_of(piece.style, piece.players, piece.scenes, piece.frame, Dice(1, "meter"))
    found: dict[int, list[tuple[int, int]]] = {}
    for passage in perform(player, stage).passages:
        for tone in passage.tones:
            bar, within = divmod(tone.start + 70, piece.frame.bar)
            found.setdefault(bar, []).append((within // 240, tone.pitch))
    return found


@pytest.mark.parametrize("style", ["indie", "trance", "ambient", "jazz", "techno", "rock"])
@pytest.mark.parametrize("length", [{}, {"bars": 24}, {"bars": 7}, {"seconds": 60.0}])
def test_sections_are_those_asked_for_in_order(bench, style, length):
    piece = piece_of(bench, style, sections=POP_FORM, **length)
    names = ["Intro", "Verse", "Chorus", "Verse 2", "Chorus 2", "Outro"]
    assert [scene.name for scene in piece.scenes] == names
    energies = {scene.name: scene.energy for scene in piece.scenes}
    assert energies["Chorus"] > energies["Verse"]
    assert max(energies, key=lambda name: energies[name]) == "Chorus 2"
    assert piece.scenes[1].theme == piece.scenes[3].theme != piece.scenes[2].theme
    if "bars" in length:
        assert piece.bars == length["bars"]
    if not length:
        assert all(2 <= scene.bars <= 16 for scene in piece.scenes)


def test_sections_are_as_long_as_asked(bench):
    asked = (AskedSection("intro", 3), AskedSection("verse"), AskedSection("chorus", 12), AskedSection("outro"))
    piece = piece_of(bench, "pop", sections=asked)
    assert [scene.bars for scene in piece.scenes][::2] == [3, 12]
    filled = piece_of(bench, "pop", sections=asked, bars=31)
    assert [scene.bars for scene in filled.scenes][::2] == [3, 12]
    assert filled.bars == 31
    with pytest.raises(PlanError, match="too few"):
        piece_of(bench, "pop", sections=asked, bars=16)


def test_one_section_with_a_length_is_in_a_form_of_the_style(bench):
    for seed in range(1, 5):
        piece = piece_of(bench, "rock", seed, sections=(AskedSection("intro", 2),))
        assert len(piece.scenes) > 2
        assert piece.scenes[0].bars == 2


def test_a_drop_is_built_up_to(bench):
    names = ("intro", "build", "drop", "break", "build", "drop")
    piece = piece_of(bench, "trance", sections=tuple(AskedSection(name) for name in names))
    assert [scene.name for scene in piece.scenes][2:] == ["Drop", "Break", "Build 2", "Drop 2"]
    assert [scene.arrives for scene in piece.scenes] == [False, False, True, False, False, True]


@pytest.mark.parametrize(
    ("ground", "colour"), [("trap", "jazz"), ("drum_and_bass", "cinematic"), ("techno", "ambient")]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_blend_has_the_beat_of_one_and_the_harmony_and_sounds_of_the_other(bench, ground, colour, seed):
    one, other = bench.styles.style(ground), bench.styles.style(colour)
    style = blended(one, other)
    assert style.grooves == one.grooves
    assert style.progressions == other.progressions
    assert {p.name for p in style.parts if p.role in ("drums", "bass")} == {
        p.name for p in one.parts if p.role in ("drums", "bass")
    }
    above = [p for p in style.parts if p.role not in ("drums", "percussion", "bass") and not p.builds]
    assert {name for p in above for name in p.instruments} <= {name for p in other.parts for name in p.instruments}
    piece = piece_of(bench, ground, seed, other_styles=(colour,))
    assert piece.style.label == f"{one.label} with {other.label}"
    roles = {player.style.role for player in piece.players}
    assert "drums" in roles
    assert roles & {"pad", "chords", "arp"}


def test_the_tempo_of_a_blend_lies_in_both_ranges(bench):
    style = blended(bench.styles.style("house"), bench.styles.style("deep_house"))
    for part in ("house", "deep_house"):
        low, high = bench.styles.style(part).tempo
        assert low <= style.tempo[0] <= style.tempo[1] <= high
    far = blended(bench.styles.style("techno"), bench.styles.style("ambient"))
    assert far.tempo == bench.styles.style("techno").tempo


def test_where_only_one_style_has_a_beat_that_one_gives_it(bench):
    both = (bench.styles.style("drone"), bench.styles.style("house"))
    assert blended(*both) == blended(*reversed(both))


def test_a_change_of_a_song_takes_one_style(bench):
    style = choose_style(Intent(goal="change", style="jazz", other_styles=("trap",)), bench.styles, bench.palette)
    assert style == bench.styles.style("jazz")


@pytest.mark.parametrize(
    ("meter", "lengths", "strong"),
    [
        ((4, 4), FOUR, (0, 8)), ((3, 4), (4, 4, 4), (0,)), ((6, 8), (6, 6), (0, 6)), ((5, 4), (4,) * 5, (0, 12)),
        ((7, 8), (4, 4, 6), (0, 4, 8)), ((12, 8), (6,) * 4, (0, 12)), ((2, 4), (4, 4), (0, 4)),
        ((9, 8), (6,) * 3, (0,)),
    ],
)
def test_bars_are_grouped_as_musicians_count_them(meter, lengths, strong):
    assert groups(*meter) == lengths
    assert accents(lengths) == strong


def test_a_backbeat_and_running_hats_are_laid_into_other_meters():
    kick, snare, hat = "X.......x.......", "....X.......X...", "x.x.x.x.x.x.x.x."
    assert laid(snare, FOUR, (4, 4, 4)) == "........X..."
    assert laid(kick, FOUR, (4,) * 5) == "X...x.......X......."
    assert laid(snare, FOUR, (4,) * 5) == "........X.......X..."
    assert laid(snare, FOUR, (6, 6)) == "......X.....|......X.....".replace("|", "")
    assert laid(hat, FOUR, (6, 6))[:12] == "x.o.x.x.o.x."
    assert laid("R---------------", FOUR, (4, 4, 4)) == "R-----------"


@pytest.mark.parametrize("meter", METERS)
@pytest.mark.parametrize("style", ["rock", "funk", "soul", "boom_bap", "indie"])
def test_drums_and_bass_mean_the_meter(bench, style, meter):
    piece = piece_of(bench, style, 3, meter=meter)
    assert piece.meter == meter
    drums, bass = begins(piece, "drums"), begins(piece, "bass")
    last = {scene.end // piece.frame.bar - 1 for scene in piece.scenes}
    rolling = {bar for scene in piece.scenes if scene.builds for bar in (scene.end // piece.frame.bar - 2,)}
    inner = [bar for bar in drums if bar not in last | rolling]
    kick, back = PITCHES["kick"], {PITCHES["snare"], PITCHES["rim"], PITCHES["clap"]}
    assert sum((0, kick) in drums[bar] for bar in inner) >= 0.9 * len(inner)
    if style != "soul":
        # the snare of soul may strike every beat
        assert all((0, PITCHES["snare"]) not in drums[bar] for bar in inner)
    starts = {sum(groups(*meter)[:at]) for at in range(len(groups(*meter)))}
    hit = [bar for bar in inner if any(pitch in back and step in starts - {0} for step, pitch in drums[bar])]
    assert len(hit) >= 0.9 * len(inner)
    assert sum(any(step == 0 for step, _ in bass[bar]) for bar in bass) >= 0.8 * len(bass)


@pytest.mark.parametrize("meter", METERS)
def test_chords_change_where_a_group_begins(bench, meter):
    for style in ("jazz", "swing", "chiptune"):
        piece = piece_of(bench, style, 2, meter=meter)
        starts = {sum(groups(*meter)[:at]) * 240 for at in range(len(groups(*meter)))}
        for scene in piece.scenes:
            assert {(span.start - scene.start) % scene.bar for span in scene.chords} <= starts


def test_a_style_in_its_own_meter_is_left_alone(bench):
    for style in bench.styles.styles:
        assert in_meter(style, style.meter) is style


@pytest.mark.parametrize("words", ["a rock song in 6/8", "a funk song in 5/4", "a house track in 7/8", "lofi in 12/8"])
def test_a_piece_in_another_meter_passes_the_gate(bench, words):
    song = bench.compose(words, 2)
    assert findings(song, bench.palette) == ()
