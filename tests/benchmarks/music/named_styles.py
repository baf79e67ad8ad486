"""Requests that name a kind of music with a tradition of its own: one for each of these styles."""

from __future__ import annotations

from tests.benchmarks.music.checks import BarCount, Bpm, Has, InKey, InMeter, InStyle, Lacks, NewPiece

_NO_DRUMS = Lacks(("drums", "percussion"))
_BEAT = Has(("drums", "percussion"))

NAMED_STYLES: tuple[NewPiece, ...] = (
    NewPiece("a 12 bar blues in E, 36 bars", (InStyle("blues"), InKey("E", "major"), BarCount(36), _BEAT)),
    NewPiece("a gospel song in F major", (InStyle("gospel"), InKey("F", "major"), Has(("organ",)))),
    NewPiece("disco at 118 bpm in A minor", (InStyle("disco"), Bpm(118), InKey("A", "minor"), _BEAT)),
    NewPiece("afrobeats in G minor, 32 bars", (InStyle("afrobeats"), InKey("G", "minor"), BarCount(32))),
    NewPiece("a cumbia with accordion", (InStyle("cumbia"), Has((), ("organ_accordion",)))),
    NewPiece("salsa in A minor, 48 bars", (InStyle("salsa"), InKey("A", "minor"), BarCount(48), _BEAT)),
    NewPiece("reggaeton at 94 bpm", (InStyle("reggaeton"), Bpm(94), _BEAT)),
    NewPiece("a tango in D minor", (InStyle("tango"), InKey("D", "minor"), _NO_DRUMS)),
    NewPiece("a country song in G major with a fiddle", (InStyle("country"), Has((), ("strings_fiddle",)))),
    NewPiece("bluegrass in G major", (InStyle("bluegrass"), Has((), ("pluck_banjo",)), _NO_DRUMS)),
    NewPiece("an irish jig in D major", (InStyle("jig_and_reel"), InKey("D", "major"), InMeter(6, 8))),
    NewPiece("a drill beat at 142 bpm in F minor", (InStyle("drill"), Bpm(142), InKey("F", "minor"), _BEAT)),
    NewPiece("trip hop in D minor, 40 bars", (InStyle("trip_hop"), InKey("D", "minor"), BarCount(40))),
    NewPiece("heavy metal in E minor at 150 bpm", (InStyle("metal"), Bpm(150), Has(("guitar",)), _BEAT)),
    NewPiece("a march in B flat major", (InStyle("march"), InKey("Bb", "major"), InMeter(2, 4), Has(("brass",)))),
    NewPiece("a two-part invention in D minor", (InStyle("baroque"), InKey("D", "minor"), _NO_DRUMS)),
    NewPiece("a chorale in G major, 16 bars", (InStyle("chorale"), BarCount(16), Has(("choir",)), _NO_DRUMS)),
    NewPiece("a string quartet movement in C minor", (InStyle("chamber_quartet"), Has(("strings",)), _NO_DRUMS)),
    NewPiece("a children's song in C major", (InStyle("childrens_song"), InKey("C", "major"))),
    NewPiece("a folk song in D major with a harmonica", (InStyle("folk"), InKey("D", "major"))),
    NewPiece("gamelan music, 32 bars", (InStyle("gamelan"), BarCount(32))),
)
