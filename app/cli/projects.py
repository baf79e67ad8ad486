"""`projects`: lists them, or makes one."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from agent.message import msg
from agent.session.cancellation import Cancellation
from app.cli.errors import OK, UsageError
from app.cli.output import Output
from app.cli.version_shapes import project_shape
from app.studio.archive import Archive


async def projects(arguments: argparse.Namespace, archive: Archive, output: Output, _: Cancellation) -> int:
    """List projects, or make one; returns the exit status."""
    if arguments.action == "new":
        if not arguments.name:
            raise UsageError(msg("a new project needs a name"), fix=msg("bandleader projects new NAME"))
        made = await archive.projects.create(arguments.name)
        output.show({"project": made.id, "name": made.name}, lambda console: console.print(f"{made.name}  {made.id}"))
        return OK
    known = await archive.projects.all()

    def human(console: Console) -> None:
        table = Table("name", "id", "created", box=None, header_style="dim")
        for project in known:
            table.add_row(project.name, project.id, project.created[:16].replace("T", " "))
        console.print(table if known else "There is no project yet: bandleader compose \"…\"")

    output.show({"projects": [project_shape(project) for project in known]}, human)
    return OK
