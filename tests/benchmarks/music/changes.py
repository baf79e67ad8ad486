"""The requests for changes of the sample songs: every transformation, scope, condition, amount, lock and "keep"."""

from __future__ import annotations

from tests.benchmarks.music.checks import (
    BarCount,
    Bpm,
    Change,
    Doubled,
    Grows,
    Has,
    InKey,
    InMode,
    KeepsNotes,
    Kept,
    Lacks,
    Lasts,
    Locked,
    Milder,
    Moves,
    PlayedBy,
    Reaches,
    RootsChange,
    Same,
    Shifts,
    Shrinks,
    SoundsOnlyIn,
    StyleHeard,
    Untouched,
    Varies,
)
from tests.benchmarks.music.excerpts import Span

BARS_OF_BAND = 40
VERSE_1, CHORUS_1, VERSE_2, CHORUS_2 = (5, 12), (13, 20), (21, 28), (29, 36)
"""Where the sections of the sample song "band" lie; its intro is 1-4, its outro 37-40."""
_VERSES: tuple[Span, ...] = (VERSE_1, VERSE_2)
_CHORUSES: tuple[Span, ...] = (CHORUS_1, CHORUS_2)

_AMBIENT = (
    Moves("onsets_per_bar", "at_most", 0.6), Moves("mean_note_beats", "at_least", 2.0),
    Moves("hits_per_bar", "at_most", 0.3), Reaches("pad_share", 0.7), Reaches("wet_share", 0.6),
)
_DRUMS = Has(("drums", "percussion"))

