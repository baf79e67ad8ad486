"""Bringing a MIDI file in as a version of a project."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec import Struct

from agent.session.cancellation import Cancellation
from app.exchange.midi_in import import_midi
from app.storage.records import Iteration, Project
from app.studio.errors import StudioError
from app.studio.studio import Studio


class Imported(Struct, frozen=True):
    """An imported file: how many notes and tracks were imported, a sentence for everything that was not, how many
    chords it names, and the share (0-1) of the notes that agrees with them."""

    project: Project
    iteration: Iteration
    kept: int
    tracks: int
    dropped: tuple[str, ...]
    chords: int = 0
    agreed: float = 1.0


async def bring_in(
    studio: Studio, path: Path, named: str | None = None, cancellation: Cancellation | None = None, *,
    anew: bool = False,
) -> Imported:
    """Import a MIDI file into the named project, or into the one used last if that is still empty; else, and always
    with `anew`, into a new one named after the file. Raises `ExchangeError`, and `WorkCancelled` when stopped while the
    file is read; nothing is changed then."""
    found = await (cancellation or Cancellation()).race(asyncio.to_thread(import_midi, path, studio.palette))
    project = await _new(path.stem, studio) if anew else await _target(named, path.stem, studio)
    workspace = await studio.open(project)
    made = await workspace.replace(found.song, "import", f"Imported {path.name}"[:120], message=path.name)
    return Imported(project, made, found.kept, len(found.song.tracks), tuple(found.dropped), found.chords, found.agreed)


async def _target(named: str | None, stem: str, studio: Studio) -> Project:
    if named is not None:
        return await studio.projects.find(named)
    try:
        last = await studio.projects.find(None)
        if not (await studio.open(last)).song.tracks:
            return last
    except StudioError:
        pass
    return await _new(stem, studio)


async def _new(stem: str, studio: Studio) -> Project:
    return await studio.projects.create((await studio.projects.draft(stem)).name)
