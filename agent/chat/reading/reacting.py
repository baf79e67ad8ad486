"""Messages that wholly react to what was said or shown: a yes, a no, thanks, a dislike, or that it be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.chat.context import Context
from agent.chat.messages import ApprovalInWords, Command, CommandName, Message, Refusal, Talk, TalkKind
from agent.chat.reading.commands import command_of
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.phrases import without_leading
from agent.chat.reading.reactions import reactions_covering
from agent.chat.reading.sentences import Sentence

TALK: tuple[TalkKind, ...] = (
    "bye", "sorrow", "luck", "thanks", "who", "greeting", "joy", "praise", "weary", "feeling", "opinion", "joke",
    "grumble", "elsewhere", "no", "agreement",
)
"""Reactions that are small talk, in order of precedence."""
BACK: tuple[CommandName, ...] = ("undo", "restore", "discard")
"""Commands that undo something."""
_TAKING_BACK = 14
"""Tokens of the longest saying of which all but a command to take back reacts."""


class Reacting(Struct, frozen=True):
    """Reads a message that is only a reaction."""

    _words: str
    _context: Context
    _language: Language
    _lookup: Lookup

    def message(self, sentences: Sequence[Sentence]) -> Message | None:
        """The message if it consists of reactions, possibly with a command to undo; None for any other."""
        reaction = self._reaction(sentences)
        talks = isinstance(reaction, Talk) and reaction.kind != "no"
        back = None if talks else self._taken_back(sentences)
        return reaction if back is None else back

    def _taken_back(self, sentences: Sequence[Sentence]) -> Command | None:
        """ugh no go back, scrap that not feeling it: the command to take back, where all else only reacts."""
        tokens = tuple(token for one in sentences for token in (*one.tokens, ","))
        asks = any(one.asked for one in sentences) or (tokens and asks_how(tokens, self._language))
        if asks or len(tokens) > _TAKING_BACK:
            return None
        starts = [at for at in range(len(tokens)) if not at or self._only_reacts(tokens[:at])]
        ends = [at for at in range(len(tokens), 0, -1) if at == len(tokens) or self._only_reacts(tokens[at:])]
        for start, end in ((start, end) for start in starts for end in ends if start < end):
            command = command_of(names_in(tokens[start:end], self._lookup), self._words, self._language)
            if command is not None and command.name in BACK:
                return command if end - start < len(tokens) else None
        return None

    def _only_reacts(self, tokens: tuple[str, ...]) -> bool:
        return bool(reactions_covering(names_in(tokens, self._lookup), self._language))

    def _reaction(self, sentences: Sequence[Sentence]) -> Message | None:
        """The message where all of it is reactions."""
        tokens = tuple(token for one in sentences for token in (*one.tokens, ","))
        asked = any(one.asked for one in sentences)
        names = names_in(tokens, self._lookup)
        kinds = reactions_covering(names, self._language)
        waits = self._context.plan is not None
        if asked and kinds <= {"praise", "dislike"}:
            return None  # "is this any good?" asks
        if "dislike" in kinds or ("again" in kinds and not asked):
            about = names.about()
            alone = "dislike" in kinds or not (about.tracks or about.absent or about.sections)
            return Refusal(self._words, "", names.about()) if alone else None
        if "approve" in kinds and "no" not in kinds and not asked:
            meant: TalkKind = "thanks" if "thanks" in kinds else "agreement"
            return ApprovalInWords(self._words) if waits else Talk(meant, self._words)
        if "no" in kinds:
            return Command("discard", self._words) if waits else Talk("no", self._words)
        if kinds == {"praise"} and waits:
            return ApprovalInWords(self._words)
        return next((Talk(kind, self._words) for kind in TALK if kind in kinds), None)


def asks_how(tokens: tuple[str, ...], language: Language) -> bool:
    """Whether the tokens ask about an action ("how do I undo", "can I export") rather than order it."""
    plain = without_leading(tokens, language.shape["openers"]) or tokens
    return plain[0] in language.shape["wh"] or plain[:2] in (("can", "i"), ("could", "i"), ("do", "you"))
