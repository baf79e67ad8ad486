"""Whether parts double each other: strike together, at the same pitch or in octaves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import NotesAsked, asked_notes, bars_listed, nothing_asked, sentence, share_said
from agent.chat.answering.kick import parts_with_kick, with_kick
from agent.chat.answering.wording import counted, listed, spelled
from agent.chat.context import Context
from agent.chat.messages import About, Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.pitch import pitch_name
from agent.theory.sounding import Sounding, kit_tracks, strokes

_THROUGHOUT, _LARGELY, _HERE = 0.85, 0.5, 0.1
"""Shares of the attacks of the part with fewer of them that double the other."""
_SHOWN = 3
_MOST_PARTS = 24


class SharedAttacks(Struct, frozen=True):
    """How two parts go together: the attacks of each, those that both have, and of these the ones with the very same
    pitches, with the same notes in other octaves, and otherwise with a note in common. `bars` are those in which they
    double: the first two."""

    one: int
    other: int
    together: int
    unisons: int
    octaves: int
    touching: int
    bars: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of the attacks of the part with fewer of them that are doubled, 0 to 1."""
        fewer = min(self.one, self.other)
        return (self.unisons + self.octaves) / fewer if fewer else 0.0


def doubles(context: Context, question: Question, language: Language) -> Answer:
    """An answer that says how far two parts play the same or together: those that are named, a single named one with
    the part that it doubles most, else the pairs that double each other most. A pitched part beside a drum kit is
    compared with the kick."""
    about, song = question.about, context.song
    few = len(about.tracks) == 1
    kits = kit_tracks(song, context.palette)
    if beside_kick := parts_with_kick(context, question, language):
        return with_kick(context, question, beside_kick)
    whole = About(bars=about.bars, sections=about.sections) if few else about
    asked = asked_notes(context, whole)
    parts = [track for track in asked.notes if few or about.tracks or track not in kits][:_MOST_PARTS]
    if about.tracks and not any(track in asked.notes for track in about.tracks):
        return nothing_asked(context, about)
    if few and about.tracks[0] not in kits:
        parts = [track for track in parts if track not in kits]
    pairs = [pair for pair in combinations(parts, 2) if not few or about.tracks[0] in pair]
    if not pairs:
        return _alone(asked, parts, about.tracks)
    found = _shared(song, asked, pairs)
    order = sorted(found, key=lambda pair: (-found[pair].share, -found[pair].together))[:_SHOWN]
    best = order[0]
    if len(pairs) == 1 or (few and found[best].share >= _LARGELY):
        told = _pair(song, asked, best, found[best])
        return Answer(f"{told.text}{_reason(question, language)}", told.facts, told.links)
    if found[best].share < _HERE:
        who = f"{asked.names[about.tracks[0]]} doubles no other part" if few else "no part doubles another"
        text = f"No: {who}{asked.where}."
        return Answer(f"{text} The closest are {_counts(asked, best, found[best])}. Counted from the notes.",
                      _facts(asked, found, order), asked.links(found[best].bars))
    said = "; ".join(f"{_counts(asked, pair, found[pair])}" for pair in order if found[pair].share >= _HERE)
    how = "Yes" if found[best].share >= _LARGELY else "In part"
    return Answer(f"{how}{asked.where}: {said}. Counted from the notes.", _facts(asked, found, order),
                  asked.links(found[best].bars))


def _reason(question: Question, language: Language) -> str:
    """For one who asks why there are both: that notes do not say so."""
    why = next(one.forms for one in language.words.topics if one.topic == "why")
    asks = PhraseList(form for form in why if "|" not in form).find(plain_tokens(question.words, language))
    return " Why there are both I cannot know; this is what they do." if asks else ""


def _alone(asked: NotesAsked, parts: Sequence[TrackId], named: Sequence[TrackId]) -> Answer:
    silent = [asked.names[track] for track in named if track not in asked.notes]
    if silent:
        rests = f"{listed(silent)} {'is' if len(silent) == 1 else 'are'} silent{asked.where}"
        text = f"No: {rests}, so nothing is doubled there. Counted from the notes."
        return Answer(text, (Fact("parts", len(parts)),), asked.links())
    who = f"only {asked.names[parts[0]]} plays" if parts else "nothing with a pitch plays"
    return Answer(f"It takes two parts to double each other, and {who}{asked.where}.", (Fact("parts", len(parts)),))


