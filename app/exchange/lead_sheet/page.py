"""A lead sheet as one HTML file that needs nothing else and prints on A4."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from agent.song.chord_symbols import NO_CHORD
from agent.song.song import Song
from app.exchange.lead_sheet.sheet import SheetBar

_STYLE = """
@page { size: A4; margin: 14mm 14mm 16mm; }
* { box-sizing: border-box; }
html { background: #e9e9e7; color: #141518; }
body { margin: 24px auto; max-width: 210mm; padding: 16mm 14mm; background: #fff;
  font-family: Inter, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-size: 12px; line-height: 1.4; }
h1 { margin: 0; font-size: 26px; font-weight: 650; text-align: center; overflow-wrap: anywhere; }
.facts { margin: 4px 0 18px; display: flex; justify-content: space-between; color: #43464b; }
.line { break-inside: avoid; margin: 0 0 6px; }
.line svg { display: block; width: 100%; height: auto; }
.line svg text { font-family: Inter, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
.line .harm { font-weight: 600; }
.line .reh { font-weight: 600; }
h2 { display: inline-block; margin: 14px 0 4px; padding: 1px 7px; border: 1.5px solid #141518; font-size: 13px;
  font-weight: 650; break-after: avoid; overflow-wrap: anywhere; }
.bars { display: grid; grid-template-columns: repeat(4, 1fr); border-left: 1.5px solid #141518; break-inside: avoid; }
.bar { min-height: 44px; padding: 12px 8px 6px; border-right: 1.5px solid #141518; position: relative; display: flex;
  align-items: center; font-size: 17px; font-weight: 600; }
.bar span { position: absolute; white-space: nowrap; }
.bar i { color: #565a60; font-style: normal; font-weight: 400; }
.bar small { position: absolute; top: 1px; left: 4px; font-size: 9px; font-weight: 400; color: #565a60; }
footer { margin-top: 18px; color: #565a60; font-size: 10px; }
@media print { html { background: none; } body { margin: 0; padding: 0; max-width: none; } }
"""


def page(song: Song, bars: Sequence[SheetBar], lines: Sequence[str], remarks: Sequence[str], *, swung: bool) -> str:
    """The lead sheet as an HTML page: `lines` are engraved staves as SVG; without them the chords stand in boxes, four
    bars in a row. `remarks` become footers; `swung` adds "swung eighths" to the tempo."""
    name = escape(song.name)
    meter = song.meters[0]
    tempo = f"♩ = {song.bpm:g}" + ", swung eighths" * swung
    facts = f"<span>{escape(_key(song))}, {meter.beats}/{meter.unit}</span><span>{tempo}</span>"
    body = "".join(f'<div class="line">{line}</div>' for line in lines) if lines else "".join(_grid(bars))
    notes = "".join(f"<footer>{escape(remark)}</footer>" for remark in remarks)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name}</title><style>{_STYLE}</style></head>\n"
        f'<body><h1>{name}</h1><div class="facts">{facts}</div>\n{body}\n{notes}</body></html>\n'
    )


def shown(symbol: str) -> str:
    """A chord symbol with ♯ and ♭ in place of # and b: "B♭m7"."""
    if symbol == NO_CHORD:
        return symbol
    made = symbol.replace("#", "♯")
    return "".join(
        "♭" if char == "b" and (at == 1 or made[at + 1:at + 2].isdigit() or made[at - 2:at - 1] == "/") else char
        for at, char in enumerate(made)
    )


def _key(song: Song) -> str:
    tonic = song.key.tonic.replace("#", "♯")
    return f"{tonic[0]}{tonic[1:].replace('b', '♭')} {song.key.mode.replace('_', ' ')}"


def _grid(bars: Sequence[SheetBar]) -> Iterator[str]:
    """Bars as boxes under the names of their sections; a bar in which no chord begins repeats the one before."""
    opened = False
    meter = bars[0].meter if bars else None
    for bar in bars:
        if bar.section or not opened:
            yield "</div>" * opened
            yield f"<h2>{escape(bar.section)}</h2>" if bar.section else ""
            yield '<div class="bars">'
            opened = True
        changed = meter is not None and (meter.beats, meter.unit) != (bar.meter.beats, bar.meter.unit)
        meter = bar.meter
        mark = f" {bar.meter.beats}/{bar.meter.unit}" if changed else ""
        chords = "".join(
            f'<span style="left:{3 + 96 * at / bar.length:.4g}%">{escape(shown(symbol))}</span>'
            for at, symbol in bar.chords
        ) or "<i>%</i>"
        yield f'<div class="bar"><small>{bar.number}{mark}</small>{chords}</div>'
    yield "</div>" * opened
