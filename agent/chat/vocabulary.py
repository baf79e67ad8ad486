"""The words of talk as values: what `resources/language/LANGUAGE_chat.toml` holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, get_args

from msgspec import Meta, Struct

from agent.chat.messages import Action, CommandName, Topic
from agent.composer.phrasing import FormError, parse_form, slots_of
from agent.composer.styles import StyleError
from agent.composer.tokens import phrase_tokens
from agent.message import msg

Phrases = tuple[Annotated[str, Meta(min_length=1, max_length=60)], ...]
Forms = tuple[Annotated[str, Meta(min_length=1, max_length=400)], ...]
"""Forms of speech as in `agent.composer.phrasing`, where `…` stands for any words."""
SLOTS = frozenset({
    "track", "thing", "section", "bars", "place", "row", "version", "style", "format", "number", "nth", "key", "rest",
    "clock",
})


class SentenceWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Of what sentences are built: question words, auxiliaries, lead-ins, idioms; the file says what each is for."""

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
    """What one says to what was said or shown; `filler` may stand between."""

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
    """Swear words and slang that only colour a sentence. `asks` are read as question words where one of `follows` or an
    auxiliary stands behind them, `hesitating` begins a question, and a word that was made unreadable is `masked`."""

    words: Phrases
    asks: dict[str, str]
    follows: Phrases
    hesitating: Phrases
    masked: str


class Elsewhere(Struct, frozen=True, forbid_unknown_fields=True):
    """Things that are not made here, and the words of music that take them back."""

    nouns: Phrases
    music: Phrases


class SmallTalkWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Of what sayings beside the matter are built; the file says what each is for."""

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


class ListeningWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of wishes to hear something, by what they say of it."""

    hear: Phrases
    play: Phrases
    loop: Phrases
    only: Phrases
    without: Phrases
    silence: Phrases
    brief: Phrases
    me: Phrases
    filler: Phrases


class Stretches(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of bars that are told by where they lie; `opening` and `ending` are the first and the last bar."""

    before: Forms
    after: Forms
    onwards: Forms
    first: Forms
    last: Forms
    opening: Forms
    ending: Forms


class Naming(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of bars, rows and versions, file formats, and further words for who plays what. Words `within` stand
    between bars and the section that they are of; `places` are sections that a song names only if it is told them."""

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
    """Forms that ask for one command; nothing but filler may be left of the clause. A `plannable` one may be planned
    together with a request; `value` is told where the words tell none."""

    action: CommandName
    forms: Forms
    plannable: bool = False
    value: str = ""


class HowTo(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms by which one asks how an action is done; `value` is the file format that is wanted by them."""

    action: Action
    forms: Forms
    value: str = ""


class TopicWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of questions about a topic; `name` says what it is, `ask` is an example. `weight` is how many words more
    than its own it counts for, because its form leaves no doubt."""

    topic: Topic
    forms: Forms
    name: str
    ask: str
    weight: Annotated[float, Meta(ge=0, le=20)] = 0.0
    refines: Topic | None = None
    """The topic of another question in the message, which its words say more of, wherever they stand."""
    whole: bool = False
    """Whether what follows in the same sentence belongs to it: the verse feels empty, why is that?"""


class Foreign(Struct, frozen=True, forbid_unknown_fields=True):
    """Languages by the letters of their scripts and by their small words; `loans` belong to every musician."""

    loans: Phrases
    scripts: dict[str, str]
    words: dict[str, Phrases]
    commands: dict[CommandName, Phrases]
    """The beginnings of words, in any of the languages, by which a plain command is known."""


class ChatWords(Struct, frozen=True, forbid_unknown_fields=True):
    """All words by which messages are known for what they are, in one language."""

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


def check_chat_words(words: ChatWords) -> None:
    """Raise `StyleError`, which names the key, where a form cannot be read, a topic lacks or a script is none."""
    for where, form in _forms(words):
        try:
            slots = slots_of(parse_form(form, words.groups, phrase_tokens))
        except FormError as error:
            raise StyleError(
                msg("{where}: {what}", where=where, what=error.said.what), why=error.said.why, fix=error.fix,
            ) from error
        if unknown := sorted(slots - SLOTS):
            raise StyleError(
                msg("{where}: the form {form!r} has no slot {unknown!r}", where=where, form=form, unknown=unknown[0]),
                fix=msg("use {slots}", slots=sorted(SLOTS)),
            )
    lacking = sorted(set(get_args(Topic)) - {"unknown"} - {one.topic for one in words.topics})
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
