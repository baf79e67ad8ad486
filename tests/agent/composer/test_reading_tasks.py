"""What requests ask to be done: every task with its place, measure and condition, as it is spelled here."""

from __future__ import annotations

import pytest
from msgspec import Struct, structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Scope, Task
from agent.song.song import Song
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def lexicon(bench) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, Song())


def spelled(task: Task) -> str:
    """All that a task says: operation(fields that are said) @places -excluded x amount ?condition."""
    said = short(task.operation) + where(task.scope)
    if task.amount != 1:
        said += f" x{task.amount:g}"
    if task.condition is not None:
        said += f" ?{'with' if task.condition.present else 'without'} {task.condition.wish.label}"
    return said


def where(scope: Scope) -> str:
    places = "".join(f" @{short(place)}" for place in scope.places)
    return places + "".join(f" -{short(place)}" for place in scope.excluded)


def short(value: object) -> str:
    """A value by its fields that differ from their defaults; moods and wishes by their names."""
    if isinstance(value, tuple):
        return "+".join(short(one) for one in value)
    if not isinstance(value, Struct):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if hasattr(value, "label") or hasattr(value, "words"):
        return str(getattr(value, "label", "") or getattr(value, "name", ""))
    fields = [
        field.name + "=" + short(getattr(value, field.name))
        for field in structs.fields(value)
        if field.required or getattr(value, field.name) != field.default
    ]
    return f"{type(value).__name__}({', '.join(fields)})"


def tasks_of(text: str, lexicon: Lexicon) -> list[str]:
    return [spelled(task) for task in read(text, lexicon, has_music=True).tasks]


