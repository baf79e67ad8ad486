"""`chords`: the chart of a song, printed or set."""

from __future__ import annotations

import argparse

from rich.console import Console

from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.song.song import Song
from agent.song.time import to_beats
from agent.theory.charts.reading import read_chart
from agent.theory.charts.setting import SetChart, set_on
from agent.theory.charts.writing import SongChart, chart_of, chart_text, chord_pro
from agent.theory.sounding import kit_tracks
from app.cli.chart_files import text_of
from app.cli.errors import OK, UsageError
from app.cli.output import Document, Output
from app.paths import named_path
from app.storage.records import Iteration
from app.studio.studio import Studio

_UNSURE = 0.6
"""Share of the sounding notes below which a detected chord is marked as a guess."""


async def chords(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Print the chart; with `--set` or `--file` first write other chords into the song. Returns the exit status."""
    text = _given(arguments)
    project = await studio.projects.find(arguments.project)
    workspace = await studio.open(project)
    made: tuple[SetChart, Iteration] | None = None
    if text is not None:
        song = workspace.song
        meter = song.meters[0]
        chart = read_chart(text, song.key, (meter.beats, meter.unit))
        done = set_on(song, chart, arguments.first, repeat=arguments.repeat)
        made = done, await workspace.commit(done.edits, label="Chords of a chart")
    song = workspace.song
    chart_now = chart_of(song, tuple(kit_tracks(song, studio.palette)))
    output.show(
        _shape(project.id, song, chart_now, made), lambda console: _print(console, arguments, song, chart_now, made)
    )
    return OK


def _given(arguments: argparse.Namespace) -> str | None:
    """The chart that is to be set; None where none is given. Raises `UsageError`."""
    if arguments.set is not None and arguments.file is not None:
        raise UsageError(msg("a chart comes from --set or from --file, not from both"))
    if arguments.file is None:
        if arguments.set is None and (arguments.repeat or arguments.first != 1):
            raise UsageError(msg("--repeat and --first belong to --set or --file"))
        return None if arguments.set is None else str(arguments.set).replace("\\n", "\n")
    return text_of(named_path(arguments.file))


def _shape(project: str, song: Song, chart: SongChart, made: tuple[SetChart, Iteration] | None) -> Document:
    document: Document = {
        "project": project, "key": str(song.key), "stated": chart.stated,
        "chords": [
            {"symbol": one.symbol, "bar": song.bar_map.bar_at(one.start), "start": to_beats(one.start),
             "duration": to_beats(one.duration), "certainty": certainty}
            for one, certainty in zip(chart.chords, chart.certainty, strict=True)
        ],
        "chart": chart_text(song, chart.chords),
    }
    if made is not None:
        document |= {"iteration": made[1].id, "bars": list(made[0].bars), "remarks": list(made[0].remarks)}
    return document


def _print(
    console: Console, arguments: argparse.Namespace, song: Song, chart: SongChart,
    made: tuple[SetChart, Iteration] | None,
) -> None:
    if made is not None:
        first, last = made[0].bars
        console.print(f"version {made[1].number}: the song states its chords in bars {first}-{last}", markup=False)
        for remark in made[0].remarks:
            console.print(f"  {remark}", style="dim", markup=False)
    if not chart.chords:
        console.print("The song states no chords, and nothing sounds that makes one.")
        return
    if not chart.stated:
        unsure = sorted({song.bar_map.bar_at(one.start) for one, sure in zip(chart.chords, chart.certainty, strict=True)
                         if sure < _UNSURE})
        console.print("Heard in the notes; the song states no chords of its own.", style="dim")
        if unsure:
            console.print(f"Least sure in bars {', '.join(map(str, unsure[:12]))}.", style="dim")
    written = chord_pro if arguments.format == "chordpro" else chart_text
    console.print(written(song, chart.chords), markup=False, highlight=False, soft_wrap=True)
