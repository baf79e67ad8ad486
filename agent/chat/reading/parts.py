"""The clauses of a sentence that want nothing planned: its commands, its questions, and what is said beside them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from agent.chat.messages import Command, Question
from agent.chat.reading.asides import is_aside, parted, states_only
from agent.chat.reading.clause import Clause
from agent.chat.reading.clauses import ADDING, cuts
from agent.chat.reading.commands import command_of
from agent.chat.reading.language import Language
from agent.chat.reading.listening import listening
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.phrases import without_leading
from agent.chat.reading.qualities import without_qualities
from agent.chat.reading.sentences import said
from agent.chat.reading.topics import is_aspect, question_of, stays_whole

_FEW = 5
"""Tokens than which a bare fact that is asked for beside another has fewer."""
_LEAST = 3
"""Tokens of the shortest question that another follows in the same sentence."""


class Parts(Struct, frozen=True):
    """Reads the clauses of one message that need no plan: questions, commands, asides."""

    _lookup: Lookup
    _language: Language

    def question(self, tokens: tuple[str, ...], words: str, *, possible: bool = False) -> Question:
        """The question that the tokens ask, with `words` as its text; its topic is "unknown" if it is not understood.
        `possible`: it asks whether something can be done."""
        return question_of(names_in(tokens, self._lookup), words, self._language, possible=possible)

    def commands(self, tokens: tuple[str, ...], words: str) -> tuple[Command, ...]:
        """The commands that the tokens consist of, each with its text (`words` if there is only one); remarks such as
        "I am tired" may stand beside them. Empty if the tokens hold anything else."""
        names = names_in(tokens, self._lookup)
        if heard := listening(names, words, self._language):
            return heard
        if (command := command_of(names, words, self._language)) is not None:
            return self._named_first(tokens) or (command,)
        for before, after in parted(tokens, self._language):
            first = self._command(before)
            if first and (self.is_aside(after) or (rest := self.commands(after, said(after)))):
                return first if self.is_aside(after) else (*first, *rest)
            if self.is_aside(before) and (rest := self.commands(after, said(after))):
                return rest
        return ()

    def tells_quality(self, tokens: tuple[str, ...]) -> bool:
        """Whether a clause only names the quality of exported sound ("24 bit")."""
        left = without_qualities(tokens, self._language)
        return len(left) < len(tokens) and not self._language.shape["doing"].at(left)

    def export_of_quality(self, tokens: tuple[str, ...], words: str) -> tuple[Command | Question, ...] | None:
        """The export that the tokens ask for, and a question about its quality, both with `words` as their text; None
        if they do not ask for an export in some quality ("export it as 24 bit WAV")."""
        left = without_qualities(tokens, self._language)
        found = self.commands(left, words) if 0 < len(left) < len(tokens) else ()
        exports = bool(found) and all(one.name == "export" for one in found)
        return (*found, Question("quality", words)) if exports else None

    def _named_first(self, tokens: tuple[str, ...]) -> tuple[Command, ...]:
        """A command with a name at its end, and the one behind that: save it as spot and undo the last change."""
        for before, after in cuts(tokens):
            first = self._command(before)
            if len(first) == 1 and first[0].value and (rest := self._command(after)):
                return (*first, *rest)
        return ()

    def _command(self, tokens: tuple[str, ...]) -> tuple[Command, ...]:
        """The command that the tokens are, without one more cut."""
        names = names_in(tokens, self._lookup)
        heard = listening(names, said(tokens), self._language)
        command = None if heard else command_of(names, said(tokens), self._language)
        return heard or (() if command is None else (command,))

    def is_aside(self, tokens: tuple[str, ...]) -> bool:
        """Whether the tokens only say why, for whom, or how somebody feels: "it is for my sister"."""
        return is_aside(names_in(tokens, self._lookup), self._language)

    def tells_how_it_was(self, tokens: tuple[str, ...]) -> bool:
        """Whether the tokens only state how something is or was ("the verse was great"), without an order."""
        return states_only(names_in(tokens, self._lookup), self._language)

    def questions(self, tokens: tuple[str, ...], words: str) -> list[Question]:
        """The questions in one sentence, each with its text (`words` if there is only one). A second one is about the
        place of the first, unless it names its own: "how long is the chorus, and which chords?"."""
        whole = self.question(tokens, words)
        if stays_whole(whole, self._language):
            return [whole]
        for before, after in cuts(tokens, ADDING):
            first = self.question(before, said(before))
            if len(before) < _LEAST or first.topic == "unknown" or not self._asks_anew(after):
                continue
            plainly = self._is_asked(after)
            rest = [one for one in self.questions(after, said(after)) if plainly or one.topic != "unknown"]
            known = (first.topic, first.action)
            further = [self._there(one, first) for one in rest if (one.topic, one.action) != known]
            if further:
                return [first, *further]
        return [whole]

    def _asks_anew(self, tokens: tuple[str, ...]) -> bool:
        """Whether a second question begins: with a question word or a verb in front, or as another bare fact."""
        shape = self._language.shape
        plain = without_leading(tokens, shape["openers"])
        if not plain:
            return False
        if plain[0] == "have" and plain[1:2] and plain[1] in shape["things"]:
            return False  # "and have it loop under the pads"
        fronted = shape["wh"].at(plain) or plain[0] in shape["placing"] or plain[0] in shape["auxiliaries"]
        fact = len(plain) < _FEW and is_aspect(names_in(plain, self._lookup), self._language)
        return bool(fronted or fact or shape["tells"].at(plain))

    def _is_asked(self, tokens: tuple[str, ...]) -> bool:
        """Whether it is a question by its first two words: is there, what is, do they."""
        shape = self._language.shape
        second = tokens[1:2] and (tokens[1] in shape["pronouns"] or tokens[1] in shape["auxiliaries"])
        return bool(second) and (tokens[0] in shape["auxiliaries"] or tokens[0] in shape["wh"])

    def placed_as(self, first: Sequence[Clause], later: Sequence[Clause]) -> list[Clause]:
        """Clauses behind others in one sentence: a question is about the place of the question before it."""
        asked = next((one for one in first if isinstance(one, Question)), None)
        return [
            self._there(one, asked) if asked is not None and isinstance(one, Question) else one for one in later
        ]

    def _there(self, question: Question, first: Question) -> Question:
        about = question.about
        if about.bars is not None or about.sections or about.absent or about.absent_sections:
            return question
        if about.tracks and self._language.shape["there"].find(tuple(question.words.split())) is None:
            return question
        placed = structs.replace(about, bars=first.about.bars, sections=first.about.sections)
        return structs.replace(question, about=placed)