def _shared(
    song: Song, asked: NotesAsked, pairs: Sequence[tuple[TrackId, TrackId]]
) -> dict[tuple[TrackId, TrackId], SharedAttacks]:
    """How each pair goes together, counted in one walk over the strokes of all parts."""
    parts = {track for pair in pairs for track in pair}
    attacks = dict.fromkeys(parts, 0)
    counts = dict.fromkeys(pairs, (0, 0, 0, 0))
    bars: dict[tuple[TrackId, TrackId], set[int]] = {pair: set() for pair in pairs}
    notes = [note for note in asked.together() if note.track in parts]
    order = [*asked.notes]
    wanted = set(pairs)
    for group in strokes(notes):
        pitches: dict[TrackId, set[int]] = {}
        for note in group:
            pitches.setdefault(note.track, set()).add(note.pitch)
        for track in pitches:
            attacks[track] += 1
        for pair in combinations(sorted(pitches, key=order.index), 2):
            if pair not in wanted:
                continue
            one, other = (pitches[track] for track in pair)
            classes = [{pitch % 12 for pitch in found} for found in (one, other)]
            alike, octave = one == other, one != other and classes[0] == classes[1]
            touching = not alike and not octave and not classes[0].isdisjoint(classes[1])
            together, unisons, octaves, near = counts[pair]
            counts[pair] = (together + 1, unisons + alike, octaves + octave, near + touching)
            if alike or octave:
                bars[pair].add(song.bar_map.bar_at(group[0].start))
    return {
        (a, b): SharedAttacks(attacks[a], attacks[b], *counts[a, b], tuple(sorted(bars[a, b]))) for a, b in pairs
    }


def _pair(song: Song, asked: NotesAsked, pair: tuple[TrackId, TrackId], found: SharedAttacks) -> Answer:
    one, other = (asked.names[track] for track in pair)
    a, b = (asked.notes[track] for track in pair)
    where = asked.where
    if _same(a, b):
        verdict = f"Yes: {other} plays note for note what {one} plays{where}, {counted(len(a), 'note')}."
    else:
        how = (
            "but doubled nearly throughout" if found.share >= _THROUGHOUT else "but largely doubled"
            if found.share >= _LARGELY else "but doubled in part" if found.share >= _HERE else "and hardly ever doubled"
        )
        counts = f"{one} has {counted(len(a), 'note')}{where}, {other} {len(b):,}"
        verdict = f"Not note for note the same, {how}: {counts}. {_attacks(one, other, found)}"
    bars = {track: _sounds_in(song, notes) for track, notes in zip(pair, (a, b), strict=True)}
    shared = bars[pair[0]] & bars[pair[1]]
    ranges = " and ".join(
        f"{name} from {_named(song, min(n.pitch for n in notes))} to {_named(song, max(n.pitch for n in notes))}"
        for name, notes in ((one, a), (other, b))
    )
    when = _when(one, other, bars[pair[0]], bars[pair[1]])
    text = f"{verdict} {when} {sentence(ranges)}. Counted from the notes."
    facts = (*_facts(asked, {pair: found}, [pair]), Fact("bars with both", len(shared), "bars"))
    return Answer(text, facts, asked.links(found.bars or shared))


def _attacks(one: str, other: str, found: SharedAttacks) -> str:
    if not found.together:
        return "They never strike together."
    same = [
        f"{count:,} {what}" for count, what in (
            (found.unisons, "on the same notes"), (found.octaves, "on the same notes in other octaves"),
            (found.touching, "with a note in common"),
        ) if count
    ]
    of_these = f", of these {listed(same)}" if same else ", never with a note in common"
    where = f"; they double in {bars_listed(found.bars)}" if found.bars else ""
    shares = f"{share_said(found.together, found.one)} of the attacks of {one} and "
    shares += f"{share_said(found.together, found.other)} of {other}"
    return f"They strike together {counted(found.together, 'time')}, {shares}{of_these}{where}."


def _when(one: str, other: str, a: set[int], b: set[int]) -> str:
    if not a & b:
        return f"They never play in the same bar: {one} in {bars_listed(a)}, {other} in {bars_listed(b)}."
    said = [f"Both play in {bars_listed(a & b)}"]
    said += [f"only {name} in {bars_listed(only)}" for name, only in ((one, a - b), (other, b - a)) if only]
    return f"{'; '.join(said)}."


def _counts(asked: NotesAsked, pair: tuple[TrackId, TrackId], found: SharedAttacks) -> str:
    one, other = (asked.names[track] for track in pair)
    alike = f"{found.unisons + found.octaves:,} of {counted(found.together, 'common attack')} are on the same notes"
    where = f", in {bars_listed(found.bars)}" if found.bars else ""
    return f"{one} and {other} ({alike}{where})"


def _facts(
    asked: NotesAsked, found: dict[tuple[TrackId, TrackId], SharedAttacks], pairs: Sequence[tuple[TrackId, TrackId]]
) -> tuple[Fact, ...]:
    facts = []
    for pair in pairs:
        names = " and ".join(asked.names[track] for track in pair)
        facts += [
            Fact(f"{names} together", found[pair].together, "attacks"),
            Fact(f"{names} doubled", round(found[pair].share, 2)),
        ]
    return tuple(facts)


def _same(a: Sequence[Sounding], b: Sequence[Sounding]) -> bool:
    return [(one.start, one.pitch, one.end) for one in a] == [(one.start, one.pitch, one.end) for one in b]


def _sounds_in(song: Song, notes: Sequence[Sounding]) -> set[int]:
    bars = song.bar_map
    return {bar for note in notes for bar in range(bars.bar_at(note.start), bars.bar_at(note.end - 1) + 1)}


def _named(song: Song, pitch: int) -> str:
    return spelled(pitch_name(pitch, song.key))
