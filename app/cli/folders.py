"""`folders`: which folders the steps of a project may use."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.text import Text

from agent.message import msg
from agent.session.cancellation import Cancellation
from app.cli.errors import OK, UsageError
from app.cli.output import Document, Output
from app.services.files.names import shown
from app.storage.records import Project
from app.studio.integrations.folders import ProjectFolders
from app.studio.studio import Studio


async def folders(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """List the folders that steps may use, allow one, or withdraw one. Returns the exit status."""
    project = await studio.projects.find(arguments.project)
    if arguments.action is not None and not arguments.path:
        raise UsageError(msg("which folder?"), fix=msg("bandleader folders {action} PATH", action=arguments.action))
    if arguments.write and arguments.action != "allow":
        raise UsageError(msg("--write goes with allow"), fix=msg("bandleader folders allow PATH --write"))
    if arguments.action == "allow":
        await studio.folders.allow(project, arguments.path, "write" if arguments.write else "read")
    elif arguments.action == "forget":
        await studio.folders.forget(project, arguments.path)
    found = await studio.folders.of(project)
    output.show(folders_shape(project, found), lambda console: _print(console, found))
    return OK


def folders_shape(project: Project, found: ProjectFolders) -> Document:
    """The JSON document of `folders`."""
    always = {"path": found.exports, "access": "write", "why": "exports"}
    own = [{"path": one.path, "access": one.access, "why": "allowed"} for one in found.allowed]
    library = [{"path": one, "access": "read", "why": "library"} for one in found.library]
    return {"project": project.id, "folders": [always, *own, *library]}


def _print(console: Console, found: ProjectFolders) -> None:
    rows = [("write", found.exports, "exports of this project")]
    rows += [(one.access, one.path, "") for one in found.allowed]
    rows += [("read", path, "library") for path in found.library]
    for access, path, why in rows:
        console.print(Text.assemble((f"{access:<6}", "bold"), shown(path), ("  " + why if why else "", "dim")),
                      soft_wrap=True)
