"""`soundfont`: which SoundFont the song and its tracks play from; set one, or take it away."""

from __future__ import annotations

import argparse
import asyncio

from rich.console import Console

from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.song.edits import SetSoundFont
from agent.song.ids import TrackId
from agent.song.song import Song
from app.cli.errors import OK, UsageError
from app.cli.output import Document, Output
from app.paths import named_path
from app.services.own_fonts import bring_font
from app.sound.own_fonts import OwnFonts
from app.storage.records import Iteration
from app.studio.studio import Studio


async def soundfont(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Print which SoundFont is set; `set` checks a file and stores a copy of it, `clear` returns to the default bank.
    Returns the exit status."""
    _check(arguments)
    project = await studio.projects.find(arguments.project)
    workspace = await studio.open(project)
    track = None if arguments.track is None else _track(workspace.song, arguments.track)
    made: Iteration | None = None
    if arguments.action is not None:
        file = "" if arguments.action == "clear" else await asyncio.to_thread(bring_font, named_path(arguments.file))
        edit = SetSoundFont(track_id=track, file=file)
        label = f"SoundFont of {'the song' if track is None else workspace.song.track(track).name}"[:120]
        made = await workspace.commit((edit,), label=label)
    lacks = tuple(await asyncio.to_thread(lambda: tuple(OwnFonts().lacks(workspace.song))))
    output.show(
        _shape(project.id, workspace.song, lacks, made), lambda console: _print(console, workspace.song, lacks, made)
    )
    return OK


def _check(arguments: argparse.Namespace) -> None:
    if arguments.action == "set" and arguments.file is None:
        raise UsageError(msg("which SoundFont?"), fix=msg("bandleader soundfont set FILE.sf2 [--track NAME]"))
    if arguments.action != "set" and arguments.file is not None:
        raise UsageError(
            msg("a file belongs to `set`"), fix=msg("bandleader soundfont set {file}", file=arguments.file[:80]),
        )
    if arguments.action is None and arguments.track is not None:
        raise UsageError(msg("--track belongs to `set` or `clear`"))


def _track(song: Song, name: str) -> TrackId:
    """The track of that id or name. Raises `UsageError` where none or several are called so."""
    found = [one for one in song.tracks if one.id == name]
    found = found or [one for one in song.tracks if one.name.casefold() == name.casefold()]
    if len(found) == 1:
        return found[0].id
    listed = ", ".join(f"{one.name} = {one.id}" for one in found or song.tracks) or "none"
    many = (
        msg("{count} tracks are called {name!r}", count=len(found), name=name[:80]) if found
        else msg("there is no track {name!r}", name=name[:80])
    )
    raise UsageError(many, why=msg("the song has {listed}", listed=listed), fix=msg("name one of them, or its id"))


def _shape(project: str, song: Song, lacks: tuple[str, ...], made: Iteration | None) -> Document:
    document: Document = {
        "project": project, "soundfont": song.soundfont,
        "tracks": [{"id": one.id, "name": one.name, "soundfont": one.soundfont} for one in song.tracks],
        "remarks": list(lacks),
    }
    return document if made is None else document | {"iteration": made.id}


def _print(console: Console, song: Song, lacks: tuple[str, ...], made: Iteration | None) -> None:
    if made is not None:
        console.print(f"version {made.number}: {made.label}", markup=False)
    console.print(f"song: {song.soundfont or 'the bank'}", markup=False)
    for track in song.tracks:
        if track.soundfont:
            console.print(f"{track.name}: {track.soundfont}", markup=False)
    for sentence in lacks:
        console.print(f"  {sentence}", style="dim", markup=False)
