"""`history`, `restore` and `diff`."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from agent.session.cancellation import Cancellation
from agent.song.changes import Changes
from app.cli.errors import OK
from app.cli.output import Output
from app.cli.version_shapes import diff_shape, history_shape
from app.studio.archive import Archive
from app.studio.workspace import Workspace


async def history(arguments: argparse.Namespace, archive: Archive, output: Output, _: Cancellation) -> int:
    """Print the iterations; returns the exit status."""
    project = await archive.projects.find(arguments.project)
    versions = await archive.history.of(project)

    def human(console: Console) -> None:
        table = Table("#", "id", "when (UTC)", "source", "actions", "words", title=project.name,
                      title_justify="left", box=None, header_style="dim")
        for one in versions.iterations:
            mark = "● " if one.id == project.head else "  "
            when = one.created[:19].replace("T", " ")
            table.add_row(f"{mark}{one.number}", one.id, when, one.source, str(one.actions), one.label)
        console.print(table)
        for sentence in versions.damaged:
            console.print(sentence, style="red")

    output.show(history_shape(project, versions), human)
    return OK


async def restore(arguments: argparse.Namespace, archive: Archive, output: Output, _: Cancellation) -> int:
    """Make an older iteration's song the newest iteration; returns the exit status."""
    project = await archive.projects.find(arguments.project)
    wanted = await archive.history.find(project, arguments.iteration)
    workspace = await Workspace.open(archive.store, project)
    made = await archive.history.restore(workspace, wanted.id)
    output.show(
        {"iteration": made.id, "restored": wanted.id},
        lambda console: console.print(f"#{made.number} {made.id} is #{wanted.number} again; nothing was lost"),
    )
    return OK


async def diff(arguments: argparse.Namespace, archive: Archive, output: Output, _: Cancellation) -> int:
    """Print what differs between two iterations; returns the exit status."""
    project = await archive.projects.find(arguments.project)
    a = await archive.history.find(project, arguments.a)
    b = await archive.history.find(project, arguments.b)
    changes = await archive.history.compare(a, b)
    output.show(diff_shape(a.id, b.id, changes), lambda console: _print(console, changes))
    return OK


def _print(console: Console, changes: Changes) -> None:
    if changes.empty:
        console.print("No difference.")
    for one in changes.song:
        console.print(f"{one.field}: {one.before} → {one.after}")
    for track in changes.tracks:
        counts = f"+{track.notes_added} −{track.notes_removed} ~{track.notes_moved} notes"
        console.print(f"{track.name} ({track.change}): {counts}", style="bold")
        for one in track.fields:
            console.print(f"  {one.field}: {one.before} → {one.after}")
        for clip in track.clips:
            console.print(
                f"  clip {clip.name} ({clip.change}): +{len(clip.notes_added)} "
                f"−{len(clip.notes_removed)} ~{len(clip.notes_moved)}", style="dim",
            )
