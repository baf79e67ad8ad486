"""The words of limits on the notes of a new piece, as values."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Beats = Annotated[float, Meta(ge=0.125, le=8)]


class NoteWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that limit which notes a new piece may have, and that say how it ends.

    Durations: `values` maps note values to quarter notes; `quicker` ("faster than") before one forbids shorter ones,
    `only` allows no other, `using` ("made of") names it; `dotted` means other values, `rests` pauses of that value,
    `last` the final note.

    Pitches: `over` and `under` before a pitch forbid what lies beyond it after a word of `refusing` (with `modal` words
    between), `within_over` and `within_under` by themselves, and after `staying` they forbid the other side; `rising`
    ("up to") between two pitches makes a range; `top` before a letter means the highest such note on the staff. Letters
    are the only notes allowed if called notes (`notes_before`, `notes_behind`) with `limiting` before,
    `limiting_behind` right after, or `these_alone` anywhere after. `voices` are those of a mixed choir.

    Chords: `chords` lead to symbols, as does a symbol before `called`; `each` follows the bars of one, `around` repeats
    them, `once` does not, `one_chord` leads to a single one; `static` allows no change of harmony, `power` only chords
    without a third.

    Ending: a `major_chord` near a `final` word is the last chord; so is a word of `chord_nouns` near `final_chord`,
    described by `chord_traits` (`chord_plain` say nothing) or right after `ending_so`; `ends_on` leads to its name,
    `at_end` names several chords; after `ends_together` a letter alone is a chord.

    Players: `stabbing` before one makes his chords short, `few` with `few_notes` say that he plays little, a player
    after `sparing` is exempt from a limit; `sparse` and `stabs` follow a player; `waves` swell and fade throughout.
    Each other field holds phrases that say by themselves what its name says.
    """

    values: dict[str, Beats]
    refusing: Phrases
    modal: Phrases
    staying: Phrases
    over: Phrases
    under: Phrases
    within_over: Phrases
    within_under: Phrases
    between: Phrases
    to: Phrases
    quicker: Phrases
    only: Phrases
    using: Phrases
    dotted: Phrases
    rests: Phrases
    last: Phrases
    high: Phrases
    low: Phrases
    stave: Phrases
    right_hand: Phrases
    left_hand: Phrases
    single: Phrases
    white: Phrases
    diatonic: Phrases
    octave: Phrases
    five_fingers: Phrases
    easy: Phrases
    easiest: Phrases
    loops: Phrases
    abrupt: Phrases
    bare_fifth: Phrases
    big_chord: Phrases
    on_tonic: Phrases
    steady: Phrases
    major_chord: Phrases = ()
    final: Phrases = ()
    chords: Phrases = ()
    progressions: dict[str, Phrases] = {}
    progressions_in_minor: dict[str, str] = {}
    each: Phrases = ()
    around: Phrases = ()
    one_chord: Phrases = ()
    once: Phrases = ()
    top: Phrases = ()
    static: Phrases = ()
    power: Phrases = ()
    called: Phrases = ()
    notes_before: Phrases = ()
    notes_behind: Phrases = ()
    limiting: Phrases = ()
    limiting_behind: Phrases = ()
    these_alone: Phrases = ()
    both_hands: Phrases = ()
    sparse: Phrases = ()
    stabs: Phrases = ()
    waves: Phrases = ()
    chord_nouns: Phrases = ()
    final_chord: Phrases = ()
    chord_traits: dict[str, Phrases] = {}
    chord_plain: Phrases = ()
    ending_so: Phrases = ()
    voices: dict[str, Phrases] = {}
    ends_on: Phrases = ()
    at_end: Phrases = ()
    rising: Phrases = ()
    ends_together: Phrases = ()
    few: Phrases = ()
    stabbing: Phrases = ()
    few_notes: Phrases = ()
    sparing: Phrases = ()
