"""From a question to its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact
from agent.chat.answering import (
    accidentals,
    authors,
    cadences,
    characters,
    clashes,
    comparing,
    counting,
    crossing,
    density,
    difficulty,
    doubling,
    entrances,
    excerpts,
    extremes,
    fastest,
    form,
    frame,
    growth,
    harmonic_rhythm,
    harmony,
    history,
    identical,
    inversions,
    leaps,
    loudest,
    mix,
    modulation,
    note_lists,
    numerals,
    origins,
    panning,
    parts,
    place,
    plans,
    polyphony,
    program,
    related_keys,
    rests,
    rounds,
    sounds,
    strokes,
    timing,
    tunes,
    weaknesses,
)  # fmt: skip
from agent.chat.answering.asked import words_of
from agent.chat.answering.manual import manual
from agent.chat.answering.parts_meant import with_parts_meant
from agent.chat.answering.ranking import extreme_asked
from agent.chat.answering.supposing import supposed_move
from agent.chat.answering.verdicts import verdict
from agent.chat.answering.wording import listed
from agent.chat.context import Context
from agent.chat.messages import About, Question, Topic
from agent.chat.reading.language import Language
from agent.chat.reading.sentences import plain_tokens

_Answering = Callable[[Context, About], Answer]


def _whole(answering: Callable[[Context], Answer]) -> _Answering:
    """An answer that no part of the song limits."""
    return lambda context, _: answering(context)


def _asked(answering: Callable[[Context, Question], Answer]) -> Callable[[Context, Question, Language], Answer]:
    """An answer for which a question is split into no tokens."""
    return lambda context, question, _: answering(context, question)


_SONG: Mapping[Topic, _Answering] = {
    "modulation": modulation.modulation,
    "key": harmony.key, "chords": harmony.chords, "in_tune": harmony.in_tune,
    "numerals": numerals.numerals, "parallels": numerals.parallels, "muddy": weaknesses.muddy,
    "empty": weaknesses.empty,
    "tempo": frame.tempo, "meter": frame.meter, "length": frame.length, "title": _whole(frame.title),
    "style": _whole(frame.style), "lyrics": _whole(frame.lyrics), "state": frame.state,
    "form": form.form,
    "bar_content": form.bar_content,
    "players": parts.players, "sound": parts.sound,
    "effects_on": parts.effects_on,
    "range": parts.pitch_range, "highest": extremes.highest, "lowest": extremes.lowest,
    "covers": mix.covers,
    "timing": timing.timing, "polyphony": polyphony.polyphony, "pan": panning.pan,
    "leaps": leaps.leaps, "accidentals": accidentals.accidentals,
    "fastest": fastest.fastest, "harmonic_rhythm": harmonic_rhythm.harmonic_rhythm,
    "inversions": inversions.inversions, "difficulty": difficulty.difficulty, "melody": tunes.melody,
}
_BY_WORDS: Mapping[Topic, Callable[[Context, Question, Language], Answer]] = {
    "strokes": strokes.strokes, "doubles": doubling.doubles, "notes": note_lists.notes,
    "clashes": _asked(clashes.clashes), "crossing": crossing.crossing, "loops": _asked(form.loops),
    "cadences": _asked(cadences.cadences_of), "compare_places": _asked(comparing.compare_places),
    "repeats": _asked(identical.repeats),
    "place": _asked(place.place), "clock": _asked(place.clock), "rounds": _asked(rounds.rounds),
    "entrance": _asked(entrances.entrance), "loudness": _asked(loudest.loudness),
    "rests": _asked(rests.rests), "growth": _asked(growth.growth),
    "excerpt": _asked(excerpts.excerpt), "character": _asked(characters.character), "author": _asked(authors.author),
}
"""Topics of the song whose answer needs more of the words than the parts and places that they name."""
_OTHER: Mapping[Topic, _Answering] = {
    "changed": history.changed, "saved": _whole(history.saved),
    "row": plans.row, "removals": plans.removals,
    "styles": program.styles, "palette": program.palette, "effects": _whole(program.effects),
    "abilities": _whole(program.abilities), "internet": _whole(program.internet), "privacy": _whole(program.privacy),
    "cost": _whole(program.cost), "files": _whole(program.files), "formats": program.formats,
    "model": _whole(program.model), "language": _whole(program.language), "quality": _whole(sounds.quality),
}
_ASKED: Mapping[Topic, Callable[[Context, Question], Answer]] = {
    "how_to": program.how_to, "why": history.why, "busiest": density.busiest,
    "related_keys": related_keys.related_keys, "origin": origins.origin, "versions": history.versions,
    "plan": plans.plan,
}
"""Answers beside those of the song that look at the words of the question as well."""
_MANUAL: Mapping[Topic, str] = {
    "together": "collaboration", "platforms": "platforms", "plugins": "plugins", "backup": "backup",
    "synthesis": "synthesis",
}
"""Topics that an entry of the manual answers."""
_NEEDS_PART: frozenset[Topic] = frozenset({
    "players", "entrance", "rests", "sound", "effects_on", "range", "highest", "lowest", "notes", "loudness", "covers",
    "repeats", "timing", "polyphony", "strokes", "pan", "doubles", "crossing", "leaps", "accidentals", "fastest",
    "inversions", "difficulty", "clashes", "melody",
})
"""Topics for which a part that the song lacks is the answer."""


def answer_question(question: Question, context: Context, language: Language) -> Answer:
    """The answer to a question; to an unknown one the answer says what can be asked instead."""
    if (entry := question.value if question.topic == "manual" else _MANUAL.get(question.topic)) is not None:
        return manual(context, question, entry, language.manual) or unknown(question, language)
    if question.topic == "unknown":
        return unknown(question, language)
    question = with_topic_meant(with_parts_meant(question, context, language))
    judged = verdict(question, context, language)
    answer = _answered(question, context, language)
    written = f" {_AS_WRITTEN}" if _is_as_written(question, context, language) else ""
    return Answer(f"{judged} {answer.text}{written}".strip(), answer.facts, answer.links)


_AS_WRITTEN = "That is as the song is written, with no part moved."


def _is_as_written(question: Question, context: Context, language: Language) -> bool:
    """Whether it supposes a part to be moved that the answer takes as it is."""
    if question.topic not in _SONG and question.topic not in _BY_WORDS:
        return False
    move = supposed_move(question, context, language)
    return move is not None and (question.topic != "crossing" or move.track is None)


def _answered(question: Question, context: Context, language: Language) -> Answer:
    about = question.about
    absent = bool(about.absent_sections) and not about.sections and about.bars is None
    if absent and (question.topic in _SONG or question.topic in _BY_WORDS or question.topic == "changed"):
        return form.no_such_section(context, about.absent_sections)
    if question.topic in _ASKED:
        return _ASKED[question.topic](context, question)
    if question.topic in _OTHER:
        return _OTHER[question.topic](context, about)
    if question.topic in _NEEDS_PART and about.absent and not about.tracks and not _of_no_part(question):
        return parts.missing(context, about)
    if question.topic in _COUNTED and counting.asks_before(question):
        return counting.before(context, question)
    answer = _of_song(question, context, language)
    if question.topic in _COUNTED and counting.asks_eights(question) and context.song.bars:
        answer = replace(answer, text=f"{counting.eights_of(context, about)} {answer.text}")
    if context.song.tracks or question.topic == "lyrics":
        return answer
    return Answer(f"The song is still empty. {answer.text}", answer.facts, answer.links)


_COUNTED: frozenset[Topic] = frozenset({"place", "entrance", "length", "form", "clock", "rounds", "players", "rests"})
"""Topics of which so many bars or eights may be asked."""
_PLACED: frozenset[Topic] = frozenset({"entrance", "place", "form", "players", "rests"})
"""Topics that give way to what is most or least."""
_AT: frozenset[Topic] = frozenset({"bar_content", "form", "excerpt", "cadences", "loops", "how_to", "entrance"})
"""Topics that give way to what happens at a time that is named, the last ones where the words are about a way out."""
_OUT = frozenset({"out", "fade", "cut", "clean", "cleanly", "edit", "exit", "stop", "end", "leave", "chop", "trim"})


def with_topic_meant(question: Question) -> Question:
    """The question with the topic that its words ask for beside the one that it was read as: what is loudest, what
    happens at a time, where one gets out near it."""
    if question.about.moment is not None and question.topic in _AT:
        happens = question.topic in ("bar_content", "form")
        return replace(question, topic="clock") if happens or words_of(question.words) & _OUT else question
    most = extreme_asked(question.words)
    return replace(question, topic=most) if most and question.topic in _PLACED else question


def _of_no_part(question: Question) -> bool:
    """Whether a question that may name a part is about the song: "how long till it kicks in", "which section is
    loudest"."""
    if question.topic == "loudness":
        return loudest.asks_where(question.words)
    return question.topic == "entrance" and growth.kicks_in(question.words)


def _of_song(question: Question, context: Context, language: Language) -> Answer:
    if question.topic in _BY_WORDS:
        return _BY_WORDS[question.topic](context, question, language)
    return _SONG[question.topic](context, question.about)


def unknown(question: Question, language: Language) -> Answer:
    """An answer that the question is not understood, with the three most similar questions that are."""
    asked = set(plain_tokens(question.words, language)) - language.function_words
    topics = language.words.topics

    def nearness(at: int) -> tuple[int, int]:
        words = set(plain_tokens(f"{topics[at].name} {topics[at].ask}", language))
        usual = _USUAL.index(topics[at].topic) if topics[at].topic in _USUAL else len(_USUAL)
        return -len(words & asked), usual

    nearest = sorted(range(len(topics)), key=nearness)[:3]
    examples = listed((f"“{topics[at].ask}”" for at in nearest), "or")
    return Answer(f"I cannot answer that from what I know of the song. Ask me, for example, {examples}.",
                  (Fact("answered", False),))


_USUAL: tuple[Topic, ...] = ("key", "chords", "players", "loudness", "changed")
