"""The requests for new pieces: every style at least once, and every word that binds."""

from __future__ import annotations

from tests.benchmarks.music.checks import (
    BarCount,
    Blend,
    Bpm,
    Has,
    InKey,
    InMeter,
    InMode,
    InStyle,
    Lacks,
    Lasts,
    NewPiece,
    OnlyPlays,
    SectionRow,
    Than,
    Titled,
)
from tests.benchmarks.music.named_styles import NAMED_STYLES

_MINORS = InMode(("minor", "dorian", "phrygian", "harmonic_minor", "melodic_minor", "locrian"))
_MAJORS = InMode(("major", "lydian", "mixolydian"))
_NO_DRUMS = Lacks(("drums", "percussion"))
_BEAT = Has(("drums", "percussion"))

NEW_PIECES: tuple[NewPiece, ...] = (
    NewPiece("an ambient piece in D lydian, no drums", (InStyle("ambient"), InKey("D", "lydian"), _NO_DRUMS), True),
    NewPiece("a drone in C minor, about 2 minutes", (InStyle("drone"), InKey("C", "minor"), Lasts(120))),
    NewPiece(
        "a lofi beat at 82 bpm in D minor, 24 bars",
        (InStyle("lofi"), Bpm(82), InKey("D", "minor"), BarCount(24), _BEAT), True,
    ),
    NewPiece(
        "a house track at 124 bpm in F minor, 32 bars",
        (InStyle("house"), Bpm(124), InKey("F", "minor"), BarCount(32), _BEAT), True,
    ),
    NewPiece(
        "deep house in G minor with electric piano, 48 bars",
        (InStyle("deep_house"), InKey("G", "minor"), Has(("keys",)), BarCount(48)),
    ),
    NewPiece(
        "techno at 135 bpm, only drums and bass, 32 bars",
        (
            InStyle("techno"), Bpm(135), BarCount(32),
            OnlyPlays(("drums", "percussion", "bass"), ("drums", "bass")),
        ),
        True,
    ),
    NewPiece(
        "uplifting trance in A minor at 138 bpm, 64 bars",
        (InStyle("trance"), InKey("A", "minor"), Bpm(138), BarCount(64)), True,
    ),
    NewPiece(
        "a dark trap beat at 140 bpm in C# minor with 808 bass and bells",
        (InStyle("trap"), Bpm(140), InKey("C#", "minor"), Has(("bass",)), Has(("keys",)), _BEAT), True,
    ),
    NewPiece(
        "boom bap at 90 bpm with a muted trumpet, no guitar",
        (InStyle("boom_bap"), Bpm(90), Has((), ("brass_muted_trumpet",)), Lacks(("guitar",)), _BEAT), True,
    ),
    NewPiece(
        "drum and bass at 174 bpm in E minor, 64 bars",
        (InStyle("drum_and_bass"), Bpm(174), InKey("E", "minor"), BarCount(64), _BEAT), True,
    ),
    NewPiece(
        "dubstep in F minor at 140 bpm, 40 bars",
        (InStyle("dubstep"), InKey("F", "minor"), Bpm(140), BarCount(40)),
    ),
    NewPiece(
        "80s synthwave in A minor, 100 bpm, with an arpeggio",
        (InStyle("synthwave"), InKey("A", "minor"), Bpm(100)),
    ),
    NewPiece(
        "a rock song in E minor at 132 bpm with organ",
        (InStyle("rock"), InKey("E", "minor"), Bpm(132), Has(("organ",)), Has(("guitar",))), True,
    ),
    NewPiece(
        "an indie song in G major, no synths",
        (InStyle("indie"), InKey("G", "major"), Lacks(("lead", "pad"))), True,
    ),
    NewPiece(
        "a happy pop song in C major at 108 bpm, one minute",
        (InStyle("pop"), InKey("C", "major"), Bpm(108), Lasts(60)), True,
    ),
    NewPiece(
        "a pop ballad in Eb major, 3 minutes, only piano and strings",
        (
            InStyle("pop_ballad"), InKey("Eb", "major"), Lasts(180),
            OnlyPlays(("piano", "strings"), ("piano", "strings")),
        ),
        True,
    ),
    NewPiece(
        "a jazz trio in F major at 120 bpm with vibraphone",
        (InStyle("jazz"), InKey("F", "major"), Bpm(120), Has((), ("keys_vibraphone",))), True,
    ),
    NewPiece(
        "big band swing in Bb major at 160 bpm with brass",
        (InStyle("swing"), InKey("Bb", "major"), Bpm(160), Has(("brass",))), True,
    ),
    NewPiece(
        "bossa nova in A minor with nylon guitar and flute, no drums",
        (
            InStyle("bossa_nova"), InKey("A", "minor"), Has((), ("guitar_nylon",)),
            Has((), ("woodwind_flute", "woodwind_pan_flute", "woodwind_piccolo")), _NO_DRUMS,
        ),
        True,
    ),
    NewPiece(
        "a funk groove in E dorian at 104 bpm, 16 bars",
        (InStyle("funk"), InKey("E", "dorian"), Bpm(104), BarCount(16), _BEAT), True,
    ),
    NewPiece(
        "a soul song in Ab major with organ and brass",
        (InStyle("soul"), InKey("Ab", "major"), Has(("organ",)), Has(("brass",))),
    ),
    NewPiece(
        "reggae in D minor at 74 bpm, 32 bars",
        (InStyle("reggae"), InKey("D", "minor"), Bpm(74), BarCount(32)), True,
    ),
    NewPiece(
        "a cinematic piece for strings and brass in D minor, 90 seconds",
        (InStyle("cinematic"), InKey("D", "minor"), Has(("strings",)), Has(("brass",)), Lasts(90)), True,
    ),
    NewPiece(
        "a neoclassical piece, only piano, in B minor at 76 bpm",
        (InStyle("neoclassical"), OnlyPlays(("piano",)), InKey("B", "minor"), Bpm(76)), True,
    ),
    NewPiece(
        "chiptune in C major at 150 bpm, 24 bars",
        (InStyle("chiptune"), InKey("C", "major"), Bpm(150), BarCount(24)), True,
    ),
    NewPiece(
        "a waltz in D major for solo piano, 64 bars",
        (InMeter(3, 4), InKey("D", "major"), OnlyPlays(("piano",)), BarCount(64)), True,
    ),
    NewPiece(
        "a lullaby with a music box, without bass, 20 bars",
        (InStyle("lullaby"), Has((), ("keys_music_box",)), Lacks(("bass",)), BarCount(20)),
    ),
    NewPiece(
        "a techno track in 7/8 at 132 bpm", (InStyle("techno"), InMeter(7, 8), Bpm(132)), True,
    ),
    NewPiece(
        "a pop song in 6/8 in G mixolydian", (InStyle("pop"), InMeter(6, 8), InKey("G", "mixolydian")),
    ),
    NewPiece(
        "a jazz piece in 5/4 at 140 bpm, 30 bars",
        (InStyle("jazz"), InMeter(5, 4), Bpm(140), BarCount(30)),
    ),
    NewPiece(
        "a pop song with intro, verse, chorus, verse, chorus, bridge, chorus and outro",
        (
            InStyle("pop"),
            SectionRow(("intro", "verse", "chorus", "verse", "chorus", "bridge", "chorus", "outro")),
        ),
    ),
    NewPiece(
        "a house track: intro 8 bars, build 8 bars, drop 16 bars, outro 8 bars",
        (InStyle("house"), SectionRow(("intro", "build", "drop", "outro"), (8, 8, 16, 8)), BarCount(40)),
    ),
    NewPiece("a blend of lofi and bossa nova at 84 bpm", (Blend(("lofi", "bossa_nova")), Bpm(84))),
    NewPiece(
        "half cinematic, half trap, in C minor at 140 bpm",
        (Blend(("cinematic", "trap")), InKey("C", "minor"), Bpm(140)),
    ),
    NewPiece("funk meets synthwave, 32 bars", (Blend(("funk", "synthwave")), BarCount(32))),
    NewPiece(
        'a calm piano piece called "Winter Light" in F major',
        (Titled("Winter Light"), InKey("F", "major"), Has(("piano",))), True,
    ),
    NewPiece(
        'write a synthwave song named "Night Bus", 2 minutes 30 seconds',
        (InStyle("synthwave"), Titled("Night Bus"), Lasts(150)),
    ),
    NewPiece("something sad for cello and piano", (_MINORS, Has(("piano",)), Has((), ("strings_cello",)))),
    NewPiece(
        "a joyful dance tune in 2/4 at 120 bpm with accordion",
        (_MAJORS, InMeter(2, 4), Bpm(120), Has((), ("organ_accordion",))),
    ),
    NewPiece(
        "dark, slow industrial techno at 128 bpm without pads",
        (InStyle("techno", any_tempo=True), _MINORS, Bpm(128), Lacks(("pad",))),
    ),
    NewPiece(
        "an energetic rock instrumental without guitar",
        (InStyle("rock"), Lacks(("guitar",)), Than("a calm rock instrumental without guitar", "energy", "higher")),
    ),
    NewPiece("80 bpm, C major, 12 bars", (Bpm(80), InKey("C", "major"), BarCount(12)), True),
    NewPiece(
        "make me a beat without bass or melody, 95 bpm, 8 bars",
        (Bpm(95), BarCount(8), Lacks(("bass", "lead", "woodwind")), _BEAT),
    ),
    NewPiece(
        "a slow blues in 12/8 at 60 bpm in A minor, 12 bars",
        (InStyle("blues", any_tempo=True), Bpm(60), InMeter(12, 8), InKey("A", "minor"), BarCount(12)),
    ),
    NewPiece(
        "just drums, 16 bars of breakbeat at 170 bpm",
        (Bpm(170), BarCount(16), OnlyPlays(("drums", "percussion"))), True,
    ),
    *NAMED_STYLES,
)
