"""Words beside what a message wants: a reason, small talk, whom it is for. They are no second thing to be done.

Only what surely wants nothing of the music counts: an order, a complaint or a measure ("too", "more") is never one.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.chat.reading.clauses import cuts
from agent.chat.reading.language import Language
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.phrases import PAUSES, without_leading

_FOR = "for"
_FEW = 4
"""Tokens after "I want" among which the verb of it must stand."""


def is_aside(names: SentenceNames, language: Language) -> bool:
    """Whether a clause only says why, for whom, or how somebody feels: "it is for my sister", "I am tired"."""
    words, shape = language.asides, language.shape
    tokens = without_leading(without_leading(names.tokens, words["joints"]), shape["openers"])
    if words["errands"].at(tokens) and not _names_music(names, language):
        return True
    if not tokens or language.reactions["filler"].at(tokens) == len(tokens):
        return True
    if words["judging"].find(tokens) is not None and not _orders(tokens, language):
        return True
    if _orders(tokens, language) or any(shape["suggests"].at(tokens, at) for at in range(len(tokens))):
        return False
    if any(words["measures"].at(tokens, at) for at in range(len(tokens))):
        return False
    if words["gone"].at(tokens) or _purposes(names, tokens, language):
        return True
    if tokens[0] == _FOR and not _names_music(names, language) and not any(one.isdecimal() for one in tokens):
        return True
    person = words["persons"].at(tokens)
    own, other = words["first"].at(tokens), words["others"].at(tokens)
    if not (person or own or other):
        return False
    wants = next((at for at, token in enumerate(tokens[:_FEW]) if token in words["wants"]), None)
    if wants is None:
        return True
    if _does_itself(tokens[wants + 1 :], language):
        return not (names.at("track", len(names.tokens) - len(tokens) + 1) and other)
    return bool(other) and not _names_music(names, language)


def states_only(names: SentenceNames, language: Language) -> bool:
    """Whether a clause only states how something is or was ("the verse was great"), without an order or wish."""
    words, shape = language.asides, language.shape
    tokens = without_leading(without_leading(names.tokens, words["joints"]), shape["openers"])
    wants = bool(words["first"].at(tokens)) and any(token in shape["wanting"] for token in tokens)
    states = any(words["stating"].at(tokens, at) for at in range(1, len(tokens)))
    return states and not wants and not _orders(tokens, language) and not shape["suggests"].at(tokens)


def _orders(tokens: tuple[str, ...], language: Language) -> bool:
    """Whether a verb of an order begins it, or follows where two clauses meet, in polite words or without them."""
    doing, suggests = language.shape["doing"], language.shape["suggests"]
    if doing.at(tokens):
        return True
    if language.asides["errands"].at(tokens):
        return False
    later = (without_leading(after, language.shape["openers"]) for _, after in cuts(tokens))
    return any(doing.at(after) or suggests.at(after) for after in later)


def _purposes(names: SentenceNames, tokens: tuple[str, ...], language: Language) -> bool:
    """want to busk it tomorrow, I should like to strum along on my ukulele: a verb of no order, so that somebody does
    it himself; what he has of his own is no part of the song."""
    words = language.asides
    own = begin = words["first"].at(tokens)
    while begin < len(tokens) and tokens[begin] in words["wants"]:
        begin += 1
    verb = tokens[begin + 1 : begin + 2]
    if begin == own or tokens[begin : begin + 1] != ("to",) or not verb or language.shape["doing"].at(verb):
        return False
    if not own and verb[0] in words["sounding"]:
        return False
    mine = next((at for at in range(begin, len(names.tokens)) if names.tokens[at] in _MINE), len(names.tokens))
    about = names.about(range(mine, len(names.tokens)))
    return not (about.tracks or about.absent or about.sections or about.styles)


_MINE = ("my", "our", "their", "his", "her")


def _does_itself(rest: tuple[str, ...], language: Language) -> bool:
    """to hear the horns, to set my metronome; it for my class."""
    words = language.asides
    return words["own"].at(rest) > 0 or words["taking"].at(rest) > 0


def _names_music(names: SentenceNames, language: Language) -> bool:
    about = names.about()
    _, music = language.elsewhere
    return bool(about.tracks or about.absent or about.sections or about.styles) or music.find(names.tokens) is not None


def parted(tokens: tuple[str, ...], language: Language) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every (before, after) split of the tokens where an aside may begin or end: at conjunctions and reasons, and
    before "I", unless the words before lead to it ("what do I")."""
    words, shape = language.asides, language.shape
    for at in range(1, len(tokens)):
        joined = tokens[at] in PAUSES or words["joints"].at(tokens, at) > 0
        before = tokens[at - 1]
        leads = before in shape["auxiliaries"] or before in shape["wh"] or before in words["leads"]
        if joined or (words["speaker"].at(tokens, at) and not leads):
            after = without_leading(tokens[at:], words["joints"])
            if after:
                yield tokens[:at], after
