"""What of the song, the plan and the history the words name, and where in the sentence."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.reading.lookup import LAST, Lookup
from agent.chat.reading.matching import PartialMatch
from agent.chat.reading.names import NamedPhrase, SentenceNames
from agent.song.song import Song


def names_in(tokens: Sequence[str], lookup: Lookup) -> SentenceNames:
    """What the tokens name, by slot and token index; cached for the same tokens."""
    row = tuple(tokens)
    known = lookup.known.get(row)
    if known is None:
        known = lookup.known[row] = _names_in(row, lookup)
    return known


def _names_in(tokens: tuple[str, ...], lookup: Lookup) -> SentenceNames:
    names = SentenceNames(tokens)
    for start in range(len(tokens)):
        for slot, named in lookup.at(names.tokens, start):
            names.found.setdefault((slot, start), named)
    for slot, field_name in (("bars", "bars"), ("row", "rows"), ("version", "versions")):
        forms = lookup.language.naming[field_name]
        for start in forms.starts(names):
            counted = next((one.found for one in forms.matches(names, start) if one.found.slots), None)
            if counted is not None:
                names.found[slot, start] = _counted(slot, start, counted, lookup.song)
    _add_stretches(names, lookup)
    return names


def _add_stretches(names: SentenceNames, lookup: Lookup) -> None:
    """Bars that are told by where they lie: before bar 17, the last two bars, what it ends on."""
    bars = max(lookup.song.bars, 1)
    sections = any(slot == "section" and named.sections for (slot, _), named in names.found.items())
    for kind, forms in lookup.language.stretches.items():
        if kind in _EDGES and sections:
            continue
        for start in forms.starts(names):
            found = forms.first(names, start)
            if found is None:
                continue
            number = next((one.number for _, _, one in found.slots if one.number is not None), 1)
            end, low, high = _within(names, lookup, found.end) or (found.end, 1, bars)
            first, last = (low - 1 + bar for bar in _stretch(kind, number, high - low + 1))
            if low <= first <= last:
                names.found["bars", start] = NamedPhrase(end - start, bars=(first, last))


def _within(names: SentenceNames, lookup: Lookup, at: int) -> tuple[int, int, int] | None:
    """The section that bars are said to be of ("of the chorus"): where its words end, its first and its last bar."""
    start = at + lookup.language.within.at(names.tokens, at)
    section = names.at("section", start) if start > at else None
    if section is None or not section.sections:
        return None
    found, bars = lookup.song.section(section.sections[0]), lookup.song.bar_map
    return start + section.length, bars.bar_at(found.start), bars.bar_at(found.end - 1)


_EDGES = ("opening", "ending")


def _stretch(kind: str, number: int, bars: int) -> tuple[int, int]:
    match kind:
        case "before":
            return 1, number - 1
        case "after":
            return number + 1, bars
        case "onwards":
            return number, bars
        case "last" | "ending":
            return max(bars - number + 1, 1), bars
    return 1, min(number, bars)


def _counted(slot: str, start: int, found: PartialMatch, song: Song) -> NamedPhrase:
    """Bars, a row or a version by the numbers that its form holds."""
    numbers = [one.nth if one.number is None else one.number for _, _, one in found.slots]
    counted = [0 if number is None else number for number in numbers]
    length = found.end - start
    if slot == "row":
        return NamedPhrase(length, row=counted[0])
    if slot == "version":
        return NamedPhrase(length, version=counted[0])
    if counted[0] == LAST:
        counted = [max(song.bars, 1)]
    return NamedPhrase(length, bars=(min(counted), max(counted)))
