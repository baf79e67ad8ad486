"""The content-addressed store: clips, tracks, songs and long texts by the SHA-256 of what they say."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TypeVar

import msgspec
import zstandard
from msgspec.structs import replace
from sqlalchemy import Connection

from agent.message import msg
from agent.song.clip import Clip
from agent.song.revision import ClipNode, ContentHash, Revisions, SongForm, SongNode, TrackForm, TrackNode, content_hash
from agent.song.song import Song
from app.storage.driver import raw
from app.storage.errors import Damaged

F = TypeVar("F", Clip, TrackForm, SongForm)
_INSERT = "INSERT INTO object (hash, kind, bytes) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING"
_LEVEL = 3
_LARGEST = 512 * 2**20
_AT_ONCE = 500


class SongObjects:
    """Stores songs as content-addressed objects (clips, tracks, songs) that several songs share; the hash of a song's
    root object is its revision.

    Keeps the hashes and values of the last songs, so that a small change costs little to store and to load. To be used
    on the database's thread.
    """

    def __init__(self) -> None:
        self._revisions = Revisions()
        self._stored = _Stored()
        self._compressor = zstandard.ZstdCompressor(_LEVEL)

    def put(self, connection: Connection, song: Song) -> ContentHash:
        """Store what is not stored yet; returns the root's hash.

        Raises `SongError` for a value that no song can hold.
        """
        driver = raw(connection)
        tree = self._revisions.tree(song)
        stored = self._stored if self._stored.holds(driver) else _Stored()
        if tree.hash != stored.root:
            missing: list[tuple[str, str, bytes]] = []
            for track in tree.tracks:
                if not stored.has(track):
                    known = stored.clips_of(track)
                    missing += [self._row("clip", clip) for clip in track.clips if clip.hash not in known]
                    missing.append(self._row("track", track))
            missing.append(self._row("song", tree))
            driver.executemany(_INSERT, missing)
        self._stored = _Stored(tree)
        return tree.hash

    def load(self, connection: Connection, root: ContentHash) -> Song:
        """The song of a root hash; parts that it shares with the last songs are the same Python objects. Raises
        `Damaged`, which names the object, if something is missing or its hash is wrong."""
        driver = raw(connection)
        [top] = _fetch(driver, [root], "song", SongForm)
        tracks = self._tracks(driver, top.tracks)
        song = replace(top.song, tracks=tuple([node.track for node in tracks]))
        self._revisions.remember(SongNode(root, song, tuple(tracks)))
        return song

    def _tracks(self, driver: sqlite3.Connection, keys: Sequence[ContentHash]) -> list[TrackNode]:
        known = {key: node for key in keys if (node := self._revisions.known_track(key))}
        wanted = [key for key in dict.fromkeys(keys) if key not in known]
        forms = dict(zip(wanted, _fetch(driver, wanted, "track", TrackForm), strict=True))
        clips = self._clips(driver, [key for item in forms.values() for key in item.clips])
        for key, item in forms.items():
            nodes = tuple([clips[part] for part in item.clips])
            track = replace(item.track, clips=tuple([node.clip for node in nodes]))
            known[key] = TrackNode(key, track, nodes)
        return [known[key] for key in keys]

    def _clips(self, driver: sqlite3.Connection, keys: Sequence[ContentHash]) -> dict[ContentHash, ClipNode]:
        known = {key: node for key in keys if (node := self._revisions.known_clip(key))}
        wanted = [key for key in dict.fromkeys(keys) if key not in known]
        for key, clip in zip(wanted, _fetch(driver, wanted, "clip", Clip), strict=True):
            known[key] = ClipNode(key, clip)
        return known

    def _row(self, kind: str, node: ClipNode | TrackNode | SongNode) -> tuple[str, str, bytes]:
        return node.hash, kind, self._compressor.compress(self._revisions.text(node))


def put_text(connection: Connection, text: str) -> ContentHash:
    """Store a long text, such as a plan as JSON, under its hash."""
    data = text.encode()
    key = content_hash(data)
    raw(connection).execute(_INSERT, (key, "text", zstandard.ZstdCompressor(_LEVEL).compress(data)))
    return key


def load_text(connection: Connection, key: ContentHash) -> str:
    """The text of a hash. Raises `Damaged`."""
    [data] = _read(raw(connection), [key], "text")
    return data.decode()


class _Stored:
    """What is stored whenever a root is: all of it was written in one transaction."""

    def __init__(self, tree: SongNode | None = None) -> None:
        self.root = tree.hash if tree else None
        self._tracks = {node.track.id: node for node in tree.tracks} if tree else {}

    def has(self, node: TrackNode) -> bool:
        """Whether a track is stored as it is."""
        stored = self._tracks.get(node.track.id)
        return stored is not None and stored.hash == node.hash

    def clips_of(self, node: TrackNode) -> set[ContentHash]:
        """The clips that are stored with the track of that id."""
        stored = self._tracks.get(node.track.id)
        return {clip.hash for clip in stored.clips} if stored else set()

    def holds(self, driver: sqlite3.Connection) -> bool:
        """Whether the root is still there: the transaction that stored it may have been rolled back."""
        if self.root is None:
            return False
        return driver.execute("SELECT 1 FROM object WHERE hash = ?", (self.root,)).fetchone() is not None


def _fetch(driver: sqlite3.Connection, keys: Sequence[ContentHash], kind: str, form: type[F]) -> list[F]:
    found: list[F] = []
    for key, text in zip(keys, _read(driver, keys, kind), strict=True):
        try:
            found.append(msgspec.json.decode(text, type=form))
        except (msgspec.DecodeError, RecursionError) as error:
            raise _damaged(kind, key, str(error)) from error
    return found


def _read(driver: sqlite3.Connection, keys: Sequence[ContentHash], kind: str) -> list[bytes]:
    packed: dict[str, bytes] = {}
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        packed.update(driver.execute(f"SELECT hash, bytes FROM object WHERE hash IN ({marks})", part))  # noqa: S608
    return [_unpack(kind, key, packed.get(key)) for key in keys]


def _unpack(kind: str, key: ContentHash, packed: bytes | None) -> bytes:
    if packed is None:
        raise _damaged(kind, key, "it is missing")
    try:
        # A damaged header can claim any size, and the memory is asked for before a byte is read.
        if not 0 <= zstandard.get_frame_parameters(packed).content_size <= _LARGEST:
            raise _damaged(kind, key, "its size cannot be true")
        text = zstandard.decompress(packed)
    except zstandard.ZstdError as error:
        raise _damaged(kind, key, str(error)) from error
    if content_hash(text) != key:
        raise _damaged(kind, key, "its content is not what was written")
    return text


def _damaged(kind: str, key: ContentHash, why: str) -> Damaged:
    return Damaged(
        msg("the {kind} {key} in the database is damaged", kind=kind, key=key[:12]),
        why=why,
        fix=msg("restore another version from the history, or the newest backup of the database"),
    )
