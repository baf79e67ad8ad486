"""What a request is limited to: clips, tracks and bars that a person attached, the fence of its plan."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from agent.song.clip import Clip
from agent.song.errors import SongError
from agent.song.fence import Fence
from agent.song.ids import ClipId, TrackId
from agent.song.locks import BarsLock, ClipLock, Lock, SongLock, TrackLock
from agent.song.song import Song
from app.i18n import tr, trn
from app.viewmodels.transport.focus import Focus

_MARK = "⌖ "
_BETWEEN = " · "
_LONGEST_NAME = 60
_NAMED = 3
"""Number of clips that are named in words."""


class RequestScope(Struct, frozen=True):
    """What a request may change; empty means the whole song. `bars` are inclusive, from 1."""

    clips: tuple[ClipId, ...] = ()
    tracks: tuple[TrackId, ...] = ()
    bars: tuple[int, int] | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing is attached, so that the whole song may change."""
        return self == RequestScope()


class Attachment(Struct, frozen=True):
    """One attached thing, for a chip; `rest` is the scope without it."""

    words: str
    rest: RequestScope
    colour: str = ""


def chosen(focus: Focus, song: Song) -> RequestScope:
    """The scope of the selection in the window: the clips, else the track, and the bars."""
    known = {clip.id for _, clip in song.clips()}
    clips = tuple(sorted(focus.clips.value & known))
    track = focus.track.value
    there = any(one.id == track for one in song.tracks)
    return RequestScope(clips, (track,) if track is not None and there and not clips else (), focus.bars.value)


def joined(scope: RequestScope, more: RequestScope) -> RequestScope:
    """The union of two scopes; of two ranges of bars the second counts."""
    return RequestScope(
        tuple(dict.fromkeys((*scope.clips, *more.clips))), tuple(dict.fromkeys((*scope.tracks, *more.tracks))),
        more.bars or scope.bars,
    )


def attached(scope: RequestScope, song: Song) -> tuple[Attachment, ...]:
    """Each attached thing in words: clips together, then tracks, then bars. What the song does not have any more is
    left out."""
    found = []
    clips = [(track, clip) for track, clip in song.clips() if clip.id in scope.clips]
    if clips:
        named = clips[0][1].name or tr("a clip of {track}", track=clips[0][0].name)
        words = _short(named) if len(clips) == 1 else trn("{count} clip", "{count} clips", len(clips))
        found.append(Attachment(words, replace(scope, clips=()), clips[0][0].color))
    for track in song.tracks:
        if track.id in scope.tracks:
            rest = tuple(one for one in scope.tracks if one != track.id)
            found.append(Attachment(_short(track.name), replace(scope, tracks=rest), track.color))
    if scope.bars is not None:
        found.append(Attachment(_bars(scope.bars), replace(scope, bars=None)))
    return tuple(found)


def fence_of(scope: RequestScope, song: Song) -> Fence | None:
    """The scope as a plan stores it; None for the whole song. Raises `SongError` if nothing of it is in the song any
    more."""
    if scope.whole:
        return None
    if (scope.clips or scope.tracks) and not attached(replace(scope, bars=None), song):
        raise SongError(
            tr("what you attached is no longer in the song"), why=tr("it was deleted, or another version is open"),
            fix=tr("attach something else, or send the request without it"),
        )
    tracks = tuple(track.id for track in song.tracks if track.id in scope.tracks)
    clips = tuple(clip.id for _, clip in song.clips() if clip.id in scope.clips)
    return Fence(tracks, clips, scope.bars)


def fence_words(fence: Fence, song: Song) -> str:
    """What a plan may change, in words: "Only Bass, bars 9–12 may change"."""
    names = [_short(track.name) for track in song.tracks if track.id in fence.tracks]
    clips = [(track, clip) for track, clip in song.clips() if clip.id in fence.clips]
    names += [
        tr("{clip} of {track}", clip=_clip_name(clip), track=_short(track.name)) for track, clip in clips[:_NAMED]
    ]
    if len(clips) > _NAMED:
        names.append(trn("{count} more clip", "{count} more clips", len(clips) - _NAMED))
    if fence.bars is not None:
        first, last = fence.bars
        names.append(tr("bar {first}", first=first) if first >= last
                     else tr("bars {first}–{last}", first=first, last=last))
    if fence.allows_new_tracks:
        names.append(tr("new tracks"))
    return tr("Only {what} may change", what=", ".join(names) or tr("what the song has no more"))


def bound(request: str, scope: RequestScope) -> str:
    """The request with the attached bars added in words, as planners read it."""
    return request if scope.bars is None else f"{request.rstrip().rstrip('.')} in {_plain_bars(scope.bars)}"


def stored(request: str, scope: RequestScope, song: Song) -> str:
    """The request as the chat stores it: attachments are listed in its last line."""
    names = [one.words.replace("·", "-") for one in attached(scope, song)]
    return f"{unmarked(request)}\n{_MARK}{_BETWEEN.join(names)}" if names else unmarked(request)


def unmarked(request: str) -> str:
    """The request, changed so that its last line cannot be read as a list of attachments."""
    words, _, last = request.rpartition("\n")
    return f"{words}\n {last}" if words and last.startswith(_MARK) else request


def told(text: str) -> tuple[str, tuple[str, ...]]:
    """A stored request without its list of attachments, and the attachments in words."""
    words, _, last = text.rpartition("\n")
    if not words or not last.startswith(_MARK):
        return text, ()
    return words, tuple(last.removeprefix(_MARK).split(_BETWEEN))


def lock_text(lock: Lock) -> str:
    """A lock as a person types it: `bars:9-16`, `clip:ID` or a track's id."""
    match lock:
        case TrackLock(track_id):
            return str(track_id)
        case BarsLock(first, last):
            return f"bars:{first}-{last}"
        case ClipLock(clip_id):
            return f"clip:{clip_id}"
        case SongLock(aspect):
            return f"song:{aspect}"


def _clip_name(clip: Clip) -> str:
    return _short(clip.name) if clip.name else tr("a clip")


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[:_LONGEST_NAME - 1]}…"


def _bars(bars: tuple[int, int]) -> str:
    first, last = bars
    return tr("Bar {first}", first=first) if first >= last else tr("Bars {first}–{last}", first=first, last=last)


def _plain_bars(bars: tuple[int, int]) -> str:
    """In English, which the built-in composer reads."""
    return f"bar {bars[0]}" if bars[0] >= bars[1] else f"bars {bars[0]}-{bars[1]}"
