"""`library`: the user's own MIDI files and samples, found by what is known of them."""

from __future__ import annotations

import argparse
import re

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.message import msg
from agent.session.cancellation import Cancellation
from app.cli.errors import CANCELLED, OK, UsageError
from app.cli.output import Output
from app.services.files.names import shown
from app.services.library.library_service import ItemsFound, QueryLibrary
from app.services.library.shelf import LibraryItem
from app.studio.integrations.library import FolderState, Scanned
from app.studio.studio import Studio

_TEMPO = re.compile(r"(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?")
_TELLS = 20
"""Number of faulty files that are listed at a terminal."""


async def library(
    arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation
) -> int:
    """List the library's folders; add or remove one, scan them, search, tag. Returns the exit status."""
    door = studio.library
    match arguments.action:
        case None:
            folders = await door.folders()
            output.show({"folders": msgspec.to_builtins(folders)}, lambda console: _print_folders(console, folders))
        case "add":
            added = await door.add(arguments.folder)
            return await _scan(added.path, studio, output, cancellation)
        case "forget":
            gone = await door.forget(arguments.folder)
            output.show({"forgotten": gone}, lambda console: console.print(f"forgotten: {shown(gone)}"))
        case "scan":
            return await _scan(None, studio, output, cancellation)
        case "find":
            items = await door.find(_query(arguments))
            output.show(msgspec.to_builtins(items), lambda console: _print_items(console, items))
        case _:
            change = door.tag if arguments.action == "tag" else door.untag
            tags = await change(arguments.file, *arguments.tags)
            told = {"file": arguments.file, "tags": list(tags)}
            output.show(told, lambda console: console.print(f"your tags: {', '.join(tags) or 'none'}"))
    return OK


async def _scan(folder: str | None, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    done = await studio.library.scan(folder, progress=output.progress, cancelled=cancellation.requested)
    document = msgspec.to_builtins(done)
    for one in document["folders"]:
        one["gone"] = len(one["gone"])
    output.show(document, lambda console: _print_scan(console, done))
    return CANCELLED if done.stopped else OK


def _query(arguments: argparse.Namespace) -> QueryLibrary:
    low = high = None
    if arguments.tempo is not None:
        match = _TEMPO.fullmatch(arguments.tempo)
        if match is None:
            raise UsageError(
                msg("--tempo {tempo!r:.40} is no tempo", tempo=arguments.tempo),
                fix=msg("--tempo 90-120, or --tempo 120"),
            )
        low, high = float(match[1]), float(match[2] or match[1])
    return QueryLibrary(
        arguments.kind, tuple(arguments.tag), " ".join(arguments.words), arguments.key, low, high
    )


def _print_folders(console: Console, folders: tuple[FolderState, ...]) -> None:
    if not folders:
        console.print("No folder of yours is in the library yet: bandleader library add FOLDER")
        return
    table = Table("folder", "midi", "samples", "unreadable", "looked through", box=None, header_style="dim")
    for one in folders:
        when = "never" if one.indexed is None else one.indexed[:16].replace("T", " ")
        table.add_row(Text(shown(one.path)), str(one.midi), str(one.samples), str(one.faults), when)
    console.print(table)


def _print_scan(console: Console, done: Scanned) -> None:
    for one in done.folders:
        gone = f", {len(one.gone):,} gone" if one.gone else ""
        console.print(Text(f"{shown(one.folder)}: {one.files:,} files, {one.read:,} read{gone}"))
        for line in one.left_out:
            console.print(Text(f"  left out: {line}", style="dim"))
    for fault in (*done.troubles, *done.faults[:_TELLS]):
        console.print(Text(f"  {shown(fault.path)}: {fault.why}", style="yellow"))
    more = len(done.faults) + done.faults_left_out - _TELLS
    if more > 0:
        console.print(f"  {more:,} more that cannot be read", style="yellow")
    if done.stopped:
        console.print("stopped: what was read until then is kept")


def _print_items(console: Console, items: ItemsFound) -> None:
    table = Table("kind", "name", "tempo", "key", "length", "tags", box=None, header_style="dim")
    for one in items.items:
        tempo = f"{one.tempo:g}" if isinstance(one.tempo, float) else ""
        key = one.key if isinstance(one.key, str) else ""
        table.add_row(one.kind, Text(one.name), tempo, key, _length(one), Text(" ".join(one.tags)))
    console.print(table if items.items else "Nothing fits.")
    if items.left_out:
        console.print(f"{items.left_out:,} more fit: say more exactly what you want", style="dim")


def _length(item: LibraryItem) -> str:
    if isinstance(item.bars, int):
        return f"{item.bars} bars"
    return f"{item.seconds:.1f} s" if isinstance(item.seconds, float) else ""
