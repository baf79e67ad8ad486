"""`doctor` and `list`."""

from __future__ import annotations

import argparse

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.session.cancellation import Cancellation
from agent.song.palette import EffectKind
from app.bootstrap import look_around
from app.cli.errors import MACHINE, OK
from app.cli.fixes import typed
from app.cli.output import Document, Output
from app.cli.shapes import health_shape
from app.paths import Paths
from app.studio.studio import Studio


def doctor(paths: Paths, output: Output) -> int:
    """Print the checks of this installation; also works where the studio cannot be opened. Returns the exit status."""
    health = look_around(paths)

    def human(console: Console) -> None:
        table = Table(box=None, show_header=False, padding=(0, 1))
        for check in health.checks:
            mark = Text("✓", "green") if check.ok else Text("✗", "yellow")
            table.add_row(mark, check.name, check.detail)
            if check.fix and not check.ok:
                table.add_row("", "", Text(f"→ {check.fix}", "dim"))
        console.print(table)
        console.print("Everything that is needed works." if health.ok else "Something that is needed is missing.")

    output.show(health_shape(health), human)
    return OK if health.ok else MACHINE


async def list_shelf(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Print the instruments, effects, styles or tools that there are; returns the exit status."""
    rows = _rows(arguments.what, studio)
    table = Table(*rows[0], box=None, header_style="dim") if rows else Table()
    for row in rows:
        table.add_row(*row.values())
    document = {arguments.what: _documents(arguments.what, studio)}
    if arguments.what == "styles":
        faults = studio.styles_left_out
        document["left_out"] = [{"what": one.what, "why": one.why, "try": typed(one.fix)} for one in faults]
        for one in faults:
            output.note(f"left out: {one}" + (f"; try: {typed(one.fix)}" if one.fix else ""), "yellow")
    if arguments.what == "tools":
        for fault in (*studio.servers.left_out, *studio.plugged_in.left_out):
            output.note(f"left out: {fault}; try: {typed(fault.fix)}", "yellow")

    def human(console: Console) -> None:
        console.print(table)
        for name, terms in _terms(studio) if arguments.what == "instruments" else ():
            console.print(f"{name}: {terms}", markup=False)

    output.show(document, human)
    return OK


def _terms(studio: Studio) -> list[tuple[str, str]]:
    """What the licences of recorded instruments ask, by the instrument's name."""
    known = studio.palette.instruments
    return [(one.name, one.samples.terms) for one in known if one.samples is not None]


def _documents(what: str, studio: Studio) -> list[Document]:
    match what:
        case "instruments":
            return [msgspec.to_builtins(one) for one in studio.palette.instruments]
        case "effects":
            return [msgspec.to_builtins(one) for one in studio.palette.effects]
        case "tools":
            return [msgspec.to_builtins(one) for one in studio.registry.tools.values()]
        case _:
            styles = [item for item in studio.library.shelf if item.kind == "style"]
            return [{"name": item.name, "label": item.label, "tags": list(item.tags)} for item in styles]


def _rows(what: str, studio: Studio) -> list[dict[str, str]]:
    match what:
        case "instruments":
            return [
                {"name": one.name, "family": one.family, "range": f"{one.low}-{one.high}", "tags": " ".join(one.tags)}
                for one in studio.palette.instruments
            ]
        case "effects":
            effects = studio.palette.effects
            return [{"name": one.name, "about": one.about, "parameters": _params(one)} for one in effects]
        case "tools":
            tools = studio.registry.tools.values()
            return [{"name": one.name, "service": one.service, "about": one.about} for one in tools]
        case _:
            styles = [item for item in studio.library.shelf if item.kind == "style"]
            return [{"name": one.name, "label": one.label, "from": ", ".join(one.tags)} for one in styles]


def _params(effect: EffectKind) -> str:
    return ", ".join(f"{one.name} {one.low:g}…{one.high:g} {one.unit}".strip() for one in effect.params)