TABLE = [
    (
        "make the chorus brighter, add strings in bars 9-16 and remove the drums from the intro",
        [
            "Colour(mood=brighter) @Named(name=chorus)",
            "Add(wish=strings) @Bars(first=9, last=16)",
            "Remove(wish=drums) @Named(name=intro)",
        ],
    ),
    ("darker, but keep the bass; slow it down a bit", ["Colour(mood=darker)", "Retempo(factor=0.85) x0.5"]),
    ("without drums, bass or piano", ["Remove(wish=drums)", "Remove(wish=bass)", "Remove(wish=piano)"]),
    ("make the drums and bass louder", ["Mix(control=level, by=1, wish=drums)", "Mix(control=level, by=1, wish=bass)"]),
    ("if there is no bass, add one", ["Add(wish=bass) ?without bass"]),
    ("add a bass if there isn't one", ["Add(wish=bass) ?without bass"]),
    ("unless it already has strings, add strings", ["Add(wish=strings) ?without strings"]),
    ("if it has drums, remove them", ["Remove(wish=drums) ?with drums"]),
    ("pan the bass hard left", ["Mix(control=pan, by=-1, wish=bass, at=-1)"]),
    ("pan the bass 30 % right", ["Mix(control=pan, by=1, wish=bass, at=0.3) x0.3"]),
    ("pan the bass 30L", ["Mix(control=pan, by=-1, wish=bass, at=-0.3)"]),
    ("pan the bass to 10 o'clock", ["Mix(control=pan, by=-1, wish=bass, at=-0.4)"]),
    ("put the bass all the way to the right", ["Mix(control=pan, by=1, wish=bass, at=1) x1.5"]),
    ("+4 dB on the bass", ["Mix(control=level, by=1, wish=bass, decibels=4)"]),
    ("take 3 dB off the bass", ["Mix(control=level, by=-1, wish=bass, decibels=-3)"]),
    ("set the drums to -6 dB", ["Mix(control=level, by=-1, wish=drums, at=-6)"]),
    ("the bass should be at −3 dB in the chorus", ["Mix(control=level, by=-1, wish=bass, at=-3) @Named(name=chorus)"]),
    ("twice as wide", ["Mix(control=width, by=1) x1.5"]),
    ("10 bpm faster", ["Retempo(bpm=130)"]),
    ("20 % slower", ["Retempo(factor=0.8)"]),
    ("half-time feel", ["Beat(feel=half)"]),
    ("half the tempo", ["Retempo(factor=0.5)"]),
    ("twice as fast but keep the length", ["Retempo(factor=2, keep_length=True)"]),
    ("up an octave", ["Transpose(semitones=12)"]),
    ("transpose up 3", ["Transpose(semitones=3)"]),
    ("in the relative minor", ["Rekey(tonic=A, mode=minor)"]),
    ("make it minor", ["Rekey(mode=minor)"]),
    ("in 3/4", ["Remeter(beats=3, unit=4)"]),
    ("make it a waltz", ["Remeter(beats=3, unit=4)"]),
    ("as a bossa nova", ["Restyle(style=bossa_nova)"]),
    ("turn it into lofi jazz", ["Restyle(style=jazz, others=lofi)"]),
    ("a mix of house and soul", ["Restyle(style=house, others=soul)"]),
    ("half techno half ambient", ["Restyle(style=techno, others=ambient)"]),
    ("only the chorus, make it darker", ["Colour(mood=darker) @Named(name=chorus)"]),
    ("darker in the second verse", ["Colour(mood=darker) @Named(name=verse, number=2)"]),
    ("make the last chorus more energetic", ["Colour(mood=more energetic) @Named(name=chorus, number=-1)"]),
    ("brighter in bars 9 to 16", ["Colour(mood=brighter) @Bars(first=9, last=16)"]),
    ("from bar 9 to 16 add strings", ["Add(wish=strings) @Bars(first=9, last=16)"]),
    ("no drums in bar 5", ["Remove(wish=drums) @Bars(first=5, last=5)"]),
    ("add a flute in measures 1-4", ["Add(wish=flute) @Bars(first=1, last=4)"]),
    ("remove the bass in the first 8 bars", ["Remove(wish=bass) @Edge(at=start, bars=8)"]),
    ("louder in the last four bars", ["Mix(control=level, by=1) @Edge(at=end, bars=4)"]),
    ("darker everywhere except the bridge", ["Colour(mood=darker) -Named(name=bridge)"]),
    ("make everything but the bridge darker", ["Colour(mood=darker) -Named(name=bridge)"]),
    ("add drums, but not in the intro", ["Add(wish=drums) -Named(name=intro)"]),
    ("add drums after bar 16", ["Add(wish=drums) @Bars(first=17, last=17)"]),
    ("remove the piano before bar 9", ["Remove(wish=piano) @Bars(first=1, last=8)"]),
    ("from bar 17 on add strings", ["Add(wish=strings) @Bars(first=17, last=17)"]),
    ("replace the piano with strings", ["Replace(wish=piano, by=strings)"]),
    ("swap the bass for a synth bass", ["Replace(wish=bass, by=synth bass)"]),
    ("use a cello instead of the lead", ["Replace(wish=melody, by=cello)"]),
    ("change the piano to a harp", ["Replace(wish=piano, by=harp)"]),
    ("mute the drums", ["Remove(wish=drums)"]),
    ("a variation of the chorus", ["Reshape(how=vary) @Named(name=chorus)"]),
    ("vary the second verse", ["Reshape(how=vary) @Named(name=verse, number=2)"]),
    ("add a 4 bar intro", ["NewSection(kind=intro, bars=4)"]),
    ("give it an ending", ["NewSection(kind=outro)"]),
    ("add a break before the last chorus", ["NewSection(kind=break) @Named(name=chorus, number=-1)"]),
    ("drop after bar 16", ["NewSection(kind=build) @Bars(first=17, last=17)"]),
    ("add a build-up before the drop", ["NewSection(kind=build) @Named(name=drop)"]),
    ("make it longer", ["Resize(factor=1.5)"]),
    ("twice as long", ["Resize(factor=2)"]),
    ("make it 64 bars", ["Resize(bars=64)"]),
    ("extend to 3 minutes", ["Resize(seconds=180)"]),
    ("cut it to 30 seconds", ["Resize(seconds=30)"]),
    ("shorten it by 8 bars", ["Resize(bars=1, by=-8)"]),
    ("cut the bridge", ["Cut() @Named(name=bridge)"]),
    ("remove the intro", ["Cut() @Named(name=intro)"]),
    ("repeat the chorus", ["Repeat() @Named(name=chorus)"]),
    ("play the verse twice", ["Repeat() @Named(name=verse)"]),
    ("more human", ["Reshape(how=humanize)"]),
    ("less robotic", ["Reshape(how=humanize)"]),
    ("tighten the drums", ["Reshape(how=quantize, wish=drums)"]),
    ("quantize everything", ["Reshape(how=quantize)"]),
    ("simpler melody", ["Reshape(how=simplify, wish=melody)"]),
    ("less busy", ["Reshape(how=simplify)"]),
    ("fuller", ["Reshape(how=thicken)"]),
    ("thicker pads", ["Reshape(how=thicken, wish=pad)"]),
    ("bigger chords", ["Reshape(how=thicken, wish=chords)"]),
    ("richer", ["Reshape(how=thicken)"]),
    ("drums louder", ["Mix(control=level, by=1, wish=drums)"]),
    ("turn the bass down 3 dB", ["Mix(control=level, by=-1, wish=bass, decibels=-3)"]),
    ("bass -2 dB", ["Mix(control=level, by=-1, wish=bass, decibels=-2)"]),
    ("more reverb on the piano", ["Mix(control=reverb, by=1, wish=piano)"]),
    ("less reverb", ["Mix(control=reverb, by=-1)"]),
    ("drier", ["Mix(control=reverb, by=-1)"]),
    ("wider", ["Mix(control=width, by=1)"]),
    ("pan the guitar left", ["Mix(control=pan, by=-1, wish=guitar)"]),
    ("brighter hi-hats", ["Mix(control=tone, by=1, wish=hi-hats)"]),
    ("punchier drums", ["Mix(control=punch, by=1, wish=drums)"]),
    ("more distortion", ["Mix(control=drive, by=1)"]),
    ("warmer", ["Mix(control=tone, by=-1)"]),
    ("louder overall", ["Mix(control=level, by=1)"]),
    ("quieter pads", ["Mix(control=level, by=-1, wish=pad)"]),
    ("keep my melody, make it darker", ["Colour(mood=darker)"]),
    ("leave the drums alone, add strings", ["Add(wish=strings)"]),
    ("don't touch bars 1-8, make it darker", ["Colour(mood=darker) -Bars(first=1, last=8)"]),
    ("softer", ["Colour(mood=calmer)"]),
    ("quieter", ["Mix(control=level, by=-1)"]),
    (
        "more reverb on the piano and less on the drums",
        ["Mix(control=reverb, by=1, wish=piano)", "Mix(control=reverb, by=-1, wish=drums)"],
    ),
    (
        "less echo on the lead, a bit more on the pads",
        ["Mix(control=echo, by=-1, wish=melody)", "Mix(control=echo, by=1, wish=pad) x0.5"],
    ),
    (
        "simplify the bass and the same for the drums",
        ["Reshape(how=simplify, wish=bass)", "Reshape(how=simplify, wish=drums)"],
    ),
    ("drumms louder", ["Mix(control=level, by=1, wish=drums)"]),
    ("better chords progresion", ["Reharmonise()"]),
    ("make it fatser", ["Retempo(factor=1.18)"]),
    (
        "more energy in the chorus, less in the verse",
        ["Colour(mood=more energetic) @Named(name=chorus)", "Colour(mood=calmer) @Named(name=verse)"],
    ),
    (
        "make verse 2 darker and chorus 2 brighter",
        ["Colour(mood=darker) @Named(name=verse, number=2)", "Colour(mood=brighter) @Named(name=chorus, number=2)"],
    ),
    (
        "change the piano to rhodes and the bass to a synth bass",
        ["Replace(wish=piano, by=electric piano)", "Replace(wish=bass, by=synth bass)"],
    ),
    (
        "get rid of the pad in the intro and bring it back in the chorus",
        ["Remove(wish=pad) @Named(name=intro)", "Add(wish=pad) @Named(name=chorus)"],
    ),
    ("keep the drums out of the intro", ["Remove(wish=drums) @Named(name=intro)"]),
    ("add soft strings in the verse", [
        "Add(wish=strings) @Named(name=verse)", "Colour(mood=calmer, wish=strings) @Named(name=verse)",
    ]),
    ("if there are no drums, add some soft ones", [
        "Add(wish=drums) ?without drums", "Colour(mood=calmer, wish=drums) ?without drums",
    ]),
    ("take the drums out of the verse", ["Remove(wish=drums) @Named(name=verse)"]),
    ("use a cello for the melody", ["Replace(wish=melody, by=cello)"]),
    ("put the drums in the background", ["Mix(control=level, by=-1, wish=drums)"]),
    ("make it less boring", ["Reshape(how=vary)"]),
    ("make everything swing more", ["Swing()"]),
    ("tone down the highs", ["Mix(control=tone, by=-1)"]),
    ("more cowbell", ["Mix(control=level, by=1, wish=cowbell)"]),
    ("reharmonise it", ["Reharmonise()"]),
    ("new chords in the chorus only", ["Reharmonise() @Named(name=chorus)"]),
    ("write new chords", ["Reharmonise()"]),
    ("new ending", ["NewSection(kind=outro)"]),
    ("a new bass line", ["Add(wish=bass)"]),
    ("make a new guitar part", ["Add(wish=guitar)"]),
    ("add a counter-melody for strings", ["Add(wish=strings counter-melody)"]),
    ("a bass line on a synth bass", ["Add(wish=synth bass)"]),
    ("a melody for flute in the bridge", ["Add(wish=flute melody) @Named(name=bridge)"]),
    ("chords on the organ", ["Add(wish=organ chords)"]),
    ("add a pad played by strings", ["Add(wish=strings pad)"]),
    ("put the melody on the flute", ["Replace(wish=melody, by=flute)"]),
    (
        "calmer verses, a choir in the chorus, and repeat the last chorus",
        ["Colour(mood=calmer) @Named(name=verse)", "Add(wish=choir) @Named(name=chorus)",
         "Repeat() @Named(name=chorus, number=-1)"],
    ),
    ("a flute in bars 5-8 and darker", ["Add(wish=flute) @Bars(first=5, last=8)", "Colour(mood=darker)"]),
    (
        "brighter, strings and a choir in the bridge",
        ["Colour(mood=brighter)", "Add(wish=strings) @Named(name=bridge)", "Add(wish=choir) @Named(name=bridge)"],
    ),
    ("the drums only in the chorus", ["Remove(wish=drums) -Named(name=chorus)"]),
    ("add drums only in the chorus", ["Add(wish=drums) @Named(name=chorus)"]),
    ("other chords", ["Reharmonise()"]),
    ("more interesting chords", ["Reharmonise()"]),
    ("jazzier chords", ["Reharmonise()"]),
    ("half-time drums", ["Beat(feel=half)"]),
    ("halve the drums", ["Beat(feel=half)"]),
    ("double the drums", ["Beat(feel=double)"]),
    ("double the melody with a flute", ["Double(wish=melody, by=flute)"]),
    ("double the bass an octave up", ["Double(wish=bass, semitones=12)"]),
    ("slow it down a bit", ["Retempo(factor=0.85) x0.5"]),
    ("much darker", ["Colour(mood=darker) x1.5"]),
    ("50 % darker", ["Colour(mood=darker) x0.5"]),
    ("more ambient at 30 % intensity", ["Restyle(style=ambient) x0.3"]),
    ("half as loud", ["Mix(control=level, by=-1)"]),
    ("way more energetic", ["Colour(mood=more energetic) x1.5"]),
    ("slightly faster", ["Retempo(factor=1.18) x0.5"]),
    ("a lot brighter", ["Colour(mood=brighter) x1.5"]),
    ("funkier", ["Colour(mood=groovier)"]),
    ("more swing", ["Swing()"]),
    ("more groove", ["Colour(mood=groovier)"]),
    ("dreamier and calmer", ["Colour(mood=dreamier)", "Colour(mood=calmer)"]),
    ("make the drums more energetic", ["Colour(mood=more energetic, wish=drums)"]),
    ("change the key to D minor", ["Rekey(tonic=D, mode=minor)"]),
    ("transpose to F# minor", ["Rekey(tonic=F#, mode=minor)"]),
    ("down a fifth", ["Transpose(semitones=-7)"]),
    ("up two semitones", ["Transpose(semitones=2)"]),
    ("a whole tone higher", ["Transpose(semitones=2)"]),
    ("double-time feel", ["Beat(feel=double)"]),
    ("make it a jazz waltz", ["Remeter(beats=3, unit=4)", "Restyle(style=jazz)"]),
    ("turn it into techno", ["Restyle(style=techno)"]),
    ("like lofi", ["Restyle(style=lofi)"]),
    ("recompose this song to be more ambient and atmospheric", ["Restyle(style=ambient)"]),
    (
        "make it happier and a bit faster, then add a 8 bar outro",
        [
            "Colour(mood=happier)",
            "Retempo(factor=1.18) x0.5",
            "NewSection(kind=outro, bars=8)",
        ],
    ),
    ("darker, only in the chorus", ["Colour(mood=darker) @Named(name=chorus)"]),
    ("make the intro longer", ["Resize(factor=1.5) @Named(name=intro)"]),
    ("make the bridge 8 bars", ["Resize(bars=8) @Named(name=bridge)"]),
    ("in the intro and the outro, remove the drums", ["Remove(wish=drums) @Named(name=intro) @Named(name=outro)"]),
    ("add strings to the chorus and the bridge", ["Add(wish=strings) @Named(name=chorus) @Named(name=bridge)"]),
    ("remove drums in verse and chorus", ["Remove(wish=drums) @Named(name=verse) @Named(name=chorus)"]),
    (
        "make the chorus louder and the verse quieter",
        [
            "Mix(control=level, by=1) @Named(name=chorus)",
            "Mix(control=level, by=-1) @Named(name=verse)",
        ],
    ),
    ("chorus: brighter", ["Colour(mood=brighter) @Named(name=chorus)"]),
    ("verse 2 without drums", ["Remove(wish=drums) @Named(name=verse, number=2)"]),
    ("turn up the drums by 2 dB", ["Mix(control=level, by=1, wish=drums, decibels=2)"]),
    ("raise the tempo to 130", ["Retempo(bpm=130)"]),
    ("set the tempo to 96 bpm", ["Retempo(bpm=96)"]),
    ("speed up by 5 bpm", ["Retempo(bpm=125)"]),
    ("keep the tempo, make it sadder", ["Colour(mood=sadder)"]),
    ("just the drums louder", ["Mix(control=level, by=1, wish=drums)"]),
    ("only piano and strings", ["Solo(wishes=piano+strings)"]),
    ("only piano in the intro", ["Solo(wishes=piano) @Named(name=intro)"]),
    ("if there are drums, make them louder", ["Mix(control=level, by=1, wish=drums) ?with drums"]),
    ("add a counter-melody", ["Add(wish=counter-melody)"]),
    ("add percussion and fx", ["Add(wish=percussion)", "Add(wish=effects)"]),
    ("remove the hi-hats", ["Remove(wish=hi-hats)"]),
    ("add ad libs in the chorus", ["Add(wish=ad libs) @Named(name=chorus)"]),
    ("as a viennese waltz", ["Remeter(beats=3, unit=4)", "Restyle(style=waltz)"]),
    (
        "a bit darker and calmer, but not in the intro",
        [
            "Colour(mood=darker) -Named(name=intro) x0.5",
            "Colour(mood=calmer) -Named(name=intro) x0.5",
        ],
    ),
    (
        "in the chorus, make it louder and add brass",
        [
            "Mix(control=level, by=1) @Named(name=chorus)",
            "Add(wish=brass) @Named(name=chorus)",
        ],
    ),
    ("add a bass if there isn't one and make it darker", ["Add(wish=bass) ?without bass", "Colour(mood=darker)"]),
    ("if there is no bass, add one, and make it darker", ["Add(wish=bass) ?without bass", "Colour(mood=darker)"]),
    (
        "swap the piano for a rhodes in the second verse",
        [
            "Replace(wish=piano, by=electric piano) @Named(name=verse, number=2)",
        ],
    ),
    (
        "make the drums quieter by 2 dB, pan the guitar right and add a 4-bar outro",
        [
            "Mix(control=level, by=-1, wish=drums, decibels=-2)",
            "Mix(control=pan, by=1, wish=guitar)",
            "NewSection(kind=outro, bars=4)",
        ],
    ),
    ("change it to 6/8", ["Remeter(beats=6, unit=8)"]),
    ("give the chorus more energy", ["Colour(mood=more energetic) @Named(name=chorus)"]),
    (
        "make the verse calmer; the chorus louder",
        [
            "Colour(mood=calmer) @Named(name=verse)",
            "Mix(control=level, by=1) @Named(name=chorus)",
        ],
    ),
    ("add a build-up in front of the chorus", ["NewSection(kind=build) @Named(name=chorus)"]),
    ("reharmonise the second verse", ["Reharmonise() @Named(name=verse, number=2)"]),
    ("extend the outro by 4 bars", ["Resize(bars=5) @Named(name=outro)"]),
    ("make it happier, faster and add claps", ["Colour(mood=happier)", "Retempo(factor=1.18)", "Add(wish=claps)"]),
    ("transpose everything down 2 semitones", ["Transpose(semitones=-2)"]),
    ("move the bass an octave down", ["Transpose(semitones=-12, wish=bass)"]),
    ("turn it into a mix of lofi and jazz", ["Restyle(style=lofi, others=jazz)"]),
    ("remove everything but the piano", ["Solo(wishes=piano)"]),
    ("slow it down to 80 bpm", ["Retempo(bpm=80)"]),
    ("drums out in bars 1-8", ["Remove(wish=drums) @Bars(first=1, last=8)"]),
    ("no more drums", ["Remove(wish=drums)"]),
    ("not so dark", ["Colour(mood=brighter)"]),
    ("less energetic", ["Colour(mood=calmer)"]),
    ("make it sound more like trance", ["Restyle(style=trance)"]),
    ("- make it darker", ["Colour(mood=darker)"]),
    ("add a shaker and take out the toms", ["Add(wish=shaker)", "Remove(wish=toms)"]),
    ("could you please make the last 8 bars a lot quieter?", ["Mix(control=level, by=-1) @Edge(at=end, bars=8) x1.5"]),
    ("make it 20% longer", ["Resize(factor=1.2)"]),
    ("make the drums a bit quieter", ["Mix(control=level, by=-1, wish=drums) x0.5"]),
    ("remove the snare in the second half", ["Remove(wish=snare) @Bars(first=1, last=1)"]),
    ("add a flute from bar 5 to bar 8", ["Add(wish=flute) @Bars(first=5, last=8)"]),
    ("darker between bars 9 and 16", ["Colour(mood=darker) @Bars(first=9, last=16)"]),
    ("make the first chorus happier", ["Colour(mood=happier) @Named(name=chorus, number=1)"]),
    ("no bass in the last bar", ["Remove(wish=bass) @Edge(at=end, bars=1)"]),
    ("darker outside the chorus", ["Colour(mood=darker) -Named(name=chorus)"]),
    ("simplify the melody in the verse", ["Reshape(how=simplify, wish=melody) @Named(name=verse)"]),
    ("add strings until bar 9", ["Add(wish=strings) @Bars(first=1, last=8)"]),
    (
        "make it sadder, slower and quieter",
        [
            "Colour(mood=sadder)",
            "Retempo(factor=0.85)",
            "Mix(control=level, by=-1)",
        ],
    ),
    ("lower the piano by 4 dB", ["Mix(control=level, by=-1, wish=piano, decibels=-4)"]),
    ("turn it up", ["Mix(control=level, by=1)"]),
    ("strings up 3 dB", ["Mix(control=level, by=1, wish=strings, decibels=3)"]),
    ("more delay on the guitar", ["Mix(control=echo, by=1, wish=guitar)"]),
    ("no reverb on the drums", ["Mix(control=reverb, by=-1, wish=drums, at=0)"]),
    ("narrower", ["Mix(control=width, by=-1)"]),
    ("center the bass", ["Mix(control=pan, by=0, wish=bass)"]),
    ("pan the strings right", ["Mix(control=pan, by=1, wish=strings)"]),
    ("dirtier bass", ["Mix(control=drive, by=1, wish=bass)"]),
    ("less distortion on the guitar", ["Mix(control=drive, by=-1, wish=guitar)"]),
    ("warmer piano", ["Mix(control=tone, by=-1, wish=piano)"]),
    ("cleaner guitar", ["Mix(control=drive, by=-1, wish=guitar)"]),
    ("more punch", ["Mix(control=punch, by=1)"]),
    ("transpose the melody up an octave", ["Transpose(semitones=12, wish=melody)"]),
    ("transpose it down 5 semitones", ["Transpose(semitones=-5)"]),
    ("in the key of G", ["Rekey(tonic=G)"]),
    ("in E flat major", ["Rekey(tonic=Eb, mode=major)"]),
    ("in dorian", ["Rekey(mode=dorian)"]),
    ("in the parallel minor", ["Rekey(mode=minor)"]),
    ("in the relative major", ["Rekey(tonic=C, mode=major)"]),
    ("in 6/8", ["Remeter(beats=6, unit=8)"]),
    ("4/4 time", ["Remeter(beats=4, unit=4)"]),
    ("change the time signature to 3/4", ["Remeter(beats=3, unit=4)"]),
    ("at 96 bpm", ["Retempo(bpm=96)"]),
    ("tempo 140", ["Retempo(bpm=140)"]),
    ("5 bpm slower", ["Retempo(bpm=115)"]),
    ("twice as fast", ["Retempo(factor=2)"]),
    ("double the tempo without changing the length", ["Retempo(factor=2, keep_length=True)"]),
    ("half-time", ["Beat(feel=half)"]),
    ("double-time drums", ["Beat(feel=double)"]),
    ("reharmonize the bridge", ["Reharmonise() @Named(name=bridge)"]),
    ("change the chords", ["Reharmonise()"]),
    ("humanize the piano", ["Reshape(how=humanize, wish=piano)"]),
    ("tighter", ["Reshape(how=quantize)"]),
    ("simpler", ["Reshape(how=simplify)"]),
    ("thicken the chords in the chorus", ["Reshape(how=thicken, wish=chords) @Named(name=chorus)"]),
    ("less repetitive", ["Reshape(how=vary)"]),
    ("vary the melody", ["Reshape(how=vary, wish=melody)"]),
    ("double the lead with strings", ["Double(wish=melody, by=strings)"]),
    ("double the piano", ["Double(wish=piano)"]),
    ("use strings instead of the pad", ["Replace(wish=pad, by=strings)"]),
    ("let the flute play the melody", ["Replace(wish=melody, by=flute)"]),
    ("replace the lead with a violin in the bridge", ["Replace(wish=melody, by=violin) @Named(name=bridge)"]),
    ("give it a 4 bar break before the last chorus", ["NewSection(kind=break, bars=4) @Named(name=chorus, number=-1)"]),
    ("an intro of 8 bars", ["NewSection(kind=intro, bars=8)"]),
    ("add an outro", ["NewSection(kind=outro)"]),
    ("add a bridge after the second chorus", ["NewSection(kind=bridge, after=True) @Named(name=chorus, number=2)"]),
    ("add another chorus", ["Repeat() @Named(name=chorus, number=-1)"]),
    ("repeat bars 5-8", ["Repeat() @Bars(first=5, last=8)"]),
    ("delete bars 9-12", ["Cut() @Bars(first=9, last=12)"]),
    ("cut the first 4 bars", ["Cut() @Edge(at=start, bars=4)"]),
    ("make it shorter", ["Resize(factor=0.6667)"]),
    ("half as long", ["Resize(factor=0.5)"]),
    ("cut it to 16 bars", ["Resize(bars=16)"]),
    ("add 8 bars", ["Resize(bars=9, by=8)"]),
    ("make it 2 minutes long", ["Resize(seconds=120)"]),
    ("extend the intro to 8 bars", ["Resize(bars=8) @Named(name=intro)"]),
    ("unless there are drums, add drums", ["Add(wish=drums) ?without drums"]),
    ("when there is no piano, add a piano", ["Add(wish=piano) ?without piano"]),
    ("remove the strings if there are any", ["Remove(wish=strings) ?with strings"]),
    ("if it doesn't have a melody, add one", ["Add(wish=melody) ?without melody"]),
    ("if there is a bass, make it louder", ["Mix(control=level, by=1, wish=bass) ?with bass"]),
    ("keep the drums, swap the piano for an organ", ["Replace(wish=piano, by=organ)"]),
    ("make it jazzy but keep the melody", ["Restyle(style=jazz)"]),
    ("as reggae", ["Restyle(style=reggae)"]),
    ("in the style of bossa nova", ["Restyle(style=bossa_nova)"]),
    ("a bit more techno", ["Restyle(style=techno) x0.5"]),
    ("make it funky", ["Restyle(style=funk)"]),
    ("groovier drums", ["Colour(mood=groovier, wish=drums)"]),
    ("more groove in the chorus", ["Colour(mood=groovier) @Named(name=chorus)"]),
    ("slightly darker and a lot slower", ["Colour(mood=darker) x0.5", "Retempo(factor=0.85) x1.5"]),
    ("at 50 % intensity, make it ambient", ["Restyle(style=ambient) x0.5"]),
    ("30% brighter", ["Colour(mood=brighter) x0.3"]),
    (
        "make the bass a bit darker, then cut the outro",
        [
            "Mix(control=tone, by=-1, wish=bass) x0.5",
            "Cut() @Named(name=outro)",
        ],
    ),
]


@pytest.mark.parametrize(("text", "tasks"), TABLE)
def test_every_task_of_a_request(lexicon, text, tasks):
    assert tasks_of(text, lexicon) == tasks
