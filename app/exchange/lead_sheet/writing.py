"""A song written as a lead sheet, or as a ChordPro file."""

from __future__ import annotations

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.song.chart import ChordSymbol, without_stretch
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from agent.theory.charts.writing import chart_of, chord_pro
from agent.theory.chords import chord_symbol
from agent.theory.harmony import heard_chords
from agent.theory.melody import melody_line, melody_track
from agent.theory.sounding import kit_tracks
from app.exchange.errors import ExchangeError
from app.exchange.lead_sheet.engraving import engraved
from app.exchange.lead_sheet.mei import to_mei
from app.exchange.lead_sheet.page import page
from app.exchange.lead_sheet.rhythm import is_swung, with_tune
from app.exchange.lead_sheet.sheet import sheet_bars

_HEARD = "The song states no chords: these are heard in its notes."
_NO_TUNE = "No part of the song is a tune: the sheet holds the chords alone."

_PARTLY = "Where the song states no chords, they are heard in its notes."


class Sheet(Struct, frozen=True):
    """The file's text, the number of notes in it, and remarks for the person."""

    text: str
    notes: int
    remarks: tuple[str, ...] = ()


def lead_sheet(song: Song, palette: Palette) -> Sheet:
    """The form, the chords and the tune of a song as an HTML page. Raises `ExchangeError` for an empty song."""
    chords, heard = _known(song, palette)
    bars = sheet_bars(song, chords)
    if not bars:
        raise _empty(song)
    track = melody_track(song, palette)
    tune = () if track is None else melody_line(song, (track,))
    remarks = ((_PARTLY if song.chords else _HEARD),) * heard + (_NO_TUNE,) * (not tune)
    swung = is_swung(tune)
    if tune:
        bars = with_tune(bars, tune)
    lines = engraved(to_mei(bars, song.key)) if tune else ()
    return Sheet(page(song, bars, lines, remarks, swung=swung), len(tune), remarks)


def chord_pro_file(song: Song, palette: Palette) -> Sheet:
    """The form and the chords of a song as ChordPro. Raises `ExchangeError` for a song without chords."""
    chart = chart_of(song, tuple(kit_tracks(song, palette)))
    if not chart.chords:
        raise _empty(song)
    return Sheet(chord_pro(song, chart.chords), 0, (_HEARD,) * (not chart.stated))


def _known(song: Song, palette: Palette) -> tuple[tuple[ChordSymbol, ...], bool]:
    """The chords that a song states with those that are heard where it states none, and whether there are such."""
    heard = tuple(
        ChordSymbol(Ticks(one.start), Ticks(one.end - one.start), chord_symbol(one.chord, song.key))
        for one in heard_chords(song, kit_tracks(song, palette))
    )
    for one in song.chords:
        heard = without_stretch(heard, one.start, one.end)
    return tuple(sorted((*song.chords, *heard), key=lambda one: one.start)), bool(heard)


def _empty(song: Song) -> ExchangeError:
    return ExchangeError(
        msg("the song {song!r:.80} has no chords", song=song.name),
        why=msg("it states none, and nothing sounds that makes one"), fix=FixKind.STATE_CHORDS(),
    )
