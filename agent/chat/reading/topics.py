"""What a question is about."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from agent.chat.messages import About, Question, Topic
from agent.chat.reading.language import Form, Language
from agent.chat.reading.naming import Found, Names, match
from agent.chat.vocabulary import HowTo
from agent.composer.tokens import tokens_of

_LONGEST = 40
"""Tokens of a question that are looked through; what is longer begins with what it is about."""
_ASPECTS: frozenset[Topic] = frozenset({
    "key", "chords", "numerals", "tempo", "meter", "length", "form", "versions", "title", "loudness", "range",
    "highest", "lowest", "style", "palette",
    "styles", "players", "abilities", "formats", "files",
})


def question_of(names: Names, words: str, language: Language, *, possible: bool = False) -> Question:
    """The question that the tokens ask; `unknown` where it is about nothing that can be answered."""
    best = _best(names, language, frozenset())
    asks_way = match_any(language.ways, names)
    how = action_of(names, language) if asks_way else None
    if how is not None:
        return Question("how_to", words, names.about(), how.action, how.value)
    if possible or (best is not None and best.topic == "how_to"):
        how = action_of(names, language)
        other = _best(names, language, frozenset({"how_to"}))
        if how is None and other is not None and not possible:
            return Question(other.topic, words, names.about(other.own))  # "how do the strings …" asks for a fact
        if how is None:
            return Question("how_to", words, names.about())
        return Question("how_to", words, names.about(), how.action, how.value)
    if best is None:
        return Question("unknown", words, names.about())
    return Question(best.topic, words, names.about(best.own))


def match_any(forms: tuple[Form, ...], names: Names) -> bool:
    """Whether the words begin with one of the forms."""
    return any(match(form, names, 0) is not None for form in forms)


class _Topic(Struct, frozen=True):
    """A topic, how much of the words speaks for it, and at which places these stand."""

    topic: Topic
    weight: float
    own: tuple[int, ...]


def _best(names: Names, language: Language, without: frozenset[Topic]) -> _Topic | None:
    """The topic one of whose forms holds most of the words; of equals, the first."""
    best: _Topic | None = None
    for words, forms in language.topics:
        if words.topic in without:
            continue
        weight, own = _weighed(forms, names, language)
        weight += words.weight if weight else 0
        if weight and (best is None or weight > best.weight):
            best = _Topic(words.topic, weight, own)
    return best


def action_of(names: Names, language: Language) -> HowTo | None:
    """What a question how to do something is about."""
    weighed = [(_weighed(forms, names, language)[0], how) for how, forms in language.howto]
    most = max(weight for weight, _ in weighed)
    best = next((how for weight, how in weighed if weight == most), None) if most else None
    # where it goes says in which format
    return next((how for weight, how in weighed if weight and best and how.action == best.action and how.value), best)


def refined(question: Question, names: Names, language: Language) -> Question:
    """A question whose topic other words of the message say more of: the chords, and "roman numerals if you can"."""
    for words, forms in language.topics:
        said = any(match(form, names, start) is not None for form in forms for start in range(len(names.tokens)))
        if words.refines == question.topic and said:
            about = names.about() if question.about == About() else question.about
            return structs.replace(question, topic=words.topic, about=about)
    return question


def stays_whole(question: Question, language: Language) -> bool:
    """Whether what follows in its sentence belongs to a question: the verse feels empty, why is that?"""
    return any(words.topic == question.topic and words.whole for words, _ in language.topics)


def with_parts(questions: Sequence[Question], language: Language) -> list[Question]:
    """Questions where one about "it" or "they" is about the parts of the one before it: how high does it go?"""
    found: list[Question] = []
    for one in questions:
        tokens = tuple(tokens_of(one.words.casefold()))
        points = any(token in language.shape["they"] for token in tokens)
        before = found[-1].about.tracks if found else ()
        if points and before and one.topic in OF_PARTS and not (one.about.tracks or one.about.absent):
            one = structs.replace(one, about=structs.replace(one.about, tracks=before))
        found.append(one)
    return found


OF_PARTS: frozenset[Topic] = frozenset({
    "entrance", "rests", "sound", "effects_on", "range", "highest", "lowest", "notes", "loudness", "players", "covers",
})
"""Topics of which a single part can be asked."""


def is_aspect(names: Names, language: Language) -> bool:
    """Whether bare nouns name a fact of the song or the program."""
    best = _best(names, language, frozenset())
    return best is not None and bool(best.own) and best.topic in _ASPECTS


def _weighed(forms: tuple[Form, ...], names: Names, language: Language) -> tuple[float, tuple[int, ...]]:
    """How much of the words the best of the forms holds, and where. What a sentence is built of weighs half of what it
    is about."""
    starts = range(min(len(names.tokens), _LONGEST))
    found = [one for form in forms for start in starts if (one := match(form, names, start)) is not None]
    if not found:
        return 0.0, ()
    light = language.function_words

    def weight(one: Found) -> float:
        return sum(1 if names.tokens[at] in light else 2 for at in one.own) + 1.5 * len(one.slots)

    best = max(found, key=weight)
    return weight(best), best.own
