"""Chart files: charts as text, ChordPro or MIDI, and the request for a piece over one."""

from __future__ import annotations

from pathlib import Path

from agent.song.apply import apply_all
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.charts.chart import LONGEST_TEXT, ChartError
from agent.theory.charts.reading import read_chart
from agent.theory.charts.setting import set_on
from agent.theory.charts.writing import chart_of, chart_text
from agent.theory.sounding import kit_tracks
from app.cli.errors import UsageError
from app.exchange.midi_in import import_midi
from app.whole_files import read_whole

_MIDI = (".mid", ".midi")
_HEAD = 4
"""Lines of facts at the head of a written chart."""


def text_of(path: Path) -> str:
    """The text of a chart file. Raises `UsageError` where it cannot be read or is no text."""
    try:
        return read_whole(path, 4 * LONGEST_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path} is not a text", why=str(problem), fix="save the chart as UTF-8 text") from None
    except OSError as problem:
        raise UsageError(f"cannot read {path}", why=problem.strerror or str(problem), fix="check the path") from None


def over_chart(request: str, path: Path, palette: Palette) -> str:
    """A request with the chart of a file behind it, bar by bar; of a MIDI file the chords that are heard in it.

    Raises `UsageError` where the file cannot be read, and `ChartError` where it holds no chart.
    """
    if path.suffix.lower() in _MIDI:
        song = import_midi(path, palette).song
        chords = chart_of(song, tuple(kit_tracks(song, palette))).chords
        if not chords:
            raise ChartError(f"no chords are heard in {path.name}", fix="give a file with notes, or write the chart")
        facts = {"Key", "Tempo", "Time"}
    else:
        chart = read_chart(text_of(path))
        song = apply_all(Song(name=chart.title or "Untitled"), set_on(Song(), chart).edits)
        chords = song.chords
        stated = {"Title": chart.title, "Key": chart.key, "Tempo": chart.bpm, "Time": chart.meter}
        facts = {name for name, said in stated.items() if said}
    lines = chart_text(song, chords).splitlines()
    kept = [line for at, line in enumerate(lines) if at >= _HEAD or line.partition(":")[0] in facts]
    return request + "\n\n" + "\n".join(kept).strip()
