"""Songs of a few notes whose facts are counted by hand, and answers about them."""

from __future__ import annotations

from collections.abc import Sequence

from chatting import context, language
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.context import Context
from agent.chat.messages import About, Question, Topic
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.song import Section, Song
from agent.song.time import TempoChange, Ticks, to_ticks
from agent.song.track import Track

Heard = tuple[float, int, float] | tuple[float, int, float, int]
"""A note: the beat on which it begins, its pitch, its beats and, unless that is 90, its velocity."""


def line(name: str, instrument: str, notes: Sequence[Heard], **mix: object) -> Track:
    """A track with these notes."""
    made = in_order([
        Note(NoteId(f"{name}-n{at}"), one[1], to_ticks(one[0]), to_ticks(one[2]), one[3] if len(one) > 3 else 90)
        for at, one in enumerate(notes)
    ])
    end = max((note.end for note in made), default=Ticks(960))
    clip = Clip(ClipId(f"{name}-c"), name, Ticks(0), end, made)
    return replace(Track(TrackId(f"{name}-t"), name, instrument, clips=(clip,)), **mix)


def song_of(*tracks: Track, key: str = "C", bpm: float = 120.0, sections: Sequence[Section] = ()) -> Song:
    """A song in 4/4 in a key such as "A minor"."""
    tonic, _, mode = key.partition(" ")
    return Song(
        key=Key(tonic, mode or "major"), tempos=(TempoChange(Ticks(0), bpm),),  # type: ignore[arg-type]
        tracks=tracks, sections=tuple(sections),
    )


def answer(
    song: Song | Context, topic: Topic, *parts: str, bars: tuple[int, int] | None = None, words: str = "",
    sections: Sequence[SectionId] = (), moment: float | None = None, absent: Sequence[str] = (),
) -> Answer:
    """The answer to a question of a topic that names these parts and this place."""
    asked = song if isinstance(song, Context) else context(song)
    about = About(
        tracks=tuple(TrackId(f"{one}-t") for one in parts), bars=bars, sections=tuple(sections), moment=moment,
        absent=tuple(absent),
    )
    return answer_question(Question(topic, words, about), asked, language())


def facts(found: Answer) -> dict[str, object]:
    """The facts of an answer by name."""
    return {fact.name: fact.value for fact in found.facts}
