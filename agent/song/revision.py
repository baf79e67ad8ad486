"""The revision of a song: the SHA-256 of its canonical form, cheap again after a small change.

A song is hashed as a tree: every clip, every track over the hashes of its clips, the song over the hashes
of its tracks. Two songs have one revision exactly when they are equal. Storage keeps the same tree, so the
revision is also the name under which a song is stored.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import NewType, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent.message import msg
from agent.song.clip import Clip
from agent.song.errors import SongError
from agent.song.song import Song
from agent.song.track import Track

ContentHash = NewType("ContentHash", str)
"""SHA-256 over canonical JSON, as 64 hexadecimal digits."""


class TrackForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The canonical form of a track: the track without its clips, and the hashes of its clips in order."""

    track: Track
    clips: tuple[ContentHash, ...]


class SongForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The canonical form of a song: the song without its tracks, and the hashes of its tracks in order."""

    song: Song
    tracks: tuple[ContentHash, ...]


Form: TypeAlias = Clip | TrackForm | SongForm


class ClipNode(Struct, frozen=True, eq=False):
    """A clip and its hash."""

    hash: ContentHash
    clip: Clip


class TrackNode(Struct, frozen=True, eq=False):
    """A track, its hash and its clips."""

    hash: ContentHash
    track: Track
    clips: tuple[ClipNode, ...]


class SongNode(Struct, frozen=True, eq=False):
    """A song, its hash (the revision) and its tracks."""

    hash: ContentHash
    song: Song
    tracks: tuple[TrackNode, ...]


def form(node: ClipNode | TrackNode | SongNode) -> Form:
    """The canonical form of a clip, track or song: the value that is hashed."""
    match node:
        case ClipNode(clip=clip):
            return clip
        case TrackNode(track=track, clips=clips):
            return _track_form(track, clips)
        case SongNode(song=song, tracks=tracks):
            return _song_form(song, tracks)


def canonical(value: Form) -> bytes:
    """Canonical JSON: fields in their declared order, numbers as their declared type.

    Raises `SongError` for what could not be read back, such as a parameter that is not a number.
    """
    try:
        # Reading back turns 120 into 120.0 where a float is declared, so that equal songs give equal bytes.
        return msgspec.json.encode(msgspec.json.decode(msgspec.json.encode(value), type=type(value)))
    except (msgspec.ValidationError, UnicodeEncodeError, TypeError) as error:
        raise SongError(
            msg("{value} holds a value that a song cannot hold", value=_name(value)),
            why=str(error),
            fix=msg("undo the last change"),
        ) from error


def content_hash(text: bytes) -> ContentHash:
    """The hash of canonical JSON."""
    return ContentHash(hashlib.sha256(text).hexdigest())


def song_revision(song: Song) -> ContentHash:
    """The revision of a song, hashed in full; `Revisions` does the same from what it has seen."""
    return Revisions().of(song)


class Revisions:
    """Revisions of songs that follow from one another: only clips and tracks not seen yet are hashed.

    Remembers the last two songs (values are immutable, so the same object has the same hash) and keeps
    them alive. To be used from one thread.
    """

    def __init__(self) -> None:
        self._now = _Seen()
        self._before = _Seen()
        self._texts: dict[ContentHash, bytes] = {}

    def of(self, song: Song) -> ContentHash:
        """The revision of a song."""
        return self.tree(song).hash

    def tree(self, song: Song) -> SongNode:
        """The song with the hashes of all its parts."""
        last = self._now.song
        if last is not None and last.song is song:
            return last
        self._texts = {}
        tracks = tuple([self._track(track) for track in song.tracks])
        node = SongNode(self._hash(_song_form(song, tracks)), song, tracks)
        self.remember(node)
        return node

    def remember(self, node: SongNode) -> None:
        """Take over hashes that are already known, for example after loading a song."""
        self._before = self._now
        self._now = _Seen(node)

    def text(self, node: ClipNode | TrackNode | SongNode) -> bytes:
        """The canonical JSON of a node; not encoded again if the node was new in the last song."""
        return self._texts.get(node.hash) or canonical(form(node))

    def known_clip(self, key: ContentHash) -> ClipNode | None:
        """The clip of that hash, if one of the last two songs has it; otherwise None."""
        return self._now.clip_hashes.get(key) or self._before.clip_hashes.get(key)

    def known_track(self, key: ContentHash) -> TrackNode | None:
        """The track of that hash, if one of the last two songs has it; otherwise None."""
        return self._now.track_hashes.get(key) or self._before.track_hashes.get(key)

    def _track(self, track: Track) -> TrackNode:
        key = id(track)
        seen = self._now.tracks.get(key) or self._before.tracks.get(key)
        if seen is not None:
            return seen
        now, before = self._now.clips_of(track), self._before.clips_of(track)
        clips = tuple([
            now.get(id(clip)) or before.get(id(clip)) or ClipNode(self._hash(clip), clip) for clip in track.clips
        ])
        return TrackNode(self._hash(_track_form(track, clips)), track, clips)

    def _hash(self, value: Form) -> ContentHash:
        text = canonical(value)
        key = content_hash(text)
        self._texts[key] = text
        return key


class _Seen:
    """The parts of one song by identity and by hash; holding the song keeps the identities valid."""

    def __init__(self, song: SongNode | None = None) -> None:
        self.song = song
        self._nodes = song.tracks if song else ()
        self.tracks = {id(node.track): node for node in self._nodes}
        self._by_id = {node.track.id: node for node in self._nodes}

    def clips_of(self, track: Track) -> dict[int, ClipNode]:
        """The clips by identity that the track of that id had."""
        node = self._by_id.get(track.id)
        return {id(clip.clip): clip for clip in node.clips} if node else {}

    @cached_property
    def track_hashes(self) -> dict[ContentHash, TrackNode]:
        """The tracks by hash."""
        return {node.hash: node for node in self._nodes}

    @cached_property
    def clip_hashes(self) -> dict[ContentHash, ClipNode]:
        """The clips by hash."""
        return {clip.hash: clip for node in self._nodes for clip in node.clips}


def _track_form(track: Track, clips: tuple[ClipNode, ...]) -> TrackForm:
    return TrackForm(replace(track, clips=()), tuple([clip.hash for clip in clips]))


def _song_form(song: Song, tracks: tuple[TrackNode, ...]) -> SongForm:
    return SongForm(replace(song, tracks=()), tuple([track.hash for track in tracks]))


def _name(value: Form) -> str:
    match value:
        case Clip():
            return f"clip {value.name!r} ({value.id})"
        case TrackForm(track=track):
            return f"track {track.name!r} ({track.id})"
        case SongForm(song=song):
            return f"song {song.name!r}"
