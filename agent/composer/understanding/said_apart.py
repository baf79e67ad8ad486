"""Said apart: what the words of a new piece say beside its style, band and form, each in a way of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field, structs

from agent.composer.understanding.carriers import carriers_in
from agent.composer.understanding.counted_tracks import most_tracks
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.understanding.known_tunes import known_tunes_in
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.note_reading import note_rules_of
from agent.composer.understanding.note_rules import NoteRules
from agent.composer.understanding.presence import Presence, in_letters, presence_in
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.tasks import Named
from agent.composer.understanding.tempo_ramp import Ramp, ramp_in
from agent.composer.understanding.wishes import Wish
from agent.theory.pitch import pitch_class


class SaidApart(Struct, frozen=True):
    """What a request says of a new piece besides style, band and form: limits on notes (`rules`), where parts play
    (`presence`), a tempo change (`ramp`), who plays the melody (`carriers`), existing melodies (`tunes`, token ranges),
    and the most tracks (`tracks`, 0: not said).

    `said` are the indices of the tokens that say so, `passed` those of them that say nothing else.
    """

    rules: NoteRules = field(default_factory=NoteRules)
    presence: Presence = field(default_factory=Presence)
    ramp: Ramp | None = None
    carriers: tuple[Wish, ...] = ()
    tunes: tuple[range, ...] = ()
    tracks: int = 0
    said: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()

    def added_to(self, intent: Intent) -> Intent:
        """The intent with these findings added."""
        names = [section.name for section in intent.sections]
        tasks = [in_letters(task, names) for task in self.presence.tasks if task not in intent.tasks]
        ramp = (self.ramp.low, self.ramp.high) if self.ramp is not None else None
        # of "horn stabs in the chorus" there is a chorus
        places = [place for task in self.presence.tasks for place in task.scope.excluded]
        within = [place.name for place in places if isinstance(place, Named)]
        sections = intent.sections
        if not sections and not intent.course and len(set(within)) == 1:
            sections = (AskedSection(within[0]),)
        rules = structs.replace(self.rules, position=pitch_class(intent.tonic)) if intent.tonic else self.rules
        return structs.replace(
            intent, sections=sections, rules=rules,
            tasks=(*intent.tasks, *tasks), ramp=ramp, bpm=ramp[0] if ramp else intent.bpm,
            everywhere=tuple(dict.fromkeys(self.presence.playing)), carriers=self.carriers, most_tracks=self.tracks,
        )


def said_apart(
    tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, readings: Mapping[str, SlotReading], *,
    staged: Callable[[], bool],
) -> SaidApart:
    """What casefolded tokens say of a new piece besides style, band and form; `spoken` are the same tokens as written.
    If the piece is described in stages (`staged()`), the stages say who plays the melody."""
    rules, ruling = note_rules_of(tokens, spoken, lexicon)
    presence = presence_in(tokens, lexicon, readings)
    ramp = ramp_in(tokens, lexicon)
    carriers, carrying = carriers_in(tokens, lexicon)
    if carriers and staged():
        carriers, carrying = (), frozenset()
    tunes = known_tunes_in(tokens, lexicon)
    tracks, counting = most_tracks(tokens, lexicon)
    ramped = ramp.tokens if ramp is not None else frozenset[int]()
    named = frozenset(at for tune in tunes for at in tune)
    said = ruling | presence.tokens | ramped | carrying | counting
    passed = ruling | presence.passed | ramped | carrying | counting | named
    return SaidApart(rules, presence, ramp, carriers, tuple(tunes), tracks, said - named, passed)
