"""Bass lines: riffs that return and move with the chords, walking from root to root, notes that lead, and the kick."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.intent import Intent
from agent.composer.writing.bass import bass_line, entry
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.new_piece import decide
from agent.composer.writing.riffs import semitones
from agent.composer.writing.steps import tied
from agent.song.chord import Chord
from agent.song.chord_symbols import chord
from agent.song.key import Key

BAR, BEAT = 3840, 960
KICK = "X.x....x..x..x.."
SEEDS = range(1, 7)
MINOR = Key("E", "dorian")


def player_of(bench, style: str, seed: int = 1) -> Player:
    piece = decide(bench.styles.style(style), Intent(goal="compose", style=style), bench.palette, Dice(seed, "bass"))
    return next(player for player in piece.players if player.style.role == "bass")


def scene_of(player: Player, chords: str, energy: float = 0.6, theme: str = "a", start: int = 0) -> Scene:
    """A scene of one chord a bar."""
    texts = chords.split()
    spans = tuple(ChordSpan(start + n * BAR, start + (n + 1) * BAR, chord(text)) for n, text in enumerate(texts))
    return Scene("Verse", 0, start, len(spans), BAR, energy, theme, (player.style.name,), spans)


def line(
    player: Player, chords: str, seed: int, key: Key = MINOR, energy: float = 0.6, theme: str = "a", then: str = "Em7"
) -> list[Tone]:
    """A scene of one chord a bar, played, before another."""
    scene = scene_of(player, chords, energy, theme)
    following = scene_of(player, then, energy, theme, scene.end)
    return bass_line(player, scene, Frame(key, 110, BAR, 0.0, 480), KICK, Dice(seed, "bass"), following)


def bars(tones: list[Tone]) -> list[list[tuple[int, int, int]]]:
    """Each bar's notes: when, how high above its first one, how high."""
    found: dict[int, list[Tone]] = {}
    for tone in tones:
        found.setdefault(tone.start // BAR, []).append(tone)
    return [[(t.start % BAR, t.pitch - bar[0].pitch, t.pitch) for t in bar] for bar in found.values()]


@pytest.mark.parametrize("style", ["funk", "rock"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_riff_returns_over_its_chord_and_moves_with_the_chords(bench, style, seed):
    tones = bars(line(player_of(bench, style, seed), "Em7 Em7 Em7 Em7 Am7 Am7 Em7 Em7", seed))
    assert tones[0] == tones[2] == tones[6]
    moved = [[(start, above % 12) for start, above, _ in bar] for bar in (tones[0], tones[4])]
    assert moved[0][:-2] == moved[1][: len(moved[0]) - 2]
    assert len({pitch for _, _, pitch in tones[0] + tones[1]}) >= 2


def test_a_riff_begins_its_second_bar_as_the_first(bench):
    for seed in SEEDS:
        one, two, *_ = bars(line(player_of(bench, "funk", seed), "Em7 Em7 Em7 Em7", seed))
        assert one[:2] == two[:2]


def test_verses_that_grow_keep_their_line(bench):
    for seed in SEEDS:
        player = player_of(bench, "pop", seed)
        calm, grown = (bars(line(player, "Em7 Am7 Em7 Am7", seed, energy=energy)) for energy in (0.42, 0.65))
        assert calm == grown


def test_two_seeds_have_two_riffs(bench):
    player = player_of(bench, "funk")
    assert len({tuple(line(player, "Em7 Em7", seed)) for seed in range(10)}) >= 7


@pytest.mark.parametrize("style", ["jazz", "swing"])
@pytest.mark.parametrize("seed", SEEDS)
def test_walking_goes_from_root_to_root_by_step(bench, style, seed):
    player = player_of(bench, style, seed)
    chords = "Dm7 G7 Cmaj7 Am7 Dm7 G7 Em7 A7"
    tones = line(player, chords, seed, Key("C", "major"), energy=0.55)
    assert [tone.start for tone in tones] == list(range(0, 8 * BAR, BEAT))
    ones = tones[::4]
    assert [tone.pitch % 12 for tone in ones] == [chord(text).root for text in chords.split()]
    assert all(1 <= abs(one.pitch - before.pitch) <= 2 for before, one in zip(tones[3::4], ones[1:], strict=False))
    leaps = [abs(b.pitch - a.pitch) for a, b in pairwise(tones)]
    assert sum(1 <= leap <= 2 for leap in leaps) >= len(leaps) / 2
    assert min(tone.pitch for tone in tones) >= 28
    assert max(tone.pitch for tone in tones) <= 55
    assert any(tone.pitch % 12 not in (0, 2, 4, 5, 7, 9, 11) for tone in tones) or seed != SEEDS[0]


def test_a_jazz_bass_plays_in_two_where_it_is_calm(bench):
    calm = line(player_of(bench, "jazz"), "Dm7 G7 Cmaj7 Am7", 1, Key("C", "major"), energy=0.3)
    assert len(calm) < 4 * 4


@pytest.mark.parametrize("style", ["funk", "rock", "pop", "jazz", "swing", "house", "lofi", "reggae", "soul"])
def test_a_stated_bass_is_played(bench, style):
    for energy in (0.3, 0.6, 0.9):
        tones = line(player_of(bench, style), "C/E Am C/G F", 3, Key("C", "major"), energy=energy)
        for number, wanted in enumerate((4, 9, 7, 5)):
            first = next(tone for tone in tones if tone.start >= number * BAR)
            assert first.pitch % 12 == wanted


@pytest.mark.parametrize("style", ["pop", "lofi"])
def test_a_bass_leads_into_the_next_chord(bench, style):
    led = changes = 0
    for seed in SEEDS:
        tones = line(player_of(bench, style, seed), "C Am F G C Am F G", seed, Key("C", "major"))
        for before, one in pairwise(tones):
            if one.start % BAR == 0:
                changes += 1
                led += 1 <= abs(one.pitch - before.pitch) <= 2
    assert led >= 0.4 * changes


@pytest.mark.parametrize("style", ["pop", "rock", "indie", "jazz"])
def test_a_bass_leads_to_the_note_on_which_it_enters_the_next_section(bench, style):
    apart = []
    for seed in SEEDS:
        player = player_of(bench, style, seed)
        for then in ("C", "Eb", "G", "Bb"):
            tones = line(player, "F Dm Am F", seed, Key("F", "major"), then=then)
            apart.append(abs(entry(player, scene_of(player, then, start=4 * BAR)) - tones[-1].pitch))
    # a riff may end in another octave, what leads does not
    assert sum(one in (1, 2) for one in apart) >= len(apart) / 2
    assert sum(one in (10, 11, 13, 14) for one in apart) <= len(apart) / 12


def test_a_run_fills_the_way_into_the_next_section_by_step(bench):
    runs = []
    for seed in range(1, 41):
        tones = line(player_of(bench, "country", seed), "C C F C", seed, Key("C", "major"), energy=0.3, then="F")
        last = [tone for tone in tones if tone.start >= 3 * BAR]
        if [tone.start - 3 * BAR for tone in last] == [0, 2 * BEAT, 3 * BEAT]:
            runs.append([tone.pitch % 12 for tone in last])
    assert [0, 2, 4] in runs


def test_a_note_beside_a_lone_kick_moves_onto_it():
    assert tied("R..R..R...R.....", "X.......X.X.....") == "R..R..R...R....."
    assert tied("R......R--R-----", "X.......x.......") == "R.......R-R-----"
    assert tied("R--------R------", "X.......x.......") == "R-------R-------"
    assert tied("R--R", "") == "R--R"


@pytest.mark.parametrize("style", ["funk", "pop", "soul", "rock"])
def test_the_kick_is_a_partner(bench, style):
    struck = {at * STEP for at, mark in enumerate(KICK) if mark not in ".-g"}
    for seed in SEEDS:
        starts = {tone.start % BAR for tone in line(player_of(bench, style, seed), "Em7 Am7 Em7 Am7", seed)}
        beside = {at for at in starts - struck if {at - STEP, at + STEP} & (struck - starts)}
        assert not beside


@pytest.mark.parametrize(
    ("step", "symbol", "wanted"),
    [(2, "Em", 3), (2, "E", 4), (4, "Bdim", 6), (6, "C", 9), (6, "G", 10), (6, "C7", 10), (6, "Cmaj7", 11), (3, "F", 6),
     (7, "C", 12), (-1, "G", -2), (-3, "Am", -5)],
)
def test_steps_above_a_root_are_those_of_chord_and_key(step, symbol, wanted):
    assert semitones(step, chord(symbol), Key("C", "major")) == wanted


def test_over_a_foreign_bass_only_the_chord_is_played():
    over_e = Chord(0, "maj", 4)
    assert {semitones(step, over_e, Key("C", "major")) % 12 for step in range(-6, 8)} <= {0, 3, 8}


@pytest.mark.parametrize("words", ["a gentle waltz for piano", "a waltz for guitar and violin"])
def test_who_waltzes_without_a_bass_plays_it_on_one_and_chords_on_two_and_three(bench, words):
    song = bench.compose(words, 2)
    track = max(song.tracks, key=lambda one: sum(n.start == c.notes[k - 1].start for c in one.clips
                                                 for k, n in enumerate(c.notes)))
    bar, struck = 3 * BEAT, {}
    for clip in track.clips:
        for note in clip.notes:
            struck.setdefault(round((clip.start + note.start) / BEAT), []).append(note.pitch)
    ones = [struck[at] for at in struck if at * BEAT % bar == 0]
    chords = [struck[at] for at in struck if at * BEAT % bar]
    # the last chord of all is held from one
    assert sum(len(notes) == 1 for notes in ones) >= len(ones) - 1 > song.bars / 2
    assert all(len(notes) >= 3 for notes in chords)
    assert max(notes[0] for notes in ones if len(notes) == 1) < min(map(min, chords))
    for one in song.chords:
        first = struck.get(round(one.start / BEAT), [])
        assert len(first) != 1 or first[0] % 12 in (one.chord.lowest, one.chord.root)


def test_where_no_bass_is_wanted_no_left_hand_plays_one(bench):
    song = bench.compose("a waltz for piano and violin, without bass", 2)
    assert min(note.pitch for track in song.tracks for clip in track.clips for note in clip.notes) >= 48
