"""Which of two keyboard parts a question about the right or the left hand means."""

from __future__ import annotations

from msgspec.structs import replace

from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.composer.understanding.callings import Callings


def with_hand(question: Question, context: Context, language: Language) -> Question:
    """The question with the part of the hand that it names: of the two keyboard parts of a piece the higher is the
    right hand. As it is where it names no hand, both, or further parts, or where there are not two such parts."""
    words = language.music.parts
    if words is None:
        return question
    tokens = plain_tokens(question.words, language)
    hands = [phrases for phrases in (words.left_hand, words.right_hand) if PhraseList(phrases).find(tokens)]
    pair = {id(said): wish.tracks for said, wish in Callings(context.song, context.palette, words, {}, None).all()}
    both = {*pair.get(id(words.both_hands), ())}
    if len(hands) != 1 or not both or not both >= set(question.about.tracks):
        return question
    return replace(question, about=replace(question.about, tracks=pair[id(hands[0])], absent=()))
