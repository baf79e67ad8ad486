"""What the piano roll shows: the clip in focus as it is, or as the proposed plan would leave it."""

from __future__ import annotations

from msgspec import Struct

from agent.song.clip import Clip
from agent.song.ids import ClipId
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.i18n import tr
from app.viewmodels.pianoroll.drums import plays_kit
from app.viewmodels.plan.ghosts import GhostClip, Ghosts


class Shown(Struct, frozen=True):
    """A clip with everything needed to draw it; `kit`: its pitches are drums. `ghost` is set while it is shown as
    proposed (read-only); `before` is then the song's own clip behind it. `planned`: the plan has another state of it.
    `locked` says in words what locks it against steps of plans, empty for nothing."""

    song: Song
    track: Track
    clip: Clip
    kit: bool
    ghost: GhostClip | None = None
    before: Clip | None = None
    planned: bool = False
    locked: str = ""

    def same(self, other: Shown | None) -> bool:
        """Whether another `Shown` looks the same; notes are compared by identity, not one by one."""
        if other is None or (self.ghost is None) != (other.ghost is None):
            return False
        if self.ghost is not None and other.ghost is not None:
            mine, theirs = self.ghost, other.ghost
            if mine.cause != theirs.cause or mine.kind != theirs.kind:
                return False
        return (
            self.song is other.song and self.track is other.track and self.clip is other.clip
            and self.before is other.before
            and (self.kit, self.planned, self.locked) == (other.kit, other.planned, other.locked)
        )

    @property
    def editable(self) -> bool:
        """Whether the clip can be edited by hand: it is not shown as proposed."""
        return self.ghost is None


def shown_clip(
    song: Song, ghosts: Ghosts, locks: tuple[Lock, ...], palette: Palette, clip_id: ClipId | None, *, planned: bool
) -> Shown | None:
    """The clip of an id in the song, or as the plan would leave it; None if neither has it. With `planned` the plan's
    state takes precedence; a clip that only the plan makes is shown in any case."""
    ghost = next((one for one in ghosts.clips if one.clip.id == clip_id), None)
    found = next(((track, clip) for track, clip in song.clips() if clip.id == clip_id), None)
    if ghost is not None and (planned or found is None):
        track = _track_of(song, ghosts, ghost)
        before = found[1] if found is not None and ghost.kind == "changed" else ghost.replaced
        locked = "" if found is None else locked_by(locks, song, *found)
        return Shown(song, track, ghost.clip, plays_kit(track, palette), ghost, before, True, locked)
    if found is None:
        return None
    track, clip = found
    return Shown(
        song, track, clip, plays_kit(track, palette), planned=ghost is not None,
        locked=locked_by(locks, song, track, clip),
    )


def locked_by(locks: tuple[Lock, ...], song: Song, track: Track, clip: Clip) -> str:
    """Which lock keeps steps from a clip, in words; empty for none."""
    for lock in locks:
        match lock:
            case TrackLock(track_id=locked):
                if locked == track.id:
                    return tr("Track locked: no step changes it. You can still edit it by hand.")
            case ClipLock(clip_id=held):
                if held == clip.id:
                    return tr("Clip locked: no step changes it. You can still edit it by hand.")
            case BarsLock(first=first, last=last):
                start, end = song.bar_map.span(first, last)
                if clip.start < end and clip.end > start:
                    return tr(
                        "Bars {first}–{last} locked: no step changes them. You can still edit them by hand.",
                        first=first, last=last,
                    )
    return ""


def _track_of(song: Song, ghosts: Ghosts, ghost: GhostClip) -> Track:
    known = {track.id: track for track in song.tracks}
    made = {one.track.id: one.track for one in ghosts.tracks}
    return known.get(ghost.track) or made.get(ghost.track) or Track(ghost.track, "", "")
