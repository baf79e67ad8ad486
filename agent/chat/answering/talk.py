"""What is said to messages that are no question: talk, a yes, a command, another language, several things at once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact, Link
from agent.chat.answering.program import NOT_YET, prints, told_way
from agent.chat.answering.wording import listed, places
from agent.chat.context import Context, Way
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
    "bye": "Goodbye, and all the best! Your song is stored; Bandleader makes music with you whenever you come back.",
    "thanks": "You are welcome! Tell me what you want to hear next, and I plan it.",
    "praise": "Thank you, that is good to read! Nothing is changed; say what you want to hear next whenever you like.",
    "who": f"{_DOES} I am a program, and what I play is what you approved.",
    "feeling": "Thank you for telling me. Nothing is changed; the music is here whenever you want to go on.",
    "joy": "How good to hear! Thank you for telling me; the music is here whenever you want to go on.",
    "luck": "Good luck! I have no fingers to cross, but your song is stored and ready when you are.",
    "sorrow": "I am sorry, and thank you for telling me. Take your time: the song stays just as it is.",
    "weary": "That sounds like a lot. Take a breath: the song is stored, and waits for you as it is.",
    "grumble": "I am sorry it went wrong. Say in one sentence what it should be instead, and I plan that; “undo” takes "
               "the last change back.",
    "agreement": "Nothing waits for your yes: there is no plan. Say what you want to hear, and I propose one.",
    "no": "All right, nothing is changed; there is no plan that waits. Say what you want to hear, and I propose one.",
    "opinion": "That is for people to judge: I have no taste and no opinion of my own. What I can do is count: ask me "
               "anything about this song, or say what you want to hear.",
    "joke": "Good one. Say what you want to hear, or ask me anything about the song.",
    "elsewhere": "That is not my trade: I make music. Ask for a piece, a change of this song, or anything about it.",
    "nothing": "Say what you want to hear, or ask about the song.",
}


def talk(message: Talk) -> Answer:
    """A friendly sentence for small talk."""
    return Answer(_TALK[message.kind], (Fact("talk", message.kind),))


def approval(context: Context) -> Answer:
    """An answer to a yes in words: only the person's own action (button or command) applies a plan, and how it is
    done."""
    way = context.program.ways.get("approve")
    text = "Applying is yours alone, so words never do it."
    if way is None:
        return Answer(text, (Fact("applied", False),))
    told = told_way(way, context, About())
    return Answer(f"{text} {told.text}", (Fact("applied", False),), told.links)


def foreign(message: ForeignLanguage, context: Context) -> Answer:
    """An answer to another language: its name, how the command in it is done if one was recognised, and what to do."""
    facts: tuple[Fact, ...] = (Fact("language", message.name),)
    text = (
        f"That is {message.name}. The offline composer reads English: say it in English, such as “undo”, “what key is "
        "this in?” or “make the drums quieter”. Nothing is changed."
    )
    links: tuple[Link, ...] = ()
    if message.command is not None:
        done = command(Command(message.command, message.words), context)
        facts, links = (*facts, *done.facts), done.links
        text = f"That is {message.name}, and I take it to mean “{message.command.replace('_', ' ')}”. {done.text}"
    way = context.program.ways.get("model")
    if way is None:
        return Answer(text, facts, links)
    told = told_way(way, context, About())
    return Answer(f"{text} A language model reads any language. {told.text}", facts, (*links, *told.links))


def of_nothing(message: Refusal, context: Context) -> bool:
    """Whether a refusal ("I don't like the flute") is only about parts that the song does not have, while no plan
    waits."""
    about = message.about
    return bool(about.absent) and not about.tracks and not message.wish and context.plan is None


def nothing_there(message: Refusal) -> Answer:
    """An answer that the disliked parts are not in the song, and how to add them."""
    names = listed(message.about.absent)
    return Answer(
        f"This song has no {names}, so there is nothing of them to write anew. Say “add {names}” to have some.",
        (Fact("absent", names),),
    )


def command(message: Command, context: Context) -> Answer:
    """An answer that says how a command is done in the interface in use; nothing is carried out."""
    facts = (Fact("command", message.name),)
    if message.name in NOT_YET:
        return Answer(NOT_YET[message.name], facts)
    if message.name in _BACK and (said := _taken_back(message, context, facts)) is not None:
        return said
    way = context.program.ways.get("print" if message.name == "export" and prints(message.value) else message.name)
    if way is None:
        return Answer("That cannot be done here.", facts)
    if message.name in (*_HEARD, "go_to") and (message.about.bars or message.about.sections):
        return steps_told((message,), context)
    if message.name == "save" and message.value:
        return _saved_as(message, context, facts)
    told = told_way(way, context, message.about, facts, message.value)
    if message.name == "export" and len(message.about.formats) > 1:
        each = [told_way(way, context, message.about, facts, one) for one in message.about.formats]
        lines = dict.fromkeys(link for one in each for link in one.links)
        typed = " ".join(dict.fromkeys(one.text.removeprefix(way.sentence).strip() for one in each))
        return Answer(f"{way.sentence} {typed}".strip(), facts, tuple(lines))
    meant = _meant(context, message.about)
    if message.name == "rename" and message.value:
        meant = f"{meant + ', ' if meant else ''}“{message.value}”"
    return told if way.command or not meant else replace(told, text=f"{told.text} Meant here: {meant}.")


_BACK = ("undo", "redo", "discard")
_HEARD = ("play", "solo", "listen_without")
"""Commands to hear something."""


def heard_so(message: Several) -> tuple[Command, ...]:
    """The commands of a message that only asks to hear a place in a certain way ("play the chorus, only drums"); empty
    for any other message."""
    found = tuple(part for part in message.parts if isinstance(part, Command) and part.name in (*_HEARD, "mute"))
    place = any(one.about.bars or one.about.sections for one in found)
    return found if len(found) == len(message.parts) and place and found[0].name in _HEARD else ()


def steps_told(commands: Sequence[Command], context: Context) -> Answer:
    """An answer with numbered steps by which a person hears a place as the commands say (solo, loop): go there, choose
    the tracks to be heard, play."""
    ways = context.program.ways
    places_named = [one for one in commands if one.about.bars or one.about.sections]
    there = [Command("go_to", one.words, replace(one.about, tracks=())) for one in places_named[:1]]
    only = [replace(one, about=About(tracks=one.about.tracks)) for one in commands if one.name != "play"]
    heard = [] if all(one.name == "go_to" for one in commands) else [Command("play", commands[0].words)]
    steps = [*there, *(one for one in only if one.name != "go_to"), *heard]
    told = [(one, ways[one.name]) for one in steps if one.name in ways]
    if not told:
        return Answer("That cannot be done here.", tuple(Fact("command", one.name) for one in commands))
    lines = [f"{number}. {_step(one, way, context)}" for number, (one, way) in enumerate(told, 1)]
    lines = lines if len(told) > 1 else [_step(*told[0], context)]
    where = next((way.where for _, way in told if way.where), "")
    return Answer(" ".join([where, *lines] if where else lines), tuple(Fact("command", one.name) for one in commands))


def _step(one: Command, way: Way, context: Context) -> str:
    """A way with what is meant here: of tracks with one name each is meant."""
    meant = _meant(context, one.about)
    where = places(one.about, context.song)
    said = way.there.format(bar=where[0][1]) if way.there and where else way.step or way.sentence
    return f"{meant}: {said}" if meant else said


def _saved_as(message: Command, context: Context, facts: tuple[Fact, ...]) -> Answer:
    """All is stored already; under a name of its own the song is a file."""
    save, export = context.program.ways.get("save"), context.program.ways.get("export")
    said = save.sentence if save is not None else ""
    if export is None:
        return Answer(said, facts)
    told = told_way(export, context, message.about, facts)
    name = f"For a copy called “{message.value}”, write a file under that name."
    return Answer(f"{said} {name} {told.text}".strip(), facts, told.links)


def _taken_back(message: Command, context: Context, facts: tuple[Fact, ...]) -> Answer | None:
    """What taking something back comes to: of a plan that waits nothing has happened yet; without one and without an
    earlier version there is nothing to take back, nor to bring back where nothing was. None where the way alone is the
    answer."""
    undo, discard = context.program.ways.get("undo"), context.program.ways.get("discard")
    if message.name == "discard" and context.plan is None:
        text = "No plan waits, so there is nothing to drop, and nothing was changed."
        if undo is None or context.undo is None:
            return Answer(text, facts)
        told = told_way(undo, context, About(), facts)
        return Answer(f"{text} If you mean the last change: {told.text}", facts, told.links)
    if message.name == "undo" and context.plan is not None and context.in_front and discard is not None:
        dropped = told_way(discard, context, About(), facts)
        text = f"The plan that waits has changed nothing yet. {dropped.text}"
        if undo is None or context.undo is None:
            return Answer(text, facts, dropped.links)
        told = told_way(undo, context, About(), facts)
        return Answer(f"{text} For the last change of the song: {told.text}", facts, (*dropped.links, *told.links))
    if message.name == "undo" and context.undo is None:
        why = "this is the first version of the song" if context.versions else "nothing was changed yet"
        return Answer(f"There is nothing to undo: {why}.", facts)
    if message.name == "redo" and context.redo is None:
        return Answer("There is nothing to redo: nothing was undone.", facts)
    return None


def _meant(context: Context, about: About) -> str:
    """The parts and places that a command names, for a person who goes and does it."""
    parts = dict.fromkeys(track.name for track in context.song.tracks if track.id in about.tracks)
    return listed([*parts, *(name for name, _, _ in places(about, context.song))])


def request(message: Request | Refinement | Refusal, context: Context) -> Answer:
    """An answer for an interface that only answers: that nothing was planned, and which command plans the request."""
    way = context.program.ways.get("compose")
    text = "That is a request and no question, so nothing is planned here."
    facts = (Fact("request", message.words),)
    if isinstance(message, Request) and not message.understood:
        return Answer(
            "I can make nothing of that: it asks nothing that I can answer, and names no change that I know. Nothing "
            "is changed. Ask me, for example, “what key is this in?”, or say what should be different, such as “make "
            "the bass louder”.", facts,
        )
    if way is None:
        return Answer(text, facts)
    told = told_way(way, context, About(), value=message.words)
    return Answer(f"{text} {told.text}", facts, told.links)


def several(message: Several, told: list[Answer]) -> Answer:
    """One answer for a message with several parts: the answers in `told`, and which parts were not carried out."""
    left = [part for part in message.parts if not isinstance(part, Question | Command)]
    text = " ".join(dict.fromkeys(one.text for one in told))
    links: tuple[Link, ...] = tuple(dict.fromkeys(link for one in told for link in one.links))
    facts = tuple(dict.fromkeys(fact for one in told for fact in one.facts))
    if left:
        parts = "; ".join(f"“{part.words}”" for part in left)
        text = f"{text} Nothing is changed yet: say this alone, and it is planned: {parts}.".strip()
    return Answer(text, facts, links)
