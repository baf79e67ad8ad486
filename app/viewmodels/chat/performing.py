"""Commands carried out in the window: those that change nothing at once, all others by the click on their button."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import assert_never

from agent.chat.messages import About, Command
from agent.errors import BandleaderError
from agent.song.edits import Edit
from agent.song.ids import TrackId
from agent.song.locks import Lock
from agent.song.song import Song
from agent.song.time import Ticks
from app.i18n import tr, trn
from app.studio.observable import Observable
from app.studio.workspace import Workspace
from app.viewmodels.chat.offers import (
    Mute,
    Offer,
    Operation,
    PutLocks,
    RenameSection,
    RenameTrack,
    Restore,
    UndoStep,
    WindowAction,
    has_word,
    offer_for,
)  # fmt: skip
from app.viewmodels.edits.clip_edits import HandEdit, muted, renamed_track
from app.viewmodels.edits.frame_edits import renamed_section
from app.viewmodels.history.versions import NothingLeft, Versions
from app.viewmodels.texts.figures import bars_text
from app.viewmodels.transport.focus import Focus
from app.viewmodels.transport.listening import ABComparison
from app.viewmodels.transport.playback import Playback
from app.viewmodels.watched import Watched

_START = ("start", "beginning", "top", "rewind")
_END = ("end",)
_OFF = ("off", "stop", "disable", "unsolo")
_HEAR = ("play", "hear", "listen")


class Performing:
    """Carries out commands and reports each in a sentence. `edit` and `lock` are those of the open project."""

    def __init__(
        self, workspace: Workspace, playback: Playback, focus: Focus, listening: ABComparison, versions: Versions,
        locks: Watched[tuple[Lock, ...]], edit: Callable[[Sequence[Edit], str], Awaitable[None]],
        lock: Callable[[Sequence[Lock]], Awaitable[None]],
    ) -> None:
        self._workspace = workspace
        self._playback = playback
        self._focus = focus
        self._listening = listening
        self._versions = versions
        self._locks = locks
        self._edit = edit
        self._lock = lock
        self.wanted: Observable[str] = Observable()
        """Emits the id of an action that only the window can trigger."""

    def offer(self, command: Command) -> Offer | None:
        """The button for a command; None if there is none for it."""
        return offer_for(
            command, self._song, self._versions.iterations.value, self._workspace.head, self._locks.value
        )

    # --- at once

    async def do_now(self, command: Command) -> str:
        """Carry out a command that only changes what is heard or seen; returns a sentence about it."""
        bars = self._bars(command.about)
        if bars is not None and bars[0] > max(self._song.bars, self._heard_bars()):
            return trn("The song has {count} bar.", "The song has {count} bars.", self._song.bars)
        match command.name:
            case "play":
                return await self._play(command)
            case "stop":
                return await self._stop()
            case "loop":
                return self._loop(command)
            case "solo":
                return await self._solo(command)
            case "listen_without":
                return await self._without(command)
            case "go_to":
                return self._go_to(command)
            case "zoom":
                return self._zoom(command)
            case _:
                raise ValueError(command.name)

    async def do_all_now(self, commands: Sequence[Command]) -> str:
        """Carry out several commands that only change what is heard or seen; returns sentences about them. Next to a
        solo, commands to leave tracks out are skipped."""
        alone = any(one.name == "solo" for one in commands)
        done = [await self.do_now(one) for one in commands if not (alone and one.name == "listen_without")]
        return " ".join(dict.fromkeys(done))

    async def _play(self, command: Command) -> str:
        bars = self._bars(command.about)
        if bars is not None:
            self._playback.seek(self._song.bar_map.span(*bars)[0])
        elif has_word(command, *_START):
            self._playback.seek(Ticks(0))
        return await self._start()

    async def _start(self) -> str:
        if not self._song.note_count:
            other = self._listening.other.value
            if other is None or other.kind != "plan":
                return tr("There is nothing to play yet.")
            # All that there is to hear is what the plan would make.
            self._focus.side.set("plan")
        await self._playback.play()
        if not self._playback.state.value.playing:
            return tr("It does not play: the sound device cannot be used.")
        return tr("Playing from bar {bar}.", bar=self._song.bar_map.bar_at(self._playback.position()))

    async def _stop(self) -> str:
        if not self._playback.state.value.playing:
            return tr("Nothing plays. Plan → Stop (Ctrl+.) stops an answer or a run.")
        await self._playback.stop()
        return tr("Stopped.")

    def _loop(self, command: Command) -> str:
        if has_word(command, *_OFF):
            self._playback.set_loop(self._playback.state.value.loop, False)
            return tr("The loop is off.")
        first, last = self._bars(command.about) or self._focus.bars.value or (1, self._song.bars)
        if last < 1:
            return tr("There is nothing to loop yet.")
        self._choose(first, last)
        self._playback.set_loop(self._song.bar_map.span(first, last), True)
        return tr("Looping {bars}.", bars=bars_text(first, last))

    async def _solo(self, command: Command) -> str:
        tracks = frozenset(command.about.tracks)
        solo = self._playback.solo
        if has_word(command, *_OFF):
            solo.set(solo.value - tracks)
            return tr("{names} is no longer alone.", names=self._names(tracks))
        solo.set(tracks)
        return await self._heard(command, tr("You hear {names} alone.", names=self._names(tracks)))

    async def _without(self, command: Command) -> str:
        gone = frozenset(command.about.tracks)
        self._playback.solo.set(frozenset(track.id for track in self._song.tracks) - gone)
        said = tr("You hear all but {names}; the song stays as it is.", names=self._names(gone))
        return await self._heard(command, said)

    def _heard_bars(self) -> int:
        """Bars of the song beside this one, if there is one."""
        other = self._listening.other.value
        return 0 if other is None else other.song.bars

    async def _heard(self, command: Command, said: str) -> str:
        """The same, playing where the words ask to hear it."""
        bars = self._bars(command.about)
        if bars is not None:
            self._playback.seek(self._song.bar_map.span(*bars)[0])
        if has_word(command, *_HEAR) and not self._playback.state.value.playing:
            return f"{said} {await self._start()}"
        return said

    def _go_to(self, command: Command) -> str:
        bars, tracks = self._bars(command.about), command.about.tracks
        if bars is None and tracks:
            self._focus.track.set(tracks[0])
            return tr("{names} is selected.", names=self._names(tracks[:1]))
        at = self._song.end if has_word(command, *_END) else Ticks(0)
        if bars is not None:
            at = self._song.bar_map.span(*bars)[0]
            self._choose(*bars)
        self._playback.seek(at)
        return tr("The playhead is at bar {bar}.", bar=self._song.bar_map.bar_at(at))

    def _zoom(self, command: Command) -> str:
        bars = self._bars(command.about)
        if bars is not None:
            self._choose(*bars)
            self.wanted.emit("view.zoom_selection")
            return tr("This is {bars}.", bars=bars_text(*bars))
        if has_word(command, "in", "bigger"):
            self.wanted.emit("view.zoom_in")
            return tr("Zoomed in.")
        if has_word(command, "out", "smaller"):
            self.wanted.emit("view.zoom_out")
            return tr("Zoomed out.")
        self.wanted.emit("view.zoom_song")
        return tr("This is the whole song.")

    # --- by a click

    async def do(self, operation: Operation) -> str:
        """Carry out what a button offers; returns a sentence about it. Raises what prevents it."""
        match operation:
            case UndoStep(way, head):
                if head != self._workspace.head:
                    raise _outdated()
                return await self._walk(way == "undo")
            case Restore(version):
                await self._versions.restore(version)
                return tr("Restored as a new version.")
            case Mute(tracks, on):
                turned = [one.id for one in self._song.tracks if one.id in tracks and one.mute != on]
                edits = [edit for one in turned for edit in muted(self._song, one).edits]
                names = self._names(tracks)
                said = tr("Mute {name}", name=names) if on else tr("Unmute {name}", name=names)
                return await self._changed(HandEdit(tuple(edits), said))
            case RenameTrack(track, name):
                return await self._changed(renamed_track(self._song, track, name))
            case RenameSection(section, name):
                return await self._changed(renamed_section(self._song, section, name))
            case PutLocks(locks, on):
                held = self._locks.value
                await self._lock((*held, *locks) if on else tuple(one for one in held if one not in locks))
                return tr("Locked.") if on else tr("Not locked any more.")
            case WindowAction(action):
                self.wanted.emit(action)
                return ""
        assert_never(operation)

    async def _walk(self, undo: bool) -> str:
        try:
            made = await (self._versions.undo() if undo else self._versions.redo())
        except NothingLeft:
            return tr("There is nothing to undo") if undo else tr("There is nothing to redo")
        return tr("Done, as version {number}.", number=made.number)

    async def _changed(self, edit: HandEdit) -> str:
        if not edit.edits:
            raise _outdated()
        await self._edit(edit.edits, edit.label)
        return tr("Done.")

    # --- what the song has

    @property
    def _song(self) -> Song:
        return self._workspace.song

    def _bars(self, about: About) -> tuple[int, int] | None:
        """The bars that a command names, itself or by a section."""
        if about.bars is not None:
            return about.bars
        section = next((one for one in self._song.sections if one.id in about.sections), None)
        bars = self._song.bar_map
        return None if section is None else (bars.bar_at(section.start), bars.bar_at(section.end - 1))

    def _choose(self, first: int, last: int) -> None:
        self._focus.bars.set((first, last))
        self._focus.sought.emit((first, last))

    def _names(self, tracks: Sequence[TrackId] | frozenset[TrackId]) -> str:
        return ", ".join(track.name for track in self._song.tracks if track.id in tracks)


def _outdated() -> BandleaderError:
    return BandleaderError(
        tr("nothing was changed"), why=tr("the song has changed meanwhile"), fix=tr("say it again")
    )
