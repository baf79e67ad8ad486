"""Which parts a question means beyond their names: a hand of a piano, or that it asks for one of all."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.composer.part_words import PartWords
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.callings import Callings


def with_parts_meant(question: Question, context: Context, language: Language) -> Question:
    """The question with the part of the hand that it names, the higher of two keyboard parts being the right hand, and
    without parts if it asks which of them: "which voice leaps most?" is about no voice in particular."""
    words = language.music.parts
    if words is None:
        return question
    tokens = plain_tokens(question.words, language)
    if _asks_which(question, context, tokens, words):
        return replace(question, about=replace(question.about, tracks=(), absent=()))
    return _with_hand(question, context, tokens, words)


def _asks_which(question: Question, context: Context, tokens: tuple[str, ...], words: PartWords) -> bool:
    """Whether the words are "which voice" or the like and name no track by its name."""
    nouns = {*words.nouns, *words.many}
    asks = any(token in ("which", "what") and after in nouns for token, after in pairwise(tokens))
    names = {
        part.casefold() for track in question.about.tracks for part in phrase_tokens(context.song.track(track).name)
    }
    return asks and bool(names) and not names & (set(tokens) - nouns)


def _with_hand(question: Question, context: Context, tokens: tuple[str, ...], words: PartWords) -> Question:
    """As it is where it names no hand, both, or further parts, or where there are not two such parts."""
    hands = [phrases for phrases in (words.left_hand, words.right_hand) if PhraseList(phrases).find(tokens)]
    pair = {id(said): wish.tracks for said, wish in Callings(context.song, context.palette, words, {}, None).all()}
    both = {*pair.get(id(words.both_hands), ())}
    if len(hands) != 1 or not both or not both >= set(question.about.tracks):
        return question
    return replace(question, about=replace(question.about, tracks=pair[id(hands[0])], absent=()))
