"""The last third of a piece: what returns is as it was, the last chorus tops the others and may lie in a higher key."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.writing.drums import beat
from agent.composer.writing.frame import Scene
from agent.composer.writing.harmony import themes
from agent.composer.writing.melody import is_chorus
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import Performance, perform, stage_of
from agent.song.key import Key

SEEDS = range(1, 9)
LIFTED = ("pop", "gospel", "country", "disco")


def piece_of(bench, style: str, seed: int, **asked) -> NewPiece:
    intent = Intent(goal="compose", style=style, **asked)
    return decide(bench.styles.style(style), intent, bench.palette, Dice(seed, "lift"))


def always_up(bench, style: str, seed: int) -> NewPiece:
    """A piece of the style as it is where the dice lift it by a tone."""
    known = bench.styles.style(style)
    known = structs.replace(known, transitions=structs.replace(known.transitions, lift=(2,)))
    return decide(known, Intent(goal="compose", style=style), bench.palette, Dice(seed, "lift"))


def tune_of(piece: NewPiece, scene: Scene) -> list[tuple[int, int]]:
    stage = stage_of(piece.style, piece.players, piece.scenes, piece.frame, Dice(1, "tune"))
    return [(tone.start - scene.start, tone.pitch) for tone in stage.tune.get(scene.index, [])]


def over(scene: Scene) -> tuple:
    return tuple((span.start - scene.start, span.chord.transposed(-scene.up)) for span in scene.chords)


@pytest.mark.parametrize("style", ["pop", "rock", "soul"])
def test_sections_over_the_same_chords_are_sung_alike(bench, style):
    pairs = 0
    for seed in SEEDS:
        piece = piece_of(bench, style, seed)
        kinds: dict[tuple, list[Scene]] = {}
        for scene in piece.scenes:
            # the end of a section may lead into the next one
            kinds.setdefault((scene.tune, is_chorus(scene), scene.bars, over(scene)), []).append(scene)
        for alike in kinds.values():
            for one, other in pairwise(alike[:-1] if is_chorus(alike[0]) else alike):
                body = one.end - one.start - scene.bar
                tunes = [[note for note in tune_of(piece, each) if note[0] < body] for each in (one, other)]
                if min(one.energy, other.energy) >= 0.35 and all(tunes):
                    pairs += 1
                    assert [(at, pitch - one.up) for at, pitch in tunes[0]] == [
                        (at, pitch - other.up) for at, pitch in tunes[1]
                    ]
    assert pairs >= 4


@pytest.mark.parametrize("style", LIFTED)
def test_the_last_chorus_and_what_follows_are_lifted_in_some_pieces(bench, style):
    ups = set()
    for seed in SEEDS:
        piece = piece_of(bench, style, seed)
        heights = [scene.up for scene in piece.scenes]
        ups.add(heights[-1])
        first = next((at for at, up in enumerate(heights) if up), None)
        if first is not None:
            assert heights == [0] * first + [heights[-1]] * (len(heights) - first)
            assert piece.scenes[first].start >= 0.6 * piece.scenes[-1].end
            assert "Chorus" in piece.scenes[first].name
    assert ups <= set(bench.styles.style(style).transitions.lift)
    assert len(ups) > 1


def test_a_lifted_chorus_is_the_same_tune_higher(bench):
    for seed in SEEDS:
        piece = always_up(bench, "pop", seed)
        *_, before, last = [scene for scene in piece.scenes if is_chorus(scene) and scene.name.startswith("Chorus")]
        one, other = tune_of(piece, before), tune_of(piece, last)
        assert last.up == 2
        opening = [(at, pitch + last.up - before.up) for at, pitch in one if at < 3 * piece.frame.bar]
        heard = [note for note in other if note[0] < 3 * piece.frame.bar]
        moved = sum(a != b for a, b in zip(opening, heard, strict=True))
        assert moved <= 1, "only its highest note may be another"


def test_the_last_chorus_has_the_highest_note(bench):
    tops = 0
    for seed in SEEDS:
        piece = piece_of(bench, "pop", seed, tonic="C", mode="major")
        *others, last = [scene for scene in piece.scenes if is_chorus(scene) and tune_of(piece, scene)]
        tops += max(p for _, p in tune_of(piece, last)) > max(p for one in others for _, p in tune_of(piece, one))
    assert tops >= 0.7 * len(SEEDS)


def test_a_new_key_is_entered_by_its_own_fifth(bench):
    for seed in SEEDS:
        piece = always_up(bench, "pop", seed)
        before, lifted = next(pair for pair in pairwise(piece.scenes) if pair[0].up != pair[1].up)
        assert (before.chords[-1].chord.root - lifted.chords[0].chord.root) % 12 == 7
        assert before.chords[-1].chord.quality == "7"


@pytest.mark.parametrize(
    "asked",
    [{"tonic": "C", "mode": "major"}, {"bars": 24}, {"seconds": 60.0}, {"shape": "loop"},
     {"sections": tuple(AskedSection(name, 8) for name in ("Verse", "Chorus", "Verse", "Chorus"))}],
)
def test_what_is_fixed_or_short_stays_in_its_key(bench, asked):
    for seed in SEEDS:
        assert {scene.up for scene in piece_of(bench, "pop", seed, **asked).scenes} == {0}


def test_the_rows_say_where_the_lift_goes(bench):
    seed = next(n for n in SEEDS if any(s.up for s in piece_of_request(bench, n).scenes))
    rows = [step for step in bench.draft("a pop song", seed=seed).steps if step.tool == "add_section"]
    told = [" in " in step.why for step in rows]
    assert any(told)
    assert told == sorted(told)


def piece_of_request(bench, seed: int) -> NewPiece:
    dice = Dice(seed, "composer").of("pop")
    return decide(bench.styles.style("pop"), Intent(goal="compose", style="pop"), bench.palette, dice)


@pytest.mark.parametrize("style", ["pop", "indie", "rock"])
def test_a_bridge_begins_on_another_chord_than_verse_and_chorus(bench, style):
    key = Key("C", "major")
    for seed in SEEDS:
        known = themes(bench.styles.style(style), key, Dice(seed, "harmony"))
        assert known["c"] not in (known["a"], known["b"])
        starts = {text.split()[0] for text in bench.styles.style(style).progressions.major}
        if len(starts) >= 3:
            assert known["c"][0] not in (known["a"][0], known["b"][0])


@pytest.mark.parametrize("style", ["metal", "pop", "funk", "reggae", "afrobeats", "house"])
def test_a_fill_leads_into_nine_of_ten_sections(bench, style):
    led = changes = 0
    for seed in range(1, 5):
        piece = piece_of(bench, style, seed)
        stage = Performance(piece.style, piece.scenes, piece.frame, Dice(seed, "fills"), {})
        drums = next(player for player in piece.players if player.style.role == "drums")
        bar = piece.frame.bar
        hits: dict[int, set[tuple[int, int]]] = {}
        for tone in (tone for passage in perform(drums, stage).passages for tone in passage.tones):
            number = (tone.start + STEP // 4) // bar
            hits.setdefault(number, set()).add((round((tone.start - number * bar) / STEP), tone.pitch))
        for scene in piece.scenes[:-1]:
            if drums.style.name in scene.parts and scene.bars > 1:
                ends = [
                    {hit for hit in hits.get(number, ()) if hit[0] * STEP * 2 >= bar}
                    for number in range(scene.start // bar, scene.end // bar)
                ]
                changes += 1
                led += ends[-1] not in ends[:-1]
    assert led >= 0.9 * changes


def test_a_groove_of_one_bar_that_a_section_asks_for_has_its_fill(bench):
    piece = piece_of(bench, "metal", 1)
    drums = next(player for player in piece.players if player.style.role == "drums")
    groove = next(one for one in piece.style.grooves if one.name)
    scene = break_of(piece)
    plain, filled = (
        beat(drums, scene, groove, piece.style.fills, piece.frame, Dice(1, "fill"), fill=fill) for fill in (False, True)
    )
    half = scene.end - scene.bar // 2
    assert [tone for tone in plain if tone.start >= half] != [tone for tone in filled if tone.start >= half]


def break_of(piece: NewPiece) -> Scene:
    first = piece.scenes[1]
    return Scene("Break", 1, 0, 4, piece.frame.bar, 0.5, "c", first.parts, first.chords)
