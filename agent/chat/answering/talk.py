"""What is said to messages that are no question: talk, a yes, a command, another language, several things at once."""

from __future__ import annotations

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact, Link
from agent.chat.answering.program import NOT_YET, prints, told_way
from agent.chat.answering.wording import listed, places
from agent.chat.context import Context
from agent.chat.messages import (
    About,
    Command,
    ForeignLanguage,
    Question,
    Refinement,
    Refusal,
    Request,
    Several,
    Talk,
    TalkKind,
)  # fmt: skip

_DOES = "I am Bandleader: I write and change music, and answer questions about it."
_TALK: dict[TalkKind, str] = {
    "greeting": f"Hello! {_DOES}",
    "bye": "Goodbye! Your song is stored; Bandleader makes music with you whenever you come back.",
    "thanks": "You are welcome! Tell me what you want to hear next, and I plan it.",
    "praise": "Glad you like it! Tell me what you want to hear next, and I plan it.",
    "who": f"{_DOES} I am a program, and what I play is what you approved.",
    "feeling": "I hear you. What I can do about it is music: tell me what you want to hear.",
    "agreement": "Nothing waits for your yes: there is no plan. Say what you want to hear, and I propose one.",
    "no": "All right, nothing is changed; there is no plan that waits. Say what you want to hear, and I propose one.",
    "elsewhere": "That is not my trade: I make music. Ask for a piece, a change of this song, or anything about it.",
    "nothing": "Say what you want to hear, or ask about the song.",
}


def talk(message: Talk) -> Answer:
    """One friendly sentence that says what Bandleader does."""
    return Answer(_TALK[message.kind], (Fact("talk", message.kind),))


def approval(context: Context) -> Answer:
    """Words never apply a plan."""
    way = context.program.ways.get("approve")
    text = "Applying is yours alone, so words never do it."
    if way is None:
        return Answer(text, (Fact("applied", False),))
    told = told_way(way, context, About())
    return Answer(f"{text} {told.text}", (Fact("applied", False),), told.links)


def foreign(message: ForeignLanguage, context: Context) -> Answer:
    """The language, and the way out."""
    way = context.program.ways.get("model")
    text = f"That is {message.name}, which the offline composer does not read: it reads English. A language model does."
    facts = (Fact("language", message.name),)
    if way is None:
        return Answer(text, facts)
    told = told_way(way, context, About())
    return Answer(f"{text} {told.text}", facts, told.links)


def command(message: Command, context: Context) -> Answer:
    """How it is done at this door; nothing is done here."""
    facts = (Fact("command", message.name),)
    if message.name in NOT_YET:
        return Answer(NOT_YET[message.name], facts)
    way = context.program.ways.get("print" if message.name == "export" and prints(message.value) else message.name)
    if way is None:
        return Answer("That cannot be done here.", facts)
    told = told_way(way, context, message.about, facts, message.value)
    meant = _meant(context, message.about)
    return told if way.command or not meant else replace(told, text=f"{told.text} Meant here: {meant}.")


def _meant(context: Context, about: About) -> str:
    """The parts and places that a command names, for a person who goes and does it."""
    parts = [track.name for track in context.song.tracks if track.id in about.tracks]
    return listed([*parts, *(name for name, _, _ in places(about, context.song))])


def request(message: Request | Refinement | Refusal, context: Context) -> Answer:
    """A request where only questions are answered: which command plans it."""
    way = context.program.ways.get("compose")
    text = "That is a request and no question, so nothing is planned here."
    facts = (Fact("request", message.words),)
    if way is None:
        return Answer(text, facts)
    told = told_way(way, context, About(), value=message.words)
    return Answer(f"{text} {told.text}", facts, told.links)


def several(message: Several, told: list[Answer]) -> Answer:
    """All parts: what was asked is answered, and of what is wanted of the song beside it nothing is done."""
    left = [part for part in message.parts if not isinstance(part, Question | Command)]
    text = " ".join(dict.fromkeys(one.text for one in told))
    links: tuple[Link, ...] = tuple(dict.fromkeys(link for one in told for link in one.links))
    facts = tuple(dict.fromkeys(fact for one in told for fact in one.facts))
    if left:
        parts = "; ".join(f"“{part.words}”" for part in left)
        text = f"{text} Nothing is changed yet: say this alone, and it is planned: {parts}.".strip()
    return Answer(text, facts, links)
