"""Links of an answer, in its words where they are named there, else behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.chat.answer import BarsLink, CommandLink, Link, RowLink, RunLink, TrackLink, VersionLink
from app.i18n import tr
from app.viewmodels.chat.telling import plain
from app.viewmodels.texts.figures import bars_text

_LINK = re.compile(r"\[(?:\\.|[^\[\]\\]){0,400}+\]\([^()\s]{0,400}+\)")
_MOST = 6
"""Links listed after the text; more would be a list of the song."""


def link_words(link: Link) -> str:
    """The name of a link's target in a word or two."""
    match link:
        case BarsLink(first, last):
            return bars_text(first, last)
        case TrackLink(_, name):
            return name
        case RowLink(_, number, _):
            return tr("row {number}", number=number)
        case VersionLink(_, number):
            return tr("version {number}", number=number)
        case RunLink():
            return tr("the run")
        case CommandLink(command):
            return command


def linked(text: str, links: Sequence[Link], scheme: str) -> str:
    """Markdown with links, in the text where they are named, else after it; the target of each is `scheme` and its
    index."""
    behind: list[str] = []
    for number, link in enumerate(links):
        words, target = plain(link_words(link)), f"{scheme}{number}"
        found = _where(words, text)
        if found is not None:
            text = f"{text[:found[0]]}[{text[found[0]:found[1]]}]({target}){text[found[1]:]}"
        elif len(behind) < _MOST:
            behind.append(f"[{words}]({target})")
    return f"{text}\n\n{' · '.join(behind)}" if behind else text


def _where(words: str, text: str) -> tuple[int, int] | None:
    """Where words stand alone in a text, outside of the links that are there already; best as the head of a line, which
    is about what it names."""
    taken = [found.span() for found in _LINK.finditer(text)]
    alone = [
        found.span() for found in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
        if not any(start < found.end() and found.start() < end for start, end in taken)
    ]
    return next((one for one in alone if text[one[0] - 1 : one[0]] == "\n"), alone[0] if alone else None)
