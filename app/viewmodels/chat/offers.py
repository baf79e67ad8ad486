"""A command that changes the song, or needs a file, as one button: the click is the approval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.chat.messages import About, Command, CommandName
from agent.song.ids import IterationId, SectionId, TrackId
from agent.song.locks import BarsLock, Lock, TrackLock
from agent.song.song import Song
from app.i18n import lazy, tr
from app.storage.records import Iteration
from app.studio.undo import steps

_AGAIN = ("unmute", "on")
"""Words that mean unmuting."""


class UndoStep(Struct, frozen=True):
    """One undo or redo; only valid while `head` is the current version."""

    way: Literal["undo", "redo"]
    head: IterationId | None = None


class Restore(Struct, frozen=True):
    """Restore an earlier version as a new one."""

    version: IterationId


class Mute(Struct, frozen=True):
    """Mute tracks, or with `on` False unmute them."""

    tracks: tuple[TrackId, ...]
    on: bool = True


class RenameTrack(Struct, frozen=True):
    """Rename a track."""

    track: TrackId
    name: str


class RenameSection(Struct, frozen=True):
    """Rename a section."""

    section: SectionId
    name: str


class PutLocks(Struct, frozen=True):
    """Lock parts of the song, or with `on` False unlock them."""

    locks: tuple[Lock, ...]
    on: bool = True


class WindowAction(Struct, frozen=True):
    """Trigger an action of the window by its id."""

    id: str


Operation: TypeAlias = UndoStep | Restore | Mute | RenameTrack | RenameSection | PutLocks | WindowAction


class Offer(Struct, frozen=True):
    """A button: its `label`, and the `operation` that a click carries out."""

    label: str
    operation: Operation
    named: bool = False
    """Whether the label says everything that a click does, including the name of what it changes."""


_ACTIONS: Mapping[CommandName, tuple[str, str]] = {
    "export": ("file.export", lazy("Export…")), "import": ("file.open_midi", lazy("Open MIDI…")),
    "new_song": ("file.new", lazy("New song")), "open": ("file.open", lazy("Open project…")),
    "discard": ("plan.discard", lazy("Discard plan…")),
}


def offer_for(
    command: Command, song: Song, versions: Sequence[Iteration], head: IterationId | None, locks: Sequence[Lock]
) -> Offer | None:
    """The button for a command; None if the command is not specific enough or there is nothing to do. `versions` are
    newest first, `head` is the current one, `locks` are the project's locks."""
    match command.name:
        case "undo":
            return Offer(tr("Undo"), UndoStep("undo", head)) if steps(versions, head).undo else None
        case "redo":
            return Offer(tr("Redo"), UndoStep("redo", head)) if steps(versions, head).redo else None
        case "restore":
            return _restore(command.about, versions)
        case "mute":
            return _mute(command, song)
        case "rename":
            return _rename(command, song)
        case "lock":
            return _lock(command.about)
        case "unlock":
            return _unlock(command.about, locks)
        case _:
            known = _ACTIONS.get(command.name)
            return None if known is None else Offer(tr(known[1]), WindowAction(known[0]))


def _restore(about: About, versions: Sequence[Iteration]) -> Offer | None:
    """-1 is the last version, 0 the one before it."""
    if not about.versions:
        return None
    wanted, newest = about.versions[0], tuple(versions[:2])
    found = newest[:1] if wanted == -1 else newest[1:] if wanted == 0 else [
        one for one in versions if one.number == wanted
    ]
    return next((Offer(tr("Restore version {number}", number=one.number), Restore(one.id)) for one in found), None)


def _mute(command: Command, song: Song) -> Offer | None:
    on = not has_word(command, *_AGAIN)
    wanted = [track for track in song.tracks if track.id in command.about.tracks and track.mute != on]
    if not wanted:
        return None
    names = ", ".join(track.name for track in wanted)
    label = tr("Mute {name}", name=names) if on else tr("Unmute {name}", name=names)
    return Offer(label, Mute(tuple(track.id for track in wanted), on), named=True)


def _rename(command: Command, song: Song) -> Offer | None:
    about, name = command.about, command.value.strip()
    if not name:
        return None
    if len(about.tracks) == 1:
        track = song.track(about.tracks[0])
        return Offer(tr("Rename {old} to {name}", old=track.name, name=name), RenameTrack(track.id, name), named=True)
    section = next((one for one in song.sections if one.id in about.sections), None)
    if section is None:
        return None
    return Offer(tr("Rename {old} to {name}", old=section.name, name=name), RenameSection(section.id, name), named=True)


def _lock(about: About) -> Offer | None:
    locks = _locks(about)
    return Offer(tr("Lock it"), PutLocks(locks)) if locks else None


def _unlock(about: About, held: Sequence[Lock]) -> Offer | None:
    locks = tuple(one for one in _locks(about) if one in held)
    return Offer(tr("Unlock it"), PutLocks(locks, on=False)) if locks else None


def _locks(about: About) -> tuple[Lock, ...]:
    bars = () if about.bars is None else (BarsLock(*about.bars),)
    return (*(TrackLock(track) for track in about.tracks), *bars)


def has_word(command: Command, *words: str) -> bool:
    """Whether a command contains one of these words, in lower case: "off", for example, reverses "loop"."""
    return bool({word.strip(".,!?") for word in command.words.casefold().split()} & set(words))
