"""The words of talk as values: what `resources/language/LANGUAGE_chat.toml` holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, get_args

from msgspec import Meta, Struct

from agent.chat.messages import Action, CommandName, Topic
from agent.composer.phrasing import FormError, FormParser, slots_of
from agent.composer.styles import StyleError
from agent.composer.tokens import phrase_tokens
from agent.message import msg

Phrases = tuple[Annotated[str, Meta(min_length=1, max_length=60)], ...]
Forms = tuple[Annotated[str, Meta(min_length=1, max_length=400)], ...]
"""Phrase patterns as in `agent.composer.phrasing`, where `…` stands for any words."""
SLOTS = frozenset({
    "track", "thing", "section", "bars", "place", "row", "version", "style", "format", "number", "nth", "key", "rest",
    "clock",
})


class SentenceWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that form sentences: question words, auxiliaries, lead-ins, idioms; the language file explains each
    field."""

    openers: Phrases
    wh: Phrases
    placing: Phrases
    auxiliaries: Phrases
    be: Phrases
    modals: Phrases
    pronouns: Phrases
    states: Phrases
    adverbs: Phrases
    abilities: Phrases
    tells: Phrases
    shows: Phrases
    definite: Phrases
    knowing: Phrases
    suggests: Phrases
    possible: Phrases
    tags: Phrases
    doing: Phrases
    wanting: Phrases
    indefinite: Phrases
    fresh: Phrases
    making: Phrases
    pieces: Phrases
    filler: Phrases
    there: Phrases
    they: Phrases
    articles: Phrases
    possibly: Phrases
    conditions: Phrases
    whether: Phrases
    prepositions: Phrases
    asking_for: Phrases
    subjectless: Phrases
    things: Phrases
    repeated: Phrases
    able: Phrases
    anybody: Phrases
    any: Phrases
    within: Phrases


