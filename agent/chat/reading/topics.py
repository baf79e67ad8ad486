"""What a question is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from agent.chat.messages import About, Action, Question, Topic
from agent.chat.reading.language import Language
from agent.chat.reading.matching import FormTable, PartialMatch
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.phrases import PAUSES
from agent.chat.vocabulary import HowTo
from agent.composer.tokens import tokens_of

_LONGEST = 40
"""Tokens of a question that are looked through; what is longer begins with what it is about."""
_ASPECTS: frozenset[Topic] = frozenset({
    "key", "chords", "numerals", "tempo", "meter", "length", "form", "versions", "title", "loudness", "range",
    "highest", "lowest", "style", "palette",
    "styles", "players", "abilities", "formats", "files",
})

OF_PROGRAM: frozenset[Topic] = frozenset({
    "how_to", "styles", "palette", "effects", "abilities", "internet", "privacy", "cost", "files", "formats", "model",
    "language", "saved", "lyrics", "quality", "synthesis", "together", "platforms", "plugins", "backup", "manual",
})
"""Topics of which a song without notes can be asked as well as another."""
PLANNED: frozenset[Action] = frozenset({
    "key", "meter", "tempo", "volume", "notes", "effect", "track", "remove", "mute", "rename", "loop", "lock",
    "compose",
})
"""Actions that a request asks for as well, so that one who asks whether they are possible wants them done."""


def question_of(names: SentenceNames, words: str, language: Language, *, possible: bool = False) -> Question:
    """The question that the tokens ask, with `words` as its text; its topic is "unknown" if it is not understood.
    `possible`: it asks whether something can be done."""
    best = _best(names, language, frozenset())
    asks_way = language.ways.first(names, 0) is not None
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
    if (said := _heavier_action(names, best, language)) is not None:
        return Question("how_to", words, names.about(), said.action, said.value)
    if best is None or _asks_more(names, best, language):
        return Question("unknown", words, names.about())
    return Question(best.topic, words, names.about(best.own))


def _heavier_action(names: SentenceNames, best: _Topic | None, language: Language) -> HowTo | None:
    """The action for which more of the words speak than for the best topic: is there a dark mode? What somebody asks
    whether he can do himself is an action, however often its words are used otherwise: can I change the soundfont?"""
    held = _held(language.howto, names, language)
    at = max(held, key=lambda at: (held[at].weight, -at), default=None)
    own = names.tokens[0] in language.shape["able"] and names.tokens[1:2] in (("i",), ("we",))
    if best is None and not any(names.tokens[0] in language.shape[one] for one in ("auxiliaries", "wh", "placing")):
        return None
    most = 0.0 if best is None else best.held if own else best.weight
    if at is None or held[at].weight <= most:
        return None
    action = _Topic("how_to", held[at].weight, held[at].weight, held[at].own)
    return None if _asks_more(names, action, language) else language.words.howto[at]


def _asks_more(names: SentenceNames, best: _Topic, language: Language) -> bool:
    """Whether a question is more about what no question is asked with than about its topic: is it copied from anywhere?

    Beside the part or the place of a question with a verb one word that nothing reads is enough: do the tenors and
    basses cross, is there a fill before the chorus?
    """
    spent = set(best.own) | {at + step for (_, at), named in names.found.items() for step in range(named.length)}
    left = [token for at, token in enumerate(names.tokens) if at not in spent and token not in language.function_words]
    shape = language.shape
    known = (shape["adverbs"], shape["openers"], shape["articles"], shape["prepositions"], shape["states"])
    unread = [token for token in left if not any(token in words for words in known)]
    if unread and len(best.own) <= 1 and names.tokens[0] in _ASKS_WHETHER.get(best.topic, ()):
        return True
    about = _clause_around(best.own, names.tokens)
    strange = sum(token not in language.question_words and token in about and token not in PAUSES for token in unread)
    return _STRANGE * strange > best.weight


def _clause_around(places: Sequence[int], tokens: Sequence[str]) -> Sequence[str]:
    """The words between the pauses around the tokens at some places; all where there are none."""
    if not places:
        return tokens
    begin = next((at + 1 for at in range(places[0], -1, -1) if tokens[at] in PAUSES), 0)
    end = next((at for at in range(places[-1], len(tokens)) if tokens[at] in PAUSES), len(tokens))
    return tokens[begin:end]


_STRANGE = 2
"""What a word weighs with which nothing is asked; as much as one that a question is about."""
_ASKS_WHETHER: Mapping[Topic, tuple[str, ...]] = {
    "players": ("do", "does", "did"), "form": ("do", "does", "did", "is", "are"),
}


class _Topic(Struct, frozen=True):
    """A topic, how much of the words speaks for it, `held` without its bonus, and where these stand."""

    topic: Topic
    weight: float
    held: float
    own: tuple[int, ...]


def _best(names: SentenceNames, language: Language, without: frozenset[Topic]) -> _Topic | None:
    """The topic one of whose forms holds most of the words; of equals, the first."""
    best: _Topic | None = None
    for at, held in sorted(_held(language.topics, names, language).items()):
        words = language.words.topics[at]
        weight = held.weight + words.weight if held.weight else 0
        if words.topic not in without and weight and (best is None or weight > best.weight):
            best = _Topic(words.topic, weight, held.weight, held.own)
    return best


def share_held(topic: Topic, names: SentenceNames, language: Language) -> float:
    """The share of a sentence that the best form of a topic holds, from 0 to 1."""
    held = _held(language.topics, names, language)
    weight = max((one.weight for at, one in held.items() if language.words.topics[at].topic == topic), default=0.0)
    light = language.function_words
    return min(weight / max(sum(1 if token in light else 2 for token in names.tokens), 1), 1.0)


def action_of(names: SentenceNames, language: Language) -> HowTo | None:
    """The action that a how-to question is about; None for none that is listed."""
    weighed = {at: held.weight for at, held in sorted(_held(language.howto, names, language).items()) if held.weight}
    most = max(weighed.values(), default=0)
    found = [language.words.howto[at] for at in weighed]
    best = next((language.words.howto[at] for at, weight in weighed.items() if weight == most), None)
    # where it goes says in which format
    return next((how for how in found if best and how.action == best.action and how.value), best)


def refined(question: Question, names: SentenceNames, language: Language) -> Question:
    """The question, with a more special topic if other words of the message ask for it: "the chords, roman numerals if
    you can"."""
    topics = language.words.topics
    if not any(words.refines == question.topic for words in topics):
        return question
    said = {one.payload for start in range(len(names.tokens)) for one in language.topics.matches(names, start)}
    words = next((topics[at] for at in sorted(said) if topics[at].refines == question.topic), None)
    if words is None:
        return question
    about = names.about() if question.about == About() else question.about
    return structs.replace(question, topic=words.topic, about=about)


