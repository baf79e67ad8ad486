"""Tempo, meter, length, name, style and words of the song."""

from __future__ import annotations

from collections.abc import Iterator

from agent.chat.answer import Answer, BarsLink, Fact, RunLink, VersionLink
from agent.chat.answering.wording import counted, listed, minutes, number, places, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.song import Song
from agent.song.time import Ticks

_MOST = 5


def tempo(context: Context, about: About) -> Answer:
    """An answer with the tempo and its changes, or the tempo in the named place."""
    song = context.song
    where = places(about, song)
    if where:
        name, first, last = where[0]
        at = song.tempo_map.bpm(song.bar_map.start_of(first))
        text = f"{name[0].upper()}{name[1:]} goes at {number(at)} BPM, as set in the song."
        return Answer(text, (Fact("tempo", at, "BPM"),), (BarsLink(first, last),))
    begins = song.tempos[0].bpm
    facts: tuple[Fact, ...] = (Fact("tempo", begins, "BPM"),)
    if len(song.tempos) == 1:
        return Answer(f"{number(begins)} BPM throughout, as set in the song.", facts)
    changes = [(song.bar_map.bar_at(one.at), one.bpm) for one in song.tempos[1:]]
    said = listed(f"{number(bpm)} from bar {bar}" for bar, bpm in changes[:_MOST])
    more = f", and {len(changes) - _MOST} further changes" if len(changes) > _MOST else ""
    facts += tuple(Fact(f"tempo from bar {bar}", bpm, "BPM") for bar, bpm in changes[:_MOST])
    return Answer(
        f"It begins at {number(begins)} BPM, then {said}{more}, as set in the song.", facts,
        tuple(BarsLink(bar, bar) for bar, _ in changes[:_MOST]),
    )


def meter(context: Context, about: About) -> Answer:
    """An answer with the time signature and its changes, or the one in the named place."""
    song = context.song
    where = places(about, song)
    if where:
        name, first, last = where[0]
        one = song.bar_map.meter_at(song.bar_map.start_of(first))
        said = f"{one.beats}/{one.unit}"
        return Answer(
            f"{name[0].upper()}{name[1:]} is in {said}, as set in the song.", (Fact("meter", said),),
            (BarsLink(first, last),),
        )
    begins = f"{song.meters[0].beats}/{song.meters[0].unit}"
    facts = [Fact("meter", begins)]
    text = f"{begins}, as set in the song: {counted(song.meters[0].beats, 'beat')} to a bar."
    if len(song.meters) > 1:
        changes = [(song.bar_map.bar_at(one.at), f"{one.beats}/{one.unit}") for one in song.meters[1:]]
        text = f"It begins in {begins}, then {listed(f'{said} from bar {bar}' for bar, said in changes[:_MOST])}."
        facts += [Fact(f"meter from bar {bar}", said) for bar, said in changes[:_MOST]]
    return Answer(text, tuple(facts))


def length(context: Context, about: About) -> Answer:
    """An answer with the length of the song, or of the named places, in bars and minutes."""
    song = context.song
    where = places(about, song)
    if where:
        said = [
            f"{name}: {counted(last - first + 1, 'bar')}, {minutes(_seconds(song, first, last))}"
            for name, first, last in where
        ]
        facts = tuple(Fact(name, last - first + 1, "bars") for name, first, last in where)
        return Answer(f"{'; '.join(said)}.", facts, tuple(BarsLink(first, last) for _, first, last in where))
    if not song.bars:
        return Answer("The song is empty: it has no notes and no length yet.", (Fact("length", 0, "bars"),))
    seconds = song.tempo_map.seconds(song.end)
    facts = (Fact("length", song.bars, "bars"), Fact("duration", round(seconds, 1), "s"))
    text = f"{counted(song.bars, 'bar')}, which is {minutes(seconds)} min without the tail of the last notes."
    return Answer(text, facts, (BarsLink(1, song.bars),))


def title(context: Context) -> Answer:
    """An answer with the names of the song and its project."""
    name, project = context.song.name, context.project
    text = f"The song is called “{name}”"
    text += f", in the project “{project}”." if project and project != name else "."
    return Answer(text, (Fact("title", name), Fact("project", project or name)))


def style(context: Context) -> Answer:
    """An answer with the request that the song was made by, as a song does not store its style."""
    asked = [one for one in reversed(context.versions) if one.source == "ai_iteration" and one.request]
    if not asked:
        return Answer(
            "A song does not store its style, and nothing here was made by a request, so I can only describe it: "
            f"{number(context.song.bpm)} BPM, {context.song.key}.", (Fact("style", ""),),
        )
    first = asked[0]
    links = (VersionLink(first.id, first.number), *((RunLink(first.run),) if first.run else ()))
    return Answer(
        f"It was asked for as “{first.request}” (version {first.number}). A song does not store its style beside that.",
        (Fact("asked for as", first.request),), links,
    )


def lyrics(context: Context) -> Answer:
    """An answer that there are no lyrics, and that choirs sing vowels."""
    sings = [track.name for track in context.song.tracks if "choir" in track.instrument or "voice" in track.instrument]
    text = (
        "There are no words: Bandleader writes and plays notes, and can neither write lyrics nor sing them. A choir "
        "can sing on vowels, such as “add a choir on oohs”."
    )
    if sings:
        text += f" {listed(sings)} {'sings' if len(sings) == 1 else 'sing'} on vowels."
    return Answer(text, (Fact("lyrics", False),))


def state(context: Context, about: About) -> Answer:
    """An answer with the muted tracks and the locks."""
    tracks = [track for track in context.song.tracks if not about.tracks or track.id in about.tracks]
    muted = [track.name for track in tracks if track.mute]
    locks = context.program.locks
    text = f"Muted: {listed(muted)}." if muted else "No track is muted."
    text += f" Locked: {listed(locks)}." if locks else " Nothing is locked."
    return Answer(text, (Fact("muted", ", ".join(muted)), Fact("locked", ", ".join(locks))))


def frame_lines(before: Song, after: Song) -> Iterator[str]:
    """The differences between two songs apart from their tracks (tempo, meter, key, length, …), a line each."""
    if before.tempos != after.tempos:
        yield f"tempo {_tempos(before)} → {_tempos(after)} BPM"
    if before.meters != after.meters:
        yield f"meter {_meters(before)} → {_meters(after)}"
    if before.key != after.key:
        yield f"key {spelled(str(before.key))} → {spelled(str(after.key))}"
    if before.bars != after.bars:
        yield f"length {before.bars} → {counted(after.bars, 'bar')}"
    if before.sections != after.sections:
        yield f"sections {listed(one.name for one in after.sections) or 'none'}"
    if before.master_effects != after.master_effects:
        yield "other effects on the whole mix"
    if before.soundfont != after.soundfont:
        yield f"SoundFont {before.soundfont or 'the bank'} → {after.soundfont or 'the bank'}"
    if before.loudness_target != after.loudness_target:
        yield f"loudness {number(before.loudness_target)} → {number(after.loudness_target)} LUFS".replace("-", "−")


def _tempos(song: Song) -> str:
    return "/".join(number(one.bpm) for one in song.tempos[:_MOST])


def _meters(song: Song) -> str:
    return ", ".join(f"{one.beats}/{one.unit}" for one in song.meters[:_MOST])


def _seconds(song: Song, first: int, last: int) -> float:
    start, end = song.bar_map.span(first, last)
    return song.tempo_map.seconds(Ticks(end)) - song.tempo_map.seconds(Ticks(start))