class Reactions(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases of reactions to what was said or shown; `filler` may stand between them."""

    approve: Phrases
    praise: Phrases
    thanks: Phrases
    greeting: Phrases
    bye: Phrases
    who: Phrases
    feeling: Phrases
    no: Phrases
    dislike: Phrases
    again: Phrases
    filler: Phrases


class Noise(Struct, frozen=True, forbid_unknown_fields=True):
    """Swear words and slang without meaning. `asks` maps some to question words, read so before one of `follows` or an
    auxiliary ("wtf happened"); `hesitating` phrases begin a question; `masked` replaces a masked word ("f***")."""

    words: Phrases
    asks: dict[str, str]
    follows: Phrases
    hesitating: Phrases
    masked: str


class Elsewhere(Struct, frozen=True, forbid_unknown_fields=True):
    """Things that are not made here (`nouns`: poem), and musical terms (`music`) that rule out that one of them is
    meant."""

    nouns: Phrases
    music: Phrases


class SmallTalkWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases of remarks that ask for nothing; the language file explains each field."""

    joints: Phrases
    speaker: Phrases
    leads: Phrases
    first: Phrases
    others: Phrases
    persons: Phrases
    gone: Phrases
    wants: Phrases
    own: Phrases
    taking: Phrases
    judging: Phrases
    measures: Phrases
    small: Phrases
    again: Phrases
    stating: Phrases
    errands: Phrases
    grumbling: Phrases
    ofsongs: Phrases
    vaguely: Phrases
    sounding: Phrases
    playing: Phrases
    past: Phrases
    people: Phrases
    effects: Phrases
    qualities: Phrases
    ordering: Phrases
    matched: Phrases


class ListeningWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases of wishes to hear something ("solo the drums in the chorus"), by what they say."""

    hear: Phrases
    play: Phrases
    loop: Phrases
    soloing: Phrases
    only: Phrases
    without: Phrases
    silence: Phrases
    brief: Phrases
    me: Phrases
    filler: Phrases


class Stretches(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for bars by their position; `opening` and `ending` are the first and the last bar."""

    before: Forms
    after: Forms
    onwards: Forms
    first: Forms
    last: Forms
    opening: Forms
    ending: Forms


class Naming(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for bars, rows and versions, words for file formats, and further words for players (`also`). `within`
    stands between bars and their section; `places` are section names ("trio") that count only if the song has them."""

    bars: Forms
    rows: Forms
    versions: Forms
    previous: Phrases
    stretches: Stretches
    within: Phrases
    plurals: Phrases
    places: Phrases
    formats: Phrases
    voice: Phrases
    also: dict[str, Phrases]


class CommandWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for one command; a clause may hold nothing else but filler. A `plannable` one may be planned together
    with a request; `value` is the command's value if the words name none."""

    action: CommandName
    forms: Forms
    plannable: bool = False
    value: str = ""


class HowTo(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns of how-to questions about an action; `value` is the file format that they ask for."""

    action: Action
    forms: Forms
    value: str = ""


class TopicWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns of questions about a topic; `name` describes it, `ask` is an example. `weight` is added to the number of
    matched words, for patterns that leave no doubt."""

    topic: Topic
    forms: Forms
    name: str
    ask: str
    weight: Annotated[float, Meta(ge=0, le=20)] = 0.0
    refines: Topic | None = None
    """The more general topic that this one replaces, if these patterns match anywhere else in the message."""
    whole: bool = False
    """Whether the rest of the sentence belongs to the question: "the verse feels empty, why is that?"."""


class UsualTempo(Struct, frozen=True, forbid_unknown_fields=True):
    """What people do at a tempo of `low` to `high` BPM, by what it is called; `name` is how an answer says it."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    words: Phrases
    low: Annotated[float, Meta(gt=0, le=400)]
    high: Annotated[float, Meta(gt=0, le=400)]


class Compass(Struct, frozen=True, forbid_unknown_fields=True):
    """The usual range of a voice or an instrument by its words, in pitches as "G3"; `string`: its lowest note is an
    open string. `name` stands behind "a"."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    words: Phrases
    low: Annotated[str, Meta(pattern=r"^[A-G][#b]?\d$")]
    high: Annotated[str, Meta(pattern=r"^[A-G][#b]?\d$")]
    string: bool = False


class Foreign(Struct, frozen=True, forbid_unknown_fields=True):
    """Words to detect other languages: `scripts` maps a language to the letters of its script, `words` to its function
    words. `loans` are musical terms used in all languages, which prove none."""

    loans: Phrases
    scripts: dict[str, str]
    words: dict[str, Phrases]
    commands: dict[CommandName, Phrases]
    """For each simple command the beginnings of words, in any of the languages, by which it is recognised."""


class ChatWords(Struct, frozen=True, forbid_unknown_fields=True):
    """All words by which chat messages are recognised, in one language. `groups` are named lists of phrases for use in
    patterns, `contractions` written-out forms ("don't": "do not"), `ways` patterns for the beginning of a how-to
    question."""

    groups: dict[str, Phrases]
    contractions: dict[str, str]
    shape: SentenceWords
    reactions: Reactions
    asides: SmallTalkWords
    listening: ListeningWords
    elsewhere: Elsewhere
    noise: Noise
    naming: Naming
    commands: tuple[CommandWords, ...]
    ways: Forms
    howto: tuple[HowTo, ...]
    topics: tuple[TopicWords, ...]
    foreign: Foreign
    paces: tuple[UsualTempo, ...] = ()
    compasses: tuple[Compass, ...] = ()


def check_chat_words(words: ChatWords) -> None:
    """Raise `StyleError`, naming the key, if a pattern cannot be parsed, a topic is missing, or a script is invalid."""
    parser = FormParser(words.groups, phrase_tokens)
    for where, form in _forms(words):
        try:
            slots = slots_of(parser.elements(form))
        except FormError as error:
            raise StyleError(
                msg("{where}: {what}", where=where, what=error.said.what), why=error.said.why, fix=error.fix,
            ) from error
        if unknown := sorted(slots - SLOTS):
            raise StyleError(
                msg("{where}: the form {form!r} has no slot {unknown!r}", where=where, form=form, unknown=unknown[0]),
                fix=msg("use {slots}", slots=sorted(SLOTS)),
            )
    lacking = sorted(set(get_args(Topic)) - {"unknown", "manual"} - {one.topic for one in words.topics})
    if lacking:
        raise StyleError(
            msg("topics: there are no words for {lacking!r}", lacking=lacking[0]),
            fix=msg("add a [[topics]] with forms"),
        )
    for name, letters in words.foreign.scripts.items():
        try:
            re.compile(f"[{letters}]")
        except re.error as error:
            raise StyleError(
                msg("foreign, scripts, {name}: {letters!r} is no range of letters", name=name, letters=letters),
                why=str(error),
            ) from error


def _forms(words: ChatWords) -> Iterator[tuple[str, str]]:
    for field in ("bars", "rows", "versions"):
        yield from ((f"naming, {field}", form) for form in getattr(words.naming, field))
    yield from ((f"commands {one.action!r}", form) for one in words.commands for form in one.forms)
    for field in Stretches.__struct_fields__:
        yield from ((f"naming, stretches, {field}", form) for form in getattr(words.naming.stretches, field))
    yield from (("ways", form) for form in words.ways)
    yield from ((f"howto {one.action!r}", form) for one in words.howto for form in one.forms)
    yield from ((f"topics {one.topic!r}", form) for one in words.topics for form in one.forms)
