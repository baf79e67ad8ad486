"""Commands: clauses that want something done that needs no plan."""

from __future__ import annotations

from agent.chat.messages import Command
from agent.chat.reading.language import Language
from agent.chat.reading.matching import PartialMatch
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.phrases import ENDS, PAUSES
from agent.chat.reading.sentences import said
from agent.composer.tokens import tokens_of

_MOST = 24
"""Tokens of the longest clause that can be a command."""


def command_of(names: SentenceNames, words: str, language: Language) -> Command | None:
    """The command that the whole clause is, filler aside, with `words` as its text; None if the clause holds anything
    else."""
    tokens = names.tokens
    if len(tokens) > _MOST:
        return None
    begin = 0
    while begin < len(tokens):
        for one in language.commands.matches(names, begin):
            command, found = one.payload, one.found
            if _only_filler(tokens[found.end :], language) and _is_there(found):
                rest = next((_as_written(tokens[at:], words) for slot, at, _ in found.slots if slot == "rest"), ())
                told = next((named.format for _, _, named in found.slots if named.format), "")
                return Command(command.action, words, names.about(found.own), said(rest) or command.value or told)
        step = language.wants.at(tokens, begin) or language.shape["openers"].at(tokens, begin)
        if not (step or tokens[begin] in PAUSES):
            return None
        begin += step or 1
    return None


def _as_written(tail: tuple[str, ...], words: str) -> tuple[str, ...]:
    """The last tokens of a text with their capitals."""
    written = tuple(token for token in tokens_of(words) if token not in ENDS)[-len(tail) :]
    return written if tuple(token.casefold() for token in written) == tail else tail


def _is_there(found: PartialMatch) -> bool:
    """Whether the song has the parts and places that it names: "solo piano" is a request where there is no piano."""
    return all(one.tracks or one.sections or one.bars for slot, _, one in found.slots if slot in _PARTS)


_PARTS = ("track", "section", "place")


def is_plannable(command: Command, language: Language) -> bool:
    """Whether the command may be planned together with a request."""
    return any(one.action == command.name and one.plannable for one in language.words.commands)


def _only_filler(tokens: tuple[str, ...], language: Language) -> bool:
    filler = language.shape["filler"]
    return all(token in filler or token in PAUSES for token in tokens)
