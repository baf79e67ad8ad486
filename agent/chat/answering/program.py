"""What the program is, has and can do, and how it is done at this door."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

from agent.chat.answer import Answer, CommandLink, Fact
from agent.chat.answering.wording import counted, listed
from agent.chat.context import Context, Way
from agent.chat.messages import About, Action, Question
from agent.song.palette import Instrument

_MOST = 40
NOT_YET: Mapping[Action, str] = {
    "record": "Recording is not there yet: write notes by hand, or bring a MIDI file in.",
    "audio": "No: Bandleader works with notes, so it takes in no recordings, samples or other sound files, and cannot "
             "loop them. Instead you can bring a MIDI file in, ask for an instrument that plays something like it, or "
             "export the song or its stems and lay the recording under them in an audio program.",
    "speed": "No: playback has no speed of its own yet. A slower tempo changes the song, and undo brings it back.",
}
"""Answers for actions that people often ask for and that the program cannot do."""


def how_to(context: Context, question: Question) -> Answer:
    """An answer that says how to do an action in the interface in use (window or command line); for an action not
    listed, that a request in words is enough."""
    action = question.action
    if action is None:
        way = context.program.ways.get("compose")
        said = f" {way.sentence}" if way is not None else ""
        return Answer(
            "Ask for it in plain words, such as “make the bass louder” or “add strings to the chorus”: you get a plan, "
            f"and nothing changes before you approve it.{said}", (), _command(context, way, question.about),
        )
    if action in NOT_YET:
        return Answer(NOT_YET[action], (Fact(action, False),))
    way = context.program.ways.get(action)
    if way is None:
        return Answer("That cannot be done here.", (Fact(action, False),))
    return told_way(way, context, question.about, (Fact("how", action),), question.value)


def told_way(way: Way, context: Context, about: About, facts: tuple[Fact, ...] = (), value: str = "") -> Answer:
    """An answer made of a `Way`: its sentence, and the command to type if there is one, filled from `about` and `value`
    as `filled` does. `facts` are put into the answer unchanged."""
    if not way.command:
        return Answer(way.sentence, facts)
    command = filled(way.command, context, about, value)
    return Answer(f"{way.sentence} Type: {command}", facts, (CommandLink(command),))


def _command(context: Context, way: Way | None, about: About) -> tuple[CommandLink, ...]:
    return (CommandLink(filled(way.command, context, about)),) if way is not None and way.command else ()


def filled(command: str, context: Context, about: About, value: str = "") -> str:
    """The command with its fields, such as `{track}`, replaced by what the message names (`about`); fields without a
    value become placeholders in capitals. `value` is a file format or the words of a request."""
    versions = context.versions
    named = {-1: versions[0].number, 0: max(versions[0].number - 1, 1)} if versions else {}
    number = named.get(about.versions[0], about.versions[0]) if about.versions else None
    track = next((one.name for one in context.song.tracks if one.id in about.tracks), None)
    told = {
        "version": str(number) if number is not None else "NUMBER",
        "undo": "NUMBER" if context.undo is None else str(context.undo),
        "redo": "NUMBER" if context.redo is None else str(context.redo),
        "track": quote(track) if track is not None else "TRACK",
        "format": _FORMATS.get(value or next(iter(about.formats), ""), "wav"),
        "project": f" --project {quote(context.project)}" if context.project else "",
        "request": quote(value or "REQUEST"),
        "lock": "bars:{}-{}".format(*about.bars) if about.bars else (quote(track) if track is not None else "TRACK"),
    }
    return command.format_map(told)


def prints(value: str) -> bool:
    """Whether a file format as a person says it is one of sheet music: "musicxml", "score", "pdf"."""
    return value in _PRINTED


_PRINTED = ("musicxml", "sheet music", "score", "notation", "pdf", "notes sheet")
"""What is said for music on paper."""
_FORMATS = {
    "mp3": "mp3", "wav": "wav", "wave": "wav", "midi": "mid", "mid": "mid", "flac": "flac", "ogg": "ogg",
    "stems": "stems", "stem": "stems", "dawproject": "dawproject", "daw project": "dawproject", "audio": "wav",
}


def styles(context: Context, about: About) -> Answer:
    """An answer with all styles, or whether the named ones exist."""
    known = context.program.styles
    named = [one for one in known if one.name in about.styles]
    if named:
        text = f"Yes, {listed(one.label for one in named)} {'is' if len(named) == 1 else 'are'} among my styles."
        return Answer(text, tuple(Fact(one.name, True) for one in named), _list(context, "list_styles"))
    names = [one.label for one in known]
    return Answer(
        f"{counted(len(names), 'style')}: {listed(names[:_MOST])}.", (Fact("styles", len(names)),),
        _list(context, "list_styles"),
    )


def palette(context: Context, about: About) -> Answer:
    """An answer with the families of instruments, or whether the named instruments exist."""
    instruments = context.palette.instruments
    wanted = [*about.absent, *(track.name.casefold() for track in context.song.tracks if track.id in about.tracks)]
    links = _list(context, "list_instruments")
    if wanted:
        found = [one for one in instruments if any(_is(one, word) for word in wanted)]
        if found:
            text = f"Yes: {listed(one.label for one in found[:8])}."
            return Answer(text, tuple(Fact(one.label, True) for one in found[:8]), links)
        return Answer(f"No, I have no {listed(wanted, 'or')}.", tuple(Fact(one, False) for one in wanted), links)
    families: dict[str, int] = {}
    for one in instruments:
        families[one.family] = families.get(one.family, 0) + 1
    said = listed(f"{family} ({count})" for family, count in families.items())
    return Answer(
        f"{counted(len(instruments), 'instrument')} of these families: {said}.",
        (Fact("instruments", len(instruments)),), links,
    )


def _is(instrument: Instrument, word: str) -> bool:
    bare = word.removesuffix("s")
    return bare in instrument.label.casefold() or bare == instrument.family.removesuffix("s")


def effects(context: Context) -> Answer:
    """An answer with all effects."""
    labels = [one.label for one in context.palette.effects]
    return Answer(
        f"{counted(len(labels), 'effect')}: {listed(labels)}.", (Fact("effects", len(labels)),),
        _list(context, "list_effects"),
    )


def _list(context: Context, action: Action) -> tuple[CommandLink, ...]:
    return _command(context, context.program.ways.get(action), About())


def abilities(context: Context) -> Answer:
    """An answer with examples of what one can ask for."""
    return Answer(
        "I write and change music on this computer. Ask for a new piece (“a calm lofi beat in D minor, 16 bars”), for "
        "a change (“add strings to the chorus”, “make the verse calmer”), or about the song (“what key is this in?”, "
        "“do the strings cover the melody?”). Every request becomes a plan that you see and approve first.",
        (Fact("styles", len(context.program.styles)), Fact("instruments", len(context.palette.instruments))),
        _command(context, context.program.ways.get("compose"), About()),
    )


def internet(context: Context) -> Answer:
    """An answer that says what needs the internet: only models in the cloud."""
    planner = context.program.planner
    now = "Now the offline composer plans." if context.program.offline else f"Now {planner} plans, which may need it."
    return Answer(
        "Composing, sound, files and history work without the internet. Only a language model in the cloud needs "
        f"it. {now}",
        (Fact("needs internet", not context.program.offline), Fact("planner", context.program.planner)),
    )


def privacy(context: Context) -> Answer:
    """An answer that says which data leaves the computer with the present planner."""
    if context.program.offline:
        text = "Nothing leaves this computer: all is stored here, and the offline composer plans."
    else:
        text = (
            f"Songs and versions are stored on this computer. Requests go to {context.program.planner} with what it "
            "needs to know of the song; sound and files do not."
        )
    return Answer(f"{text} What you make is yours.", (Fact("leaves this computer", not context.program.offline),))


def cost(context: Context) -> Answer:
    """An answer that says what the program and its models cost."""
    spent = context.program.spent
    text = (
        "Bandleader is free and open source (GPL-3), and its own composer costs nothing. A language model costs what "
        "its provider asks"
    )
    free = Fact("price", 0, "USD")
    if spent is None:
        return Answer(f"{text}.", (free,))
    said = f"this month that was ${spent:.2f}" if spent else "this month nothing was spent"
    return Answer(f"{text}; {said}.", (free, Fact("spent this month", round(spent, 4), "USD")))


def files(context: Context) -> Answer:
    """An answer with the folders of songs and exports."""
    program = context.program
    text = f"Your songs are in the database in {program.data}; exports of this song go to {program.export_folder}."
    return Answer(text, (Fact("data", program.data), Fact("exports", program.export_folder)))


def formats(context: Context, about: About) -> Answer:
    """An answer with the file formats that are read and written, or whether the named one is."""
    program = context.program
    links = _command(context, program.ways.get("export"), about)
    facts = (Fact("exports", " ".join(program.exports)), Fact("imports", " ".join(program.imports)))
    known = f"I write {listed(program.exports)} and read {listed(program.imports)}."
    if about.formats:
        name = about.formats[0]
        there = _FORMATS.get(name) in program.exports
        if prints(name) and (way := program.ways.get("print")) is not None:
            told = told_way(way, context, about)
            return Answer(f"{told.text} {known}", facts, told.links)
        return Answer(f"{'Yes, ' + name + ' can be exported' if there else 'No, not ' + name}. {known}", facts, links)
    return Answer(known, facts, links)


def model(context: Context) -> Answer:
    """An answer with the present planner, and how to choose another."""
    way = context.program.ways.get("model")
    rest = f" {way.sentence}" if way is not None else ""
    text = f"Plans are made by {context.program.planner} now."
    return Answer(text + rest, (Fact("planner", context.program.planner),), _command(context, way, About()))


def language(context: Context) -> Answer:
    """An answer that says which languages are understood."""
    way = context.program.ways.get("model")
    rest = f" {way.sentence}" if way is not None else ""
    return Answer(
        f"The offline composer reads English. A language model reads any language.{rest}",
        (Fact("language", "English"),), _command(context, way, About()),
    )