def stays_whole(question: Question, language: Language) -> bool:
    """Whether the rest of the sentence belongs to the question: "the verse feels empty, why is that?", "can you listen
    to a recording and work out the chords?"."""
    whole = (words.topic for words in language.words.topics if words.whole)
    return question.action == "audio" or question.topic in whole


def with_parts(questions: Sequence[Question], language: Language) -> list[Question]:
    """The questions; one about "it" or "they" gets the parts of the question before: "how high does it go?"."""
    found: list[Question] = []
    for one in questions:
        tokens = tuple(tokens_of(one.words.casefold()))
        points = any(token in language.shape["they"] for token in tokens)
        before = found[-1].about.tracks if found else ()
        if points and before and one.topic in OF_PARTS and not (one.about.tracks or one.about.absent):
            one = structs.replace(one, about=structs.replace(one.about, tracks=before))
        found.append(one)
    return found


def pointed_at(question: Question, said: About, language: Language) -> Question:
    """The question with the time and place of the message (`said`) where its words only point there: "at that
    point"."""
    about = question.about
    placed = about.bars is not None or bool(about.sections) or about.moment is not None
    tokens = tuple(token.casefold() for token in tokens_of(question.words))
    if placed or language.shape["there"].find(tokens) is None:
        return question
    there = structs.replace(about, bars=said.bars, sections=said.sections, moment=said.moment)
    return structs.replace(question, about=there)


def without_repeats(questions: Sequence[Question]) -> list[Question]:
    """The questions without those that ask again of the whole what an earlier one asks of a part or a place."""
    found: list[Question] = []
    for one in questions:
        same = (one.topic, one.action, one.value)
        known = (other for other in found if (other.topic, other.action, other.value) == same)
        if one.topic == "unknown" or not any(one.about in (other.about, About()) for other in known):
            found.append(one)
    return found


OF_PARTS: frozenset[Topic] = frozenset({
    "entrance", "rests", "sound", "effects_on", "range", "highest", "lowest", "notes", "loudness", "players", "covers",
    "timing", "polyphony", "strokes", "pan", "leaps", "accidentals", "fastest", "difficulty",
})
"""Topics that can be asked about a single part."""


def is_aspect(names: SentenceNames, language: Language) -> bool:
    """Whether bare nouns name a fact of the song or the program ("tempo")."""
    best = _best(names, language, frozenset())
    return best is not None and bool(best.own) and best.topic in _ASPECTS


class _Held(Struct, frozen=True):
    """How much of the words a form holds, at which places these stand, and which form it is."""

    weight: float
    own: tuple[int, ...]
    form: int


def _held(forms: FormTable[int], names: SentenceNames, language: Language) -> dict[int, _Held]:
    """How much of the words the best form holds of those that stand for the same, by that; of equals the one that
    is written first."""
    best: dict[int, _Held] = {}
    for start in range(min(len(names.tokens), _LONGEST)):
        for one in forms.matches(names, start):
            held = _Held(_weight(one.found, names, language), one.found.own, one.number)
            known = best.get(one.payload)
            if known is None or (held.weight, -held.form) > (known.weight, -known.form):
                best[one.payload] = held
    return best


def _weight(found: PartialMatch, names: SentenceNames, language: Language) -> float:
    """What a sentence is built of weighs half of what it is about."""
    light = language.function_words
    return sum(1 if names.tokens[at] in light else 2 for at in found.own) + 1.5 * len(found.slots)
