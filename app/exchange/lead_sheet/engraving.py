"""MEI engraved as drawings, one for each line, in a process of its own: the engraver holds the interpreter."""

from __future__ import annotations

import re
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from agent.message import msg
from app.exchange.errors import ExchangeError

_WIDTH = 2150
_SCALE = 40
_SIGN = re.compile(r'<tspan font-family="[A-Za-z]+" font-size="([0-9]+)px">([\ue000-\uf8ff])</tspan>')
_SIGNS = {"\uea64": "♭", "\uea65": "♮", "\uea66": "♯"}
_OF_MUSIC = 9 / 16
"""A text's size as a share of the size of the music font within it."""


def engraved(mei: str) -> tuple[str, ...]:
    """The lines of an MEI document as SVG; the same document gives the same drawings.

    Raises `ExchangeError` where the engraver cannot read it, or ends.
    """
    try:
        with ProcessPoolExecutor(1, get_context("spawn"), _begin) as pool:
            return pool.submit(_engrave, mei).result()
    except (BrokenProcessPool, ValueError, OSError) as error:
        raise ExchangeError(msg("the tune cannot be engraved"), why=str(error)[:200]) from error


def _begin() -> None:
    """Whoever began the process ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _engrave(mei: str) -> tuple[str, ...]:
    import verovio

    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    toolkit.setOptions({
        "pageWidth": _WIDTH, "pageHeight": 100, "scale": _SCALE, "breaks": "encoded", "header": "none",
        "footer": "none", "adjustPageHeight": True, "svgViewBox": True, "font": "Leipzig", "smuflTextFont": "none",
        "xmlIdSeed": 1, "pageMarginTop": 20, "pageMarginBottom": 20, "pageMarginLeft": 40, "pageMarginRight": 10,
        "svgFormatRaw": True, "mnumInterval": 0, "spacingLinear": 0.3,
    })
    if not toolkit.loadData(mei):
        raise ValueError("the engraver did not read the notes")
    return tuple(_plain(toolkit.renderToSVG(page + 1)) for page in range(toolkit.getPageCount()))


def _plain(svg: str) -> str:
    """Signs within texts as characters that every font has, so that the drawing needs none of its own."""
    return _SIGN.sub(
        lambda found: f'<tspan font-size="{int(found[1]) * _OF_MUSIC:g}px">{_SIGNS.get(found[2], "")}</tspan>', svg
    )
