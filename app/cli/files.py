"""`import` and `export`."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from agent.message import msg
from agent.session.cancellation import Cancellation
from app.cli.errors import OK, UsageError
from app.cli.output import Output
from app.paths import named_path
from app.services.exporting import file_ending, make_folder
from app.services.formats import FORMATS, WRITTEN_AT_ONCE, Format
from app.studio.importing import bring_in
from app.studio.studio import Studio


async def bring(
    arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation
) -> int:
    """Import a MIDI file into the named project, or into the one used last if it is still empty, else into a new one
    named after the file. Returns the exit status."""
    brought = await bring_in(studio, Path(arguments.file), arguments.project, cancellation)
    project = brought.project
    document = {
        "project": project.id, "iteration": brought.iteration.id, "kept": brought.kept,
        "dropped": list(brought.dropped), "chords": brought.chords, "agreed": brought.agreed,
    }

    def human(console: Console) -> None:
        console.print(f"{brought.kept} notes in {brought.tracks} tracks → {project.name} ({project.id})")
        if brought.chords:
            console.print(f"{brought.chords} chords that the file names; {brought.agreed:.0%} of what sounds fits them")
        for sentence in brought.dropped:
            console.print(f"  not kept: {sentence}", style="dim")

    output.show(document, human)
    return OK


async def take(
    arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation
) -> int:
    """Export the song to a file; returns the exit status."""
    form = _format(arguments.format)
    project = await studio.projects.find(arguments.project)
    workspace = await studio.open(project)
    if not workspace.song.note_count and not (workspace.song.chords and form in ("chordpro", "leadsheet")):
        raise UsageError(
            msg("project {project!r} has an empty song", project=project.name), why=msg("there is nothing to export"),
        )
    folder = await studio.projects.export_folder(project)
    out = None if arguments.out is None else named_path(arguments.out)
    progress, cancelled = output.progress, cancellation.requested
    if out is None or (out.is_dir() and form != "stems"):
        work = studio.exporter.export_new(
            workspace.song, form, folder, workspace.song.name, out, progress=progress, cancelled=cancelled
        )
    else:
        work = studio.exporter.export(
            workspace.song, form, _place(out, form), replace=arguments.replace, progress=progress, cancelled=cancelled
        )
    # Sound is stopped by what makes it, which ends its processes; all else is written whole or not at all.
    written = await (cancellation.race(work) if form in WRITTEN_AT_ONCE else work)
    document = {
        "project": project.id, "path": str(written.path.absolute()), "kept": written.kept,
        "dropped": list(written.dropped), "remarks": list(written.remarks),
    }

    def human(console: Console) -> None:
        console.print(str(written.path.absolute()), soft_wrap=True)
        for sentence in (*written.dropped, *written.remarks):
            console.print(f"  {sentence}", style="dim")

    output.show(document, human)
    return OK


def _format(text: str) -> Format:
    for form in FORMATS:
        if text.lower() in (form, {"mid": "midi"}.get(form)):
            return form
    raise UsageError(
        msg("the format {text!r:.40} is not there", text=text),
        fix=msg("choose one of {formats}", formats=", ".join(FORMATS)),
    )


def _place(path: Path, form: Format) -> Path:
    if form not in ("mid", "stems") and path.suffix.lower() != file_ending(form):
        path = path.with_name(f"{path.name}{file_ending(form)}")
    make_folder(path.parent)
    return path
