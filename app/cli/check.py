"""`check`: the musical gate on the working song of a project, or on a MIDI file."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from agent.message import msg
from agent.plan.plan import Ask
from agent.plan.planning import ClarifyingQuestion
from agent.review.asked import held
from agent.session.cancellation import Cancellation
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.description import describe
from agent.theory.gate import Flaw, findings, remarks
from app.cli.errors import OK, UNFINISHED, UsageError
from app.cli.output import Document, Output
from app.cli.shapes import check_shape
from app.cli.tables import print_check
from app.exchange.empty_tracks import empty_tracks
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import import_midi
from app.studio.models import LOCAL, Chosen
from app.studio.studio import Studio


class CheckedSong(Struct, frozen=True):
    """What is checked: its source (file or project) for the document, the song, flaws found while reading the source,
    and what was asked of the song."""

    source: Document
    song: Song
    flaws: tuple[Flaw, ...] = ()
    asks: tuple[Ask, ...] = ()


async def check(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Run the musical checks and print what they find; the exit status is 5 ("needs review") if they find something."""
    if arguments.file is not None and arguments.project is not None:
        raise UsageError(
            msg("a file or a project, not both"), fix=msg("bandleader check FILE, or check --project NAME"),
        )
    heard = await (_project(arguments, studio) if arguments.file is None else _file(Path(arguments.file), studio))
    asks = heard.asks
    if arguments.asked is not None:
        asks = await _asks(arguments.asked, studio)
    found, said = await asyncio.to_thread(_judged, heard, asks, studio.palette)
    figures = await asyncio.to_thread(describe, heard.song, studio.palette)
    document = check_shape(heard.source, found, said, figures)
    output.show(document, lambda console: print_check(console, found, said, figures))
    return UNFINISHED if found else OK


async def _project(arguments: argparse.Namespace, studio: Studio) -> CheckedSong:
    """The working song, with what was asked of it where a run made it."""
    project = await studio.projects.find(arguments.project)
    song = (await studio.open(project)).song
    if not song.tracks:
        raise UsageError(
            msg("project {project!r} has an empty song", project=project.name), why=msg("there is nothing to check"),
        )
    made = (await studio.history.find(project, "head")).run if project.head is not None else None
    asks = () if made is None else (await studio.runs.show(made)).plan.asks
    return CheckedSong({"project": project.id}, song, asks=tuple(ask for ask in asks if ask.goal == "equals"))


async def _file(path: Path, studio: Studio) -> CheckedSong:
    """A MIDI file, read as an import reads it; nothing is stored."""
    imported = await asyncio.to_thread(import_midi, path, studio.palette)
    names = await asyncio.to_thread(_silent, path)
    flaws = [Flaw("silent track", name, f"track {name!r} plays no note") for name in names]
    flaws += [
        Flaw("silent track", track.name, f"track {track.name!r} has volume 0 throughout")
        for track in imported.song.tracks
        if track.mute
    ]
    heard = structs.replace(
        imported.song, tracks=tuple(structs.replace(track, mute=False) for track in imported.song.tracks)
    )
    return CheckedSong({"file": str(path.absolute())}, heard, tuple(flaws))


def _silent(path: Path) -> tuple[str, ...]:
    try:
        return empty_tracks(path.read_bytes(), path.name)
    except OSError as error:
        raise ExchangeError(
            msg("cannot import {path}", path=path.name), why=(error.strerror or str(error)).lower(),
        ) from error


async def _asks(request: str, studio: Studio) -> tuple[Ask, ...]:
    """What the composer would promise of a new piece; planned and thrown away."""
    stage = await studio.planning.stage(await studio.projects.draft("check"))
    judged = await studio.planning.propose(request, stage, seed=0, chosen=Chosen(LOCAL, ""))
    if isinstance(judged, ClarifyingQuestion):
        raise UsageError(
            judged.text, why=msg("the request is unclear"),
            fix=msg('say "{request}"', request=judged.choices[0].request),
        )
    return judged.plan.asks


def _judged(heard: CheckedSong, asks: Sequence[Ask], palette: Palette) -> tuple[tuple[Flaw, ...], tuple[Flaw, ...]]:
    broken = []
    for ask in asks:
        figures = held(ask, Song(), heard.song, palette)
        if not figures.met:
            message = f"{ask.asked} was asked for; {ask.measure.replace('_', ' ')} is {_figure(figures.after)}"
            broken.append(Flaw("asked", "song", message))
    return (*broken, *heard.flaws, *findings(heard.song, palette)), remarks(heard.song, palette)


def _figure(value: float | str | None) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
