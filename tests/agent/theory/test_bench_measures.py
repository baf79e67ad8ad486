"""The measures of bench-music: each moves on a song made for it, and a change of another kind does not fool it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, EffectId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ, TempoChange, Ticks
from agent.song.track import Effect, Track
from app.services.library_files import read_palette
from tests.benchmarks.music import checks as c
from tests.benchmarks.music.asking import open_desk
from tests.benchmarks.music.changes import BARS_OF_BAND, CHANGES, CHORUS_1
from tests.benchmarks.music.excerpts import excerpt, rest_of
from tests.benchmarks.music.figures import FIGURES, measured, moved
from tests.benchmarks.music.heard import unmet
from tests.benchmarks.music.identity import melody_kept, outside_changed, roots_kept
from tests.benchmarks.music.judging import failure
from tests.benchmarks.music.new_pieces import NEW_PIECES
from tests.benchmarks.music.result import Result
from tests.benchmarks.music.songs import band, loop

RESOURCES = Path(__file__).parents[3] / "resources"
Reshape = Callable[[Track, Note], Note | None]


@pytest.fixture(scope="module")
def palette() -> Palette:
    return read_palette(RESOURCES)


def noted(song: Song, reshape: Reshape) -> Song:
    """The song with every note made anew; None takes it away."""

    def clip_of(track: Track, clip: Clip) -> Clip:
        made = [new for note in clip.notes if (new := reshape(track, note)) is not None]
        return replace(clip, notes=tuple(sorted(made, key=lambda note: (note.start, note.pitch, note.id))))

    return replace(
        song,
        tracks=tuple(
            replace(track, clips=tuple(clip_of(track, clip) for clip in track.clips)) for track in song.tracks
        ),
    )


def tracks(song: Song, name: str, **fields: object) -> Song:
    """The song with other fields on one track."""
    made = tuple(replace(track, **fields) if track.name == name else track for track in song.tracks)
    return replace(song, tracks=made)


def transposed(song: Song, by: int, key: Key) -> Song:
    """All but the drums moved."""
    moved_ = noted(song, lambda t, n: n if t.name == "Drums" else replace(n, pitch=n.pitch + by))
    return replace(moved_, key=key)


def late(_: Track, note: Note) -> Note:
    """Offbeat eighths a triplet late."""
    return replace(note, start=Ticks(note.start + 160)) if note.start % PPQ == PPQ // 2 else note


def loose(_: Track, note: Note) -> Note:
    return replace(note, start=Ticks(note.start + note.pitch % 3 * 15))


def in_minor(track: Track, note: Note) -> Note:
    """B and E flattened: G major becomes G minor."""
    flat = track.name != "Drums" and note.pitch % 12 in (11, 4, 6)
    return replace(note, pitch=note.pitch - 1) if flat else note


REVERB = (Effect(EffectId("fx1"), "reverb", (("mix", 0.5),)),)
LOWPASS = (Effect(EffectId("fx2"), "lowpass", (("cutoff", 2500.0),)),)
PRESSED = (Effect(EffectId("fx3"), "compressor", (("ratio", 4.0),)),)
MOVES: dict[str, tuple[Callable[[Song], Song], int]] = {
    "tempo": (lambda s: replace(s, tempos=(TempoChange(Ticks(0), 90.0),)), -1),
    "seconds": (lambda s: replace(s, tempos=(TempoChange(Ticks(0), 90.0),)), 1),
    "onsets_per_bar": (lambda s: noted(s, lambda _, n: n if n.start % PPQ == 0 else None), -1),
    "attacks_per_bar:Lead": (lambda s: noted(s, lambda _, n: n if n.start % PPQ == 0 else None), -1),
    "hits_per_bar": (lambda s: noted(s, lambda _, n: None if n.pitch == 42 else n), -1),
    "backbeats_per_bar": (lambda s: noted(s, lambda _, n: None if n.pitch == 38 else n), -1),
    "mean_note_beats": (lambda s: noted(s, lambda _, n: replace(n, duration=Ticks(2 * n.duration))), 1),
    "register": (lambda s: transposed(s, 5, Key("C")), 1),
    "velocity": (lambda s: noted(s, lambda _, n: replace(n, velocity=n.velocity - 20)), -1),
    "energy": (lambda s: noted(s, lambda _, n: replace(n, velocity=n.velocity - 20)), -1),
    "brightness": (lambda s: noted(s, in_minor), -1),
    "valence": (lambda s: noted(s, in_minor), -1),
    "groove": (lambda s: noted(s, late), 1),
    "looseness": (lambda s: noted(s, loose), 1),
    "notes_per_attack": (lambda s: noted(s, lambda _, n: None if n.pitch % 12 == 7 else n), -1),
    "notes:bass": (lambda s: noted(s, lambda t, n: None if t.name == "Bass" else n), -1),
    "pad_share": (lambda s: tracks(s, "Strings", mute=True), -1),
    "wet": (lambda s: tracks(s, "Lead", effects=REVERB), 1),
    "wet_share": (lambda s: tracks(s, "Lead", effects=REVERB), 1),
    "reverb:Lead": (lambda s: tracks(s, "Lead", effects=REVERB), 1),
    "tone:Piano": (lambda s: tracks(s, "Piano", effects=LOWPASS), -1),
    "level:Bass": (lambda s: tracks(s, "Bass", volume_db=3.0), 1),
    "pan:Piano": (lambda s: tracks(s, "Piano", pan=-0.5), -1),
    "width": (lambda s: tracks(s, "Piano", pan=-0.5), 1),
    "punch": (lambda s: tracks(s, "Drums", effects=PRESSED), 1),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_figure_moves_the_way_the_music_did(name: str, palette: Palette) -> None:
    change, way = MOVES[name]
    before, after = measured(name, band(), palette), measured(name, change(band()), palette)
    assert moved(name, before, after) * way >= 1, (before, after)
    assert moved(name, before, before) == 0


def test_every_figure_that_a_request_names_exists() -> None:
    requests: tuple[c.Request, ...] = (*NEW_PIECES, *CHANGES)
    named = {
        check.figure for request in requests for check in request.checks
        if isinstance(check, c.Moves | c.Reaches | c.Than | c.Milder | c.Same | c.Shifts)
    }
    assert {name.partition(":")[0] for name in named} <= FIGURES.keys()


def test_the_requests_are_over_all_styles() -> None:
    styles = {check.style for piece in NEW_PIECES for check in piece.checks if isinstance(check, c.InStyle)}
    blends = [check for piece in NEW_PIECES for check in piece.checks if isinstance(check, c.Blend)]
    styles |= {name for blend in blends for name in blend.styles}
    dances = {"waltz"}  # asked for by its meter
    assert len(NEW_PIECES) + len(CHANGES) == 121
    assert sum(piece.beside for piece in NEW_PIECES) == 25
    assert {style.name for style in open_desk().styles.styles} == styles | dances


def test_identity_is_kept_by_another_key_and_lost_by_other_notes(palette: Palette) -> None:
    song = band()
    higher = transposed(song, 4, Key("B"))
    assert melody_kept(song, higher, palette) == pytest.approx(1)
    assert roots_kept(song, higher, palette) == pytest.approx(1)
    other = noted(song, lambda t, n: replace(n, pitch=60 + n.start // 480 % 7) if t.name != "Drums" else n)
    assert melody_kept(song, other, palette) < 0.5
    assert roots_kept(song, other, palette) < 0.7


def test_a_minor_version_keeps_the_melody_and_the_degrees(palette: Palette) -> None:
    minor = replace(noted(band(), in_minor), key=Key("G", "minor"))
    assert melody_kept(band(), minor, palette) > 0.9
    assert roots_kept(band(), minor, palette) > 0.7


def test_a_shorter_song_is_matched_where_it_is_the_same(palette: Palette) -> None:
    assert roots_kept(band(), excerpt(band(), ((5, 28),)), palette) == pytest.approx(1)


def test_what_lies_outside_a_scope_is_seen_when_it_changes() -> None:
    song, scope = band(), (CHORUS_1,)
    start, end = song.bar_map.span(*CHORUS_1)

    def inside(clip: Clip) -> Clip:
        if not start <= clip.start < end:
            return clip
        return replace(clip, notes=tuple(replace(note, velocity=40) for note in clip.notes))

    softer = replace(
        song,
        tracks=tuple(replace(track, clips=tuple(inside(clip) for clip in track.clips)) for track in song.tracks),
    )
    rest = rest_of(BARS_OF_BAND, scope)
    assert rest == ((1, 12), (21, 40))
    assert outside_changed(song, softer, rest) == ""
    assert "notes outside" in outside_changed(song, softer, ((13, 13),))
    assert "sound" in outside_changed(song, tracks(softer, "Lead", volume_db=-3.0), rest)


def result(before: Song, after: Song, palette: Palette) -> Result:
    return Result(before, after, None, palette, open_desk().styles, lambda _: before)


@pytest.mark.parametrize(
    ("check", "change"),
    [
        (c.Bpm(104), lambda s: replace(s, tempos=(TempoChange(Ticks(0), 104.5),))),
        (c.InKey("G", "major"), lambda s: replace(s, key=Key("A"))),
        (c.InKey("G", "major"), lambda s: transposed(s, 1, Key("G"))),
        (c.BarCount(40), lambda s: excerpt(s, ((1, 39),))),
        (c.Lasts(92), lambda s: replace(s, tempos=(TempoChange(Ticks(0), 94.0),))),
        (c.Has(("bass",)), lambda s: noted(s, lambda t, n: None if t.name == "Bass" else n)),
        (c.Lacks(("choir",)), lambda s: tracks(s, "Strings", instrument="choir_aahs")),
        (c.Kept(("Lead",)), lambda s: tracks(s, "Lead", volume_db=-1.0)),
        (c.KeepsNotes(), lambda s: noted(s, loose)),
        (c.Locked("bars:9-16"), lambda s: noted(s, late)),
        (c.Same("tempo"), lambda s: replace(s, tempos=(TempoChange(Ticks(0), 104.5),))),
        (c.Shifts("level:Lead", 0.0), lambda s: tracks(s, "Lead", volume_db=-3.0)),
        (c.Reaches("looseness", 0.0, 20.0), lambda s: noted(s, lambda _, n: replace(n, start=Ticks(n.start + 50)))),
        (c.Titled("Band"), lambda s: replace(s, name="Other")),
        (c.Melody(), lambda s: noted(s, lambda t, n: None if t.name == "Lead" else n)),
    ],
)
def test_a_word_that_binds_holds_for_the_song_and_fails_for_a_broken_one(
    check: c.Check, change: Callable[[Song], Song], palette: Palette
) -> None:
    song = band()
    assert failure(check, result(song, song, palette)) == ""
    assert failure(check, result(song, change(song), palette))


def test_a_variation_changes_some_notes_but_not_all(palette: Palette) -> None:
    song, check = band(), c.Varies((CHORUS_1,))
    varied = noted(song, lambda t, n: replace(n, pitch=n.pitch + 12) if t.name == "Bass" and n.start % 1920 else n)
    lost = noted(song, lambda _, n: replace(n, pitch=n.pitch + 1))
    assert failure(check, result(song, varied, palette)) == ""
    assert failure(check, result(song, song, palette))
    assert failure(check, result(song, lost, palette))


def test_new_bars_are_found_where_they_were_put(palette: Palette) -> None:
    song = loop()
    longer = replace(song, tracks=tuple(replace(track, clips=_with_intro(track)) for track in song.tracks))
    assert failure(c.Grows(1, 4), result(song, longer, palette)) == ""
    assert failure(c.Grows(1, 2), result(song, longer, palette))
    assert failure(c.Grows(1, 4, thin=True), result(song, longer, palette))
    assert failure(c.Grows(5, 4), result(song, noted(longer, loose), palette))


def _with_intro(track: Track) -> tuple[Clip, ...]:
    """The first four bars once more before all others."""
    later = [replace(clip, start=Ticks(clip.start + 15360)) for clip in track.clips]
    return (replace(track.clips[0], id=ClipId("intro")), *later)


def test_a_file_is_judged_in_its_favour(palette: Palette) -> None:
    as_piano = tracks(loop(), "Drums", instrument="piano_grand")
    assert unmet(c.Has(("drums",)), as_piano, palette) == ""
    assert unmet(c.Lacks(("drums", "percussion")), as_piano, palette)
    assert unmet(c.InKey("A", "minor"), replace(loop(), key=Key("C")), palette) == ""
    assert unmet(c.InKey("E", "major"), loop(), palette)


def test_an_excerpt_lays_its_bars_in_a_row() -> None:
    song = excerpt(band(), ((5, 6), (13, 14)))
    drums = next(track for track in song.tracks if track.name == "Drums")
    assert song.bars == 4
    assert {note.start // 3840 for note in drums.clips[0].notes} == {0, 1, 2, 3}
