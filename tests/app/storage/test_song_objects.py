"""Songs as objects: what goes in comes out, little is stored for a little change, damage is seen."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import Connection

from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.revision import ContentHash, song_revision
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Effect, Point, Track
from app.storage.database import Database
from app.storage.driver import raw
from app.storage.errors import Damaged
from app.storage.objects import SongObjects, load_text, put_text

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
IDS = st.from_regex(r"[a-z][a-z2-7]{4}", fullmatch=True)
TIMES = st.integers(0, 100_000).map(Ticks)
LENGTHS = st.integers(1, 100_000).map(Ticks)
LEVELS = st.floats(-96, 24) | st.integers(-96, 24)
NOTES = st.builds(Note, IDS.map(NoteId), st.integers(0, 127), TIMES, LENGTHS, st.integers(1, 127))
CLIPS = st.builds(Clip, IDS.map(ClipId), NAMES, TIMES, LENGTHS, st.lists(NOTES, max_size=6).map(in_order))
EFFECTS = st.builds(
    Effect,
    IDS.map(EffectId),
    NAMES,
    st.lists(st.tuples(NAMES, st.floats(allow_nan=False, allow_infinity=False)), max_size=3).map(tuple),
    st.booleans(),
)
LANES = st.builds(Automation, NAMES, st.lists(st.builds(Point, TIMES, LEVELS), max_size=3).map(tuple))
TRACKS = st.builds(
    Track,
    IDS.map(TrackId),
    NAMES,
    NAMES,
    volume_db=LEVELS,
    pan=st.floats(-1, 1),
    mute=st.booleans(),
    clips=st.lists(CLIPS, max_size=4).map(tuple),
    effects=st.lists(EFFECTS, max_size=2).map(tuple),
    automation=st.lists(LANES, max_size=2).map(tuple),
)
SONGS = st.builds(
    Song,
    name=NAMES,
    tempos=st.tuples(st.builds(TempoChange, TIMES, st.floats(1, 999) | st.integers(1, 999))),
    meters=st.tuples(st.builds(MeterChange, TIMES, st.integers(1, 32), st.sampled_from([2, 4, 8]))),
    key=st.sampled_from([Key("C"), Key("F#", "minor")]),
    sections=st.lists(st.builds(Section, IDS.map(SectionId), NAMES, TIMES, LENGTHS), max_size=2).map(tuple),
    tracks=st.lists(TRACKS, max_size=4).map(tuple),
    master_effects=st.lists(EFFECTS, max_size=2).map(tuple),
    loudness_target=st.floats(-40, -5),
)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SONGS, min_size=1, max_size=4))
def test_every_song_comes_back_as_it_was(songs: list[Song]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder) / "b.db", Path(folder) / "backups", synchronous="NORMAL")
        objects = SongObjects()
        roots = [database.write_now(lambda c, s=song: objects.put(c, s)) for song in songs]
        for reader in (objects, SongObjects()):
            for root, song in zip(roots, songs, strict=True):
                found = database.read_now(lambda c, r=root, o=reader: o.load(c, r))
                assert found == song
                assert song_revision(found) == root == song_revision(song)
        database.close()


def a_song(tracks: int = 4, clips: int = 5) -> Song:
    return Song(
        tracks=tuple(
            Track(
                TrackId(f"t{t}"),
                f"Track {t}",
                "pad",
                clips=tuple(
                    Clip(ClipId(f"c{t}-{c}"), "", Ticks(c * 960), Ticks(960), (note(60 + t, f"n{t}-{c}"),))
                    for c in range(clips)
                ),
            )
            for t in range(tracks)
        )
    )


def note(pitch: int, name: str = "n1") -> Note:
    return Note(NoteId(name), pitch, Ticks(0), Ticks(10))


def touch(song: Song, t: int, c: int, pitch: int) -> Song:
    """The song with another note in one clip."""
    tracks, clips = list(song.tracks), list(song.tracks[t].clips)
    clips[c] = replace(clips[c], notes=(note(pitch),))
    tracks[t] = replace(tracks[t], clips=tuple(clips))
    return replace(song, tracks=tuple(tracks))


def count(database: Database) -> int:
    return int(database.read_now(lambda c: raw(c).execute("SELECT count(*) FROM object").fetchone()[0]))


def test_a_change_of_one_clip_stores_clip_track_and_song(database: Database) -> None:
    objects, song = SongObjects(), a_song()
    database.write_now(lambda c: objects.put(c, song))
    assert count(database) == 1 + 4 + 20
    database.write_now(lambda c: objects.put(c, touch(song, 1, 2, 1)))
    assert count(database) == 25 + 3
    database.write_now(lambda c: objects.put(c, song))
    assert count(database) == 28
    database.write_now(lambda c: SongObjects().put(c, touch(touch(song, 1, 2, 1), 3, 0, 2)))
    assert count(database) == 28 + 3


def test_equal_parts_are_stored_once(database: Database) -> None:
    song = a_song(1, 1)
    twice = replace(song, tracks=song.tracks * 2)
    root = database.write_now(lambda c: SongObjects().put(c, twice))
    assert count(database) == 3
    assert database.read_now(lambda c: SongObjects().load(c, root)) == twice


def test_loading_shares_what_did_not_change(database: Database) -> None:
    objects, song = SongObjects(), a_song()
    changed = touch(song, 0, 0, 1)
    first = database.write_now(lambda c: objects.put(c, song))
    database.write_now(lambda c: objects.put(c, changed))
    back = database.read_now(lambda c: objects.load(c, first))
    assert back == song
    assert [track is other for track, other in zip(back.tracks, changed.tracks, strict=True)] == [False] + [True] * 3
    assert back.tracks[0].clips[1] is changed.tracks[0].clips[1]


def test_a_song_put_in_a_transaction_that_failed_is_stored_the_next_time(database: Database) -> None:
    objects, song = SongObjects(), a_song()

    def fail(connection: Connection) -> None:
        objects.put(connection, song)
        raise LookupError

    with pytest.raises(LookupError):
        database.write_now(fail)
    assert count(database) == 0
    root = database.write_now(lambda c: objects.put(c, touch(song, 0, 0, 1)))
    assert database.read_now(lambda c: SongObjects().load(c, root)) == touch(song, 0, 0, 1)


KINDS = ["song", "track", "clip"]
DAMAGE = {
    "a bit": "UPDATE object SET bytes = CAST(substr(bytes, 1, 12) || X'00' || substr(bytes, 14) AS BLOB)",
    "another object": "UPDATE object SET bytes = (SELECT bytes FROM object WHERE hash = 'other')",
    "its sibling": "UPDATE object AS o SET bytes ="
    " (SELECT min(bytes) FROM object WHERE kind = o.kind AND hash != o.hash)",
    "cut": "UPDATE object SET bytes = substr(bytes, 1, 8)",
    "huge": "UPDATE object SET bytes = X'28B52FFDE0FFFFFFFFFFFF7F0001000000'",
    "nothing": "UPDATE object SET bytes = X''",
    "gone": "DELETE FROM object",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_seen_and_named(database: Database, kind: str, damage: str) -> None:
    root = database.write_now(lambda c: SongObjects().put(c, a_song(2, 2)))
    database.write_now(lambda c: SongObjects().put(c, replace(a_song(2, 2), name="Sibling")))
    other = database.write_now(lambda c: put_text(c, "{}"))

    def spoil(connection: Connection) -> str:
        keys = raw(connection).execute("SELECT hash FROM object WHERE kind = ?", (kind,)).fetchall()
        key = root if kind == "song" else max(keys)[0]
        raw(connection).execute(f"{damage} WHERE hash = ?".replace("'other'", f"'{other}'"), (key,))
        return str(key)

    key = database.write_now(spoil)
    with pytest.raises(Damaged) as caught:
        database.read_now(lambda c: SongObjects().load(c, root))
    assert key[:12] in caught.value.what
    assert kind in caught.value.what
    assert caught.value.why
    assert caught.value.advice


def test_an_unknown_root_is_named(database: Database) -> None:
    with pytest.raises(Damaged, match="aaaaaaaaaaaa"):
        database.read_now(lambda c: SongObjects().load(c, ContentHash("a" * 64)))


@pytest.mark.parametrize("text", ["", "{}", "é" * 50_000])
def test_long_texts_come_back(database: Database, text: str) -> None:
    key = database.write_now(lambda c: put_text(c, text))
    assert database.write_now(lambda c: put_text(c, text)) == key
    assert database.read_now(lambda c: load_text(c, key)) == text
