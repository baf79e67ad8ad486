"""From a text to a message: the kind of a saying, before anything is planned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from agent.chat.context import Context
from agent.chat.messages import (
    About,
    ApprovalInWords,
    Command,
    ForeignLanguage,
    Message,
    Question,
    Refinement,
    Refusal,
    Request,
    Several,
    Talk,
)  # fmt: skip
from agent.chat.reading.asides import parted
from agent.chat.reading.beside import SmallTalkReader
from agent.chat.reading.clause import Clause, Reaction, WishClause
from agent.chat.reading.clauses import cuts, order_after_question, split_at_pauses
from agent.chat.reading.commands import command_of, is_plannable
from agent.chat.reading.foreign import foreign_command, foreign_language
from agent.chat.reading.halves import Halves
from agent.chat.reading.idle_remarks import IdleRemarks
from agent.chat.reading.intents import IntentReader
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.parts import Parts
from agent.chat.reading.phrases import PAUSES, without_leading
from agent.chat.reading.reacting import BACK, TALK, Reacting, asks_how
from agent.chat.reading.reactions import dislikes, reactions_covering
from agent.chat.reading.refusing import wish_beside
from agent.chat.reading.sentences import Sentence, said, sentences_of
from agent.chat.reading.settling import Settling
from agent.chat.reading.shape import Shaped, shape_of
from agent.chat.reading.tales import Tales
from agent.chat.reading.together import following, limited, says_why_heard
from agent.chat.reading.topics import OF_PROGRAM, PLANNED, is_aspect, pointed_at, refined, with_parts, without_repeats


def read_message(text: str, context: Context, language: Language) -> Message:
    """The message that a text is. Every text gives one; what fits no other kind is a `Request`."""
    words = " ".join(text.split())
    if not words:
        return Request(words)
    reading = _Reading(words, context, language)
    sentences = sentences_of(text, language)
    if sum(len(one.tokens) for one in sentences) > _LONGEST:
        return reading.long_message(sentences, foreign_language(text, language))
    if (reaction := Reacting(words, context, language, reading.lookup).message(sentences)) is not None:
        return reaction
    if not context.any_language and (name := foreign_language(text, language)) is not None:
        return ForeignLanguage(name, words, foreign_command(text, language))
    return reading.message(sentences)


_SHORT = 9
_LONGEST = 240
"""Tokens of the longest message that is looked at word by word; more are a request."""
_SENTENCE = 60
"""Tokens of the longest sentence that can be anything but a request or a question."""


class _Reading:
    def __init__(self, words: str, context: Context, language: Language) -> None:
        self._words = words
        self._context = context
        self._language = language
        self.lookup = Lookup(context, language)
        self._parts = Parts(self.lookup, language)
        self._beside_matter = SmallTalkReader(self.lookup, language)
        self._tales = Tales(self.lookup, language, self._parts, self._beside_matter)
        intents = IntentReader(language)
        self._settling = Settling(intents, self.lookup)
        self._halves = Halves(self.lookup, language, intents)
        self._remarks = IdleRemarks(self.lookup, language, intents, self._beside_matter)

    def long_message(self, sentences: Sequence[Sentence], foreign: str | None) -> Message:
        """A text too long for anything but a request; one that is only questions is none even so."""
        if foreign is not None and not self._context.any_language:
            return ForeignLanguage(foreign, self._words)
        first = sentences[0]
        if all(one.asked for one in sentences):
            return self._parts.question(first.tokens[:_SENTENCE], first.words)
        return self._request(self._words)

    def message(self, sentences: Sequence[Sentence]) -> Message:
        """The kind of the whole text; what may be a wish and orders nothing is a remark where it is like one."""
        read = self._message(sentences)
        told = isinstance(read, Talk) and read.kind in ("feeling", "thanks")
        if told or isinstance(read, Request | Refinement | Refusal):
            kinds = self._remarks.kinds(sentences)
            return self._reacted([Reaction(kinds)]) if kinds else read
        return read

    def _message(self, sentences: Sequence[Sentence]) -> Message:
        tokens = tuple(token for one in sentences for token in (*one.tokens, ","))
        if not tokens:
            return Talk("nothing", self._words)
        settled = self._settled(sentences)
        if self._settling.is_sure(sentences):
            return self._joined([clause for one in settled for clause in one])
        if self._tales.grumbles(tokens):
            return Talk("grumble", self._words)
        if self._feels(tokens):
            return Talk("feeling", self._words)
        if self._is_elsewhere(tokens) and self._parts.question(sentences[-1].tokens, self._words).action != "export":
            return Talk("elsewhere", self._words)
        return self._joined([clause for one in settled for clause in one])

    def _settled(self, sentences: Sequence[Sentence]) -> list[list[Clause]]:
        """The clauses of each sentence, as its forms and the examples say together."""
        cut = [self._halves.of(one) for one in sentences]
        read = self._settling.message([self._settling.of(one, self._clauses(one)) for halves in cut for one in halves])
        settled = [list(one.clauses) for one in read]
        begins = accumulate((len(halves) for halves in cut), initial=0)
        for at, halves in zip(begins, cut, strict=False):
            for later in range(at + 1, at + len(halves)):
                settled[later] = self._parts.placed_as(settled[at], settled[later])
        return settled

    def _feels(self, tokens: tuple[str, ...]) -> bool:
        """I am so tired today: how a person feels, where no music is named."""
        feels = tokens[:2] in (("i", "am"), ("i", "feel")) and len(tokens) < _SHORT
        return feels and not self._beside_matter.names_music(tokens)

    def _is_elsewhere(self, tokens: tuple[str, ...]) -> bool:
        """Whether it wants what is not made here and names no music."""
        nouns, _ = self._language.elsewhere
        return nouns.find(tokens) is not None and not self._beside_matter.names_music(tokens)

    def _clauses(self, sentence: Sentence) -> list[Clause]:
        """The clauses of a sentence, each with its kind."""
        tokens = sentence.tokens
        reacts = reactions_covering(names_in(tokens, self.lookup), self._language) if sentence.asked else frozenset()
        if "greeting" in reacts:
            return [Reaction(reacts)]
        if len(tokens) > _SENTENCE and not sentence.asked:
            return [WishClause(tokens, sentence.words)]
        asks = self._shape(tokens, asked=sentence.asked)
        if (written := self._parts.export_of_quality(tokens, sentence.words)) is not None:
            return [*written]
        commands = () if asks.possible else self._parts.commands(tokens, sentence.words)
        if commands and (all(one.at_once for one in commands) or not asks_how(tokens, self._language)):
            return [*commands]
        if commands and not asks.asks and not is_plannable(commands[0], self._language):
            one = commands[0]
            return [Question("how_to", sentence.words, one.about, one.name, one.value)]  # can I get the drums as WAV
        if (beside := self._commands_beside(tokens) or self._beside(sentence)) is not None:
            return beside
        if asks.asks:
            split = order_after_question(asks.tokens, self._language)
            if split is not None and not asks.possible:
                question, order = split
                return [self._parts.question(question, said(question)), self._wish_or_command(order)]
            return self._asked_clauses(asks.tokens, sentence.words, possible=asks.possible)
        names = names_in(tokens, self.lookup)
        kinds = reactions_covering(names, self._language)
        about = names.about()
        if about.formats and tokens[0] in self._language.shape["modals"] and not (about.tracks or about.sections):
            return self._asked_clauses(tokens, sentence.words, possible=False)
        if kinds and ("dislike" in kinds or not (about.tracks or about.absent or about.sections)):
            return [Reaction(kinds)]
        if kinds := self._tales.reactions(tokens):
            return [Reaction(kinds)]
        return self._wishes(tokens, asks.tokens, sentence.words)

    def _commands_beside(self, tokens: tuple[str, ...]) -> list[Clause] | None:
        """The commands in a sentence that is nothing but these, reactions and what stands beside the matter."""
        found: list[Clause] = []
        if asks_how(tokens, self._language) or not set(tokens) & set(PAUSES):
            return None
        for part in split_at_pauses(tokens):
            plain = self._beside_matter.plain(part)
            plain = plain[self._language.reactions["dislike"].at(plain) :] or plain
            commands = self._parts.commands(plain, said(plain)) if plain else ()
            found += commands
            beside = self._beside_matter
            if not (commands or self._parts.is_aside(part) or beside.only_reacts(part) or beside.wants_nothing(part)):
                return None
        return found or None

    def _beside(self, sentence: Sentence) -> list[Clause] | None:
        """The question in a sentence before or behind which something stands beside the matter."""
        for before, after in parted(sentence.tokens, self._language):
            for kept, left in ((before, after), (after, before)):
                if len(left) > 1 and self._parts.is_aside(left):
                    shape = self._shape(kept, asked=sentence.asked)
                    if shape.asks and not self._shape(left, asked=sentence.asked).asks:
                        return self._asked_clauses(shape.tokens, sentence.words, possible=shape.possible)
        return None

    def _asked_clauses(self, tokens: tuple[str, ...], words: str, *, possible: bool) -> list[Clause]:
        command = self._parts.commands(tokens, words)[:1] if possible else ()
        if command:
            return [Question("how_to", words, command[0].about, command[0].name)]
        question = self._parts.question(tokens, words, possible=possible)
        if possible and (question.action is None or self._wants_change(question, tokens)):
            return [WishClause(tokens, words)]
        return [question] if possible else [*self._parts.questions(tokens, words)]

    def _wants_change(self, question: Question, tokens: tuple[str, ...]) -> bool:
        """Whether "is it possible to …" is followed by an order about the song, and not by what a program does."""
        planned = question.action in PLANNED and not question.value
        command = command_of(names_in(tokens, self.lookup), said(tokens), self._language)
        return planned and command is None and bool(self._language.shape["doing"].at(tokens))

    def _shape(self, tokens: tuple[str, ...], *, asked: bool) -> Shaped:
        return shape_of(
            tokens, asked, self._language, lambda some: is_aspect(names_in(some, self.lookup), self._language),
            self._begins_with_name,
        )

    def _begins_with_name(self, tokens: Sequence[str]) -> bool:
        """Whether a part, a place or a word of music stands first."""
        _, music = self._language.elsewhere
        names = names_in(tuple(tokens[:_SHORT]), self.lookup)
        named = any(names.at(slot, 0) is not None for slot in ("track", "section", "format", "version"))
        bars = names.at("bars", 0)
        return named or music.at(tokens) > 0 or (bars is not None and bars.length > 1)

    def _wish_or_command(self, tokens: tuple[str, ...]) -> Clause:
        command = command_of(names_in(tokens, self.lookup), said(tokens), self._language)
        return command or WishClause(tokens, said(tokens))

    def _wishes(self, tokens: tuple[str, ...], plain: tuple[str, ...], words: str) -> list[Clause]:
        """A wish, with the command that stands before or behind it."""
        for before, after in cuts(tokens):
            first = command_of(names_in(before, self.lookup), said(before), self._language)
            last = command_of(names_in(after, self.lookup), said(after), self._language)
            if first is not None:
                return [first, last or WishClause(after, said(after))]
            if last is not None and not is_plannable(last, self._language):
                return [WishClause(before, said(before)), last]
        return [WishClause(plain or tokens, words)]

    def _joined(self, clauses: Sequence[Clause]) -> Message:
        """One message of all clauses."""
        clauses = limited(clauses, sentences_of(self._words, self._language), self.lookup)
        spoken = tuple(token for one in sentences_of(self._words, self._language) for token in one.tokens)
        every = names_in(spoken, self.lookup)
        questions = [refined(one, every, self._language) for one in clauses if isinstance(one, Question)]
        questions = [pointed_at(one, every.about(), self._language) for one in with_parts(questions, self._language)]
        questions = without_repeats(following(questions, self._language))
        commands = [one for one in clauses if isinstance(one, Command)]
        if any(one.topic != "unknown" for one in questions):
            # "trying to work out if I need drop C" beside a question tells why it is asked
            questions = [one for one in questions if one.topic != "unknown" or self._is_asked(one)]
        if any(self._is_asked(one) for one in questions):
            questions = [one for one in questions if not self._is_told(one)]
        wishes = [one for one in clauses if isinstance(one, WishClause)]
        written = [*(one.name for one in commands), *(one.action for one in questions)]
        if "export" in written:
            questions += [Question("quality", one.words) for one in wishes if self._parts.tells_quality(one.tokens)]
            wishes = [one for one in wishes if not self._parts.tells_quality(one.tokens)]
        if len(wishes) < len(clauses):
            goes_back = any(one.name in BACK for one in commands)
            reacts = any(isinstance(one, Reaction) for one in clauses) or bool(commands or questions)
            wishes = [
                one for one in wishes
                if not (self._is_beside(one, reacts=reacts) or (goes_back and self._grumbles(one)))
            ]
        if (questions or commands) and not _is_empty(self._context):
            wishes = [one for one in wishes if self._remarks.may_order(one.tokens)]
            wishes = [one for one in wishes if not says_why_heard(one, commands, self._language)]
        if wishes and (_is_empty(self._context) or all(self._complains(one, wishes) for one in questions)):
            # of a song without notes nothing can be asked but what the program has
            questions = [one for one in questions if one.topic in OF_PROGRAM and not self._complains(one, wishes)]
        if any(self._orders(one) for one in wishes):
            # "can I sample this? take the first 4 bars": what may be done is asked on the way to doing it
            questions = [one for one in questions if one.topic != "how_to" or one.action is not None]
        if wishes and all(is_plannable(one, self._language) for one in commands):
            commands = []
        if wishes and not commands and all(one.topic == "unknown" for one in questions):
            return self._wanted(wishes, clauses)
        parts: list[Message] = [*questions, *commands]
        parts += [self._request(said(_spoken(wishes)))] if wishes else []
        if not parts:
            return self._reacted(clauses)
        if len(commands) == len(parts) and len({(one.name, one.about) for one in commands}) == 1:
            return commands[0]
        return parts[0] if len(parts) == 1 else Several(tuple(parts), self._words)

    def _orders(self, wish: WishClause) -> bool:
        """Whether a wish begins with what shall be done."""
        return bool(self._language.shape["doing"].at(without_leading(wish.tokens, self._language.shape["openers"])))

    def _is_beside(self, wish: WishClause, *, reacts: bool) -> bool:
        """Whether each clause of it is beside the matter: a reason, a thanks, what one tells of one's day."""
        if self._parts.is_aside(wish.tokens) or (reacts and self._beside_matter.wants_nothing(wish.tokens)):
            return True
        if reacts and self._tales.tells(wish.tokens):
            return True
        beside = self._beside_matter
        about = names_in(wish.tokens, self.lookup).about()
        only_formats = bool(about.formats) and about == About(formats=about.formats)
        if reacts and only_formats and not self._language.shape["doing"].at(wish.tokens):
            return True  # "PDF or MusicXML, whichever you manage"
        return reacts and all(
            self._parts.is_aside(part) or beside.only_reacts(part) or beside.wants_nothing(part)
            for part in split_at_pauses(wish.tokens)
        )

    def _is_asked(self, question: Question) -> bool:
        """Whether a question has a mark, or begins as one."""
        tokens = [token for one in sentences_of(question.words, self._language) for token in one.tokens]
        shape = self._language.shape
        return "?" in question.words or bool(tokens and (shape["wh"].at(tokens) or tokens[0] in shape["auxiliaries"]))

    def _is_told(self, question: Question) -> bool:
        """Whether its words ask nothing, but tell: "my title card is 8 seconds" beside what is asked of that point."""
        tokens = tuple(token for one in sentences_of(question.words, self._language) for token in one.tokens)
        told = not self._is_asked(question) and self._remarks.tells(tokens)
        return told and not self._shape(tokens, asked=False).asks

    def _grumbles(self, wish: WishClause) -> bool:
        """Whether it only says why something is taken back: no order, and no music that is named, or how it was."""
        beside = self._beside_matter
        if self._parts.tells_how_it_was(wish.tokens):
            return True
        return all(beside.only_reacts(part) or beside.wants_nothing(part) for part in split_at_pauses(wish.tokens))

    def _complains(self, question: Question, wishes: Sequence[WishClause]) -> bool:
        """Why is it so loud, turn it down: an order follows, so that nobody waits for the reason."""
        tokens = [token for one in sentences_of(question.words, self._language) for token in one.tokens]
        doing = self._language.shape["doing"]
        ordered = any(doing.at(without_leading(one.tokens, self._language.shape["openers"])) for one in wishes)
        much = "so" in tokens or "too" in tokens
        return ordered and much and (question.topic == "why" or " ".join(tokens[:5]).find("have to") > 0)

    def _reacted(self, clauses: Sequence[Clause]) -> Message:
        kinds = {kind for one in clauses if isinstance(one, Reaction) for kind in one.kinds}
        if kinds & {"dislike", "again"}:
            return Refusal(self._words, "", self._about())
        if self._context.plan is not None and ("approve" in kinds or kinds == {"praise"}):
            return ApprovalInWords(self._words)
        if kinds == {"aside"}:
            return Talk("feeling", self._words)
        return next((Talk(kind, self._words) for kind in TALK if kind in kinds), Request(self._words))

    def _wanted(self, wishes: Sequence[WishClause], clauses: Sequence[Clause]) -> Message:
        """A refusal where something is disliked and no order says what shall become of it, else what is asked for."""
        disliked = any("dislike" in one.kinds for one in clauses if isinstance(one, Reaction))
        tokens = _spoken(wishes)
        if disliked or dislikes(tokens, self._language):
            wish = wish_beside(tokens, self._language)
            if wish is not None:
                return Refusal(self._words, wish, self._about())
        elif self._tales.only_told([one.tokens for one in wishes]):
            return Talk("feeling", self._words)
        return self._request(self._words)

    def _request(self, words: str) -> Message:
        plan = self._context.plan
        if not self._context.in_front or plan is None or self._is_fresh(words) or plan.was_asked_by(words):
            return Request(words)
        return Refinement(words)

    def _is_fresh(self, words: str) -> bool:
        """Whether it wants a new piece, whatever plan waits."""
        shape = self._language.shape
        tokens = without_leading(sentences_of(words, self._language)[0].tokens[:_SENTENCE], shape["openers"])
        if shape["fresh"].find(tokens) is not None:
            return True
        begins = shape["suggests"].at(tokens)
        made = shape["making"].at(tokens, begins)
        if begins and not made:
            return False
        after = tokens[begins + made :]
        if not after or not shape["indefinite"].at(after):
            return False
        about = names_in(after, self.lookup).about()
        piece = shape["pieces"].find(after) is not None or (made and about.styles)
        return bool(piece) and not about.sections

    def _about(self) -> About:
        tokens = tuple(token for one in sentences_of(self._words, self._language) for token in one.tokens)
        return names_in(tokens, self.lookup).about()


def _is_empty(context: Context) -> bool:
    return context.plan is None and not context.song.note_count


def _spoken(wishes: Sequence[WishClause]) -> tuple[str, ...]:
    spoken: list[str] = []
    for wish in wishes:
        spoken += [*([","] if spoken else []), *wish.tokens]
    return tuple(spoken)
