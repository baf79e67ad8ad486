"""Layout: the sections that a new piece was asked for, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.composer.understanding.lexicon import Lexicon

MOST_SECTIONS = 24
_LETTERS = re.compile(r"[A-D]{3,10}")


def sections_of(spoken: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Names of the sections, as in "verse, chorus, verse" or AABA; none where the request names none.

    A word that is also a verb ("build", "drop") counts only where a list or an article announces it.
    """
    tokens = [token.casefold() for token in spoken]
    words = lexicon.words
    announcing = {",", *words.grammar.joins, *words.places.articles, *words.grammar.afresh}
    refusing = {phrase.casefold() for phrase in words.groups.get("no", ())}
    found: list[str] = []
    at = 0
    while at < len(tokens) and len(found) < MOST_SECTIONS:
        if _LETTERS.fullmatch(spoken[at]) and len(set(spoken[at])) > 1 and lexicon.find(tokens, at) is None:
            found += list(spoken[at])
        section = lexicon.sense(tokens, at, "section")
        if section is None:
            at += 1
            continue
        match = lexicon.find(tokens, at)
        before = tokens[at - 1] if at else ""
        other = match is not None and bool({"goal", "binding", "style", "thing"} & set(match.senses))
        if before not in refusing and (not other or before in announcing):
            found.append(section[1])
        at += section[0]
    return tuple(found[:MOST_SECTIONS])