_MOODS = (
    Change("loop", "Recompose this sequence to be more ambient and atmospheric", _AMBIENT),
    Change(
        "band", "a bit more ambient",
        (Moves("onsets_per_bar", "lower"), Milder("more ambient", "onsets_per_bar")),
    ),
    Change("house", "darker", (Moves("brightness", "lower"),)),
    Change("band", "30 % darker", (Moves("brightness", "lower"), Milder("darker", "brightness"))),
    Change("pop", "make it brighter", (Moves("brightness", "higher"),)),
    Change("rock", "calmer", (Moves("energy", "lower"),)),
    Change("jazz", "more energetic", (Moves("energy", "higher"),)),
    Change("band", "sadder", (Moves("valence", "lower"),)),
    Change("folk", "happier", (Moves("valence", "higher"),)),
    Change("loop", "groovier", (Moves("groove", "higher"),)),
)
_KEYS = (
    Change("house", "transpose it up 3 semitones", (InKey("C", "minor"), Same("notes"))),
    Change("loop", "in A major instead of minor", (InKey("A", "major"), Same("tempo"))),
    Change("band", "put it in B minor", (InKey("B", "minor"), Same("bars"))),
    Change("chorale", "make it dorian", (InMode(("dorian",)), Same("tempo"))),
    Change(
        "pop", "reharmonise it, keep the melody", (RootsChange(0.25), KeepsNotes(("Lead",)), Same("bars")), roots=False,
    ),
    Change(
        "band", "new chords in the chorus only", (RootsChange(0.25, _CHORUSES),), scope=_CHORUSES, roots=False,
    ),
)
_STYLES = (
    Change("pop", "turn it into reggae", (StyleHeard("reggae"),)),
    Change("rock", "make it a bossa nova, keep the melody and the chords", (StyleHeard("bossa_nova"),)),
    Change("folk", "as synthwave with drums, at 100 bpm", (StyleHeard("synthwave"), Bpm(100), _DRUMS)),
    Change("loop", "a jazz version at the same tempo", (StyleHeard("jazz", any_tempo=True), Same("tempo"))),
)
_DRUM_TIMES = (
    Change("band", "half-time drums", (Moves("backbeats_per_bar", "at_most", 0.65), Same("tempo"), Kept(("Lead",)))),
    Change(
        "loop", "double-time drums in bars 5-8",
        (Moves("backbeats_per_bar", "at_least", 1.5, ((5, 8),)), Kept(("Lead", "Bass", "Chords"))), scope=((5, 8),),
    ),
)
_ROLES = (
    Change("band", "add a choir in the chorus", (SoundsOnlyIn(("choir",), _CHORUSES),), scope=_CHORUSES),
    Change(
        "loop", "remove the drums",
        (Lacks(("drums", "percussion")), Kept(("Bass", "Chords", "Lead"))),
    ),
    Change("pop", "replace the piano with an organ", (PlayedBy("Piano", "organ"), Lacks(("piano",)))),
    Change("band", "double the lead an octave higher", (Doubled("Lead"), KeepsNotes())),
    Change(
        "rock", "add a counter-melody for strings",
        (Has(("strings",)), Moves("notes:strings", "higher"), KeepsNotes()),
    ),
    Change(
        "band", "no bass in the second verse",
        (Moves("notes:bass", "at_most", 0.0, (VERSE_2,)), Kept(("Drums", "Lead"))), scope=(VERSE_2,),
    ),
)
_FORMS = (
    Change("band", "vary the second verse", (Varies((VERSE_2,)),), scope=(VERSE_2,)),
    Change("loop", "add a 4-bar intro", (Grows(1, 4),)),
    Change("band", "put a break of 4 bars before the last chorus", (Grows(29, 4, thin=True),)),
    Change("pop", "add an outro", (Grows(0),)),
    Change("loop", "make it twice as long", (BarCount(16),)),
    Change("band", "shorten it to 24 bars", (BarCount(24),)),
    Change("house", "make it 3 minutes long", (Lasts(180), Same("tempo"))),
    Change("band", "cut the intro", (Shrinks((1, 4)),)),
)
_NOTES = (
    Change(
        "chorale", "humanize it",
        (Moves("looseness", "higher"), Reaches("looseness", 1.0, 20.0), Same("notes"), Same("tempo")),
    ),
    Change(
        "loop", "simplify the melody",
        (Moves("attacks_per_bar:Lead", "lower"), Kept(("Drums", "Bass", "Chords"))),
    ),
    Change("folk", "thicken the chords", (Moves("notes_per_attack", "higher"), Same("tempo"))),
    Change(
        "band", "simpler drums in bars 13-20", (Moves("hits_per_bar", "lower", 1.0, ((13, 20),)),), scope=((13, 20),),
    ),
)
_TEMPOS = (
    Change("loop", "140 bpm", (Bpm(140), Same("bars"), KeepsNotes())),
    Change("band", "130 bpm, but keep the length", (Bpm(130), Same("seconds", 0.05))),
    Change("rock", "a bit slower", (Moves("tempo", "lower"), Same("tempo", 0.15), Same("bars"), KeepsNotes())),
)
_MIXES = (
    Change(
        "pop", "make the bass louder and the piano 3 dB quieter",
        (Moves("level:Bass", "higher"), Shifts("level:Piano", -3.0), KeepsNotes()),
    ),
    Change(
        "band", "pan the piano to the left and give the lead more reverb",
        (Moves("pan:Piano", "lower"), Moves("reverb:Lead", "higher"), KeepsNotes(), Kept(("Drums", "Bass"))),
    ),
    Change("house", "a wider mix", (Moves("width", "higher"), KeepsNotes())),
)
_JOINED = (
    Change("band", "make only the chorus darker", (Moves("brightness", "lower", 1.0, _CHORUSES),), scope=_CHORUSES),
    Change("band", "bars 9-16 more energetic", (Moves("energy", "higher", 1.0, ((9, 16),)),), scope=((9, 16),)),
    Change(
        "band", "calmer verses, a choir in the chorus, and repeat the last chorus",
        (
            Moves("energy", "lower", 1.0, _VERSES), SoundsOnlyIn(("choir",), (CHORUS_1, (29, 44))),
            BarCount(BARS_OF_BAND + 8),
        ),
    ),
    Change(
        "band", "if there is no bass, add one; and make it calmer",
        (Moves("energy", "lower"), Same("tracks:bass"), Has(("bass",))),
    ),
    Change("folk", "if there are no drums, add some soft ones", (_DRUMS, KeepsNotes())),
    Change(
        "loop", "more ambient", (Locked("bars:5-8"), Moves("onsets_per_bar", "lower", 1.0, ((1, 4),))),
        locks=("bars:5-8",),
    ),
)
_KEEPING = (
    Change("house", "turn it into techno", (Locked("Bass"), Kept(("Bass",)), StyleHeard("techno")), locks=("Bass",)),
    Change(
        "pop", "darker, but keep the drums and the lead",
        (Kept(("Drums", "Lead")), Moves("brightness", "lower")),
    ),
    Change(
        "band", "calmer everywhere except in the chorus",
        (Moves("energy", "lower", 1.0, ((1, 12), (21, 28), (37, 40))), Untouched(_CHORUSES)),
    ),
)

CHANGES: tuple[Change, ...] = (
    *_MOODS, *_KEYS, *_STYLES, *_DRUM_TIMES, *_ROLES, *_FORMS, *_NOTES, *_TEMPOS, *_MIXES, *_JOINED, *_KEEPING,
)
