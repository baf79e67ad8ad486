"""What a song can be made of: the instruments and effects that exist, handed in as values."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.fixes import Fix, FixKind
from agent.message import msg
from agent.song.clip import Pitch
from agent.song.errors import SongError

Family = Literal[
    "drums", "percussion", "bass", "guitar", "keys", "piano", "organ", "strings", "brass", "woodwind",
    "choir", "pad", "lead", "pluck", "arp", "fx",
]


class Samples(Struct, frozen=True, forbid_unknown_fields=True):
    """A kit's recordings in a SoundFont of their own, which need not be installed.

    `keys` are (drum of General MIDI, key of the SoundFont, semitones by which that is tuned). `trim_db` brings
    them to the level of other kits. `terms` says what their licence asks of who publishes music with them.
    """

    file: str
    keys: tuple[tuple[Pitch, Pitch, Annotated[int, Meta(ge=-12, le=12)]], ...]
    terms: str
    trim_db: Annotated[float, Meta(ge=-30, le=0)] = 0.0


class EffectUse(Struct, frozen=True, forbid_unknown_fields=True):
    """An effect of the palette with the parameters that differ from its defaults."""

    effect: str
    params: dict[str, float] = {}


class SoundLayer(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the sounds that play together: an instrument of the bank, moved by semitones and hundredths of one.

    `late_ms` keeps two layers of one sound from beginning as one; `gain_db` and `pan` (-1 to 1) place it among them.
    """

    instrument: str
    transpose: Annotated[int, Meta(ge=-36, le=36)] = 0
    cents: Annotated[float, Meta(ge=-100, le=100)] = 0.0
    gain_db: Annotated[float, Meta(ge=-48, le=12)] = 0.0
    pan: Annotated[float, Meta(ge=-1, le=1)] = 0.0
    late_ms: Annotated[float, Meta(ge=0, le=50)] = 0.0


class Instrument(Struct, frozen=True, forbid_unknown_fields=True):
    """A sound of the bank. `low`-`high` is its playable range in MIDI pitches, inclusive.

    What has `samples` plays them where they are installed; the bank plays what they lack, and all where they are not.
    What has `layers` sounds from them, through its `effects`; other programs, which know it as a number in a file, play
    `program` and `bank`. `dark` are drums of a kit that have few overtones, each with the cents by which its filter
    stands lower, so that soft strokes are duller than hard ones there too. `drums` are those that this kit has on
    another key: (drum of General MIDI, key). `kettledrums` are its lowest and highest kettledrum, each on the key of
    its pitch. What has a `swell`, by breath, bow, bellows or a pedal, can lead a note louder and softer while it
    sounds; None is as its family.
    """

    name: str
    family: Family
    label: str
    program: Annotated[int, Meta(ge=0, le=127)]
    bank: Annotated[int, Meta(ge=0, le=128)] = 0
    low: Pitch = 0
    high: Pitch = 127
    tags: tuple[str, ...] = ()
    samples: Samples | None = None
    layers: tuple[SoundLayer, ...] = ()
    effects: tuple[EffectUse, ...] = ()
    swell: bool | None = None
    dark: tuple[tuple[Pitch, Annotated[int, Meta(ge=0, le=6000)]], ...] = ()
    drums: tuple[tuple[Pitch, Pitch], ...] = ()
    kettledrums: tuple[Pitch, Pitch] | None = None

    @property
    def is_kit(self) -> bool:
        """Whether each pitch is another drum, as on MIDI channel 10."""
        return self.bank == 128


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A knob of an effect: its unit (dB, Hz, s, ms, ratio, mix 0-1), range and default."""

    name: str
    unit: str
    low: float
    high: float
    default: float
    about: str = ""


class EffectKind(Struct, frozen=True, forbid_unknown_fields=True):
    """An effect that can stand in a chain."""

    name: str
    label: str
    about: str
    params: tuple[Parameter, ...] = ()


class Palette(Struct, frozen=True, dict=True):
    """All instruments and effects, in the order in which they are listed."""

    instruments: tuple[Instrument, ...] = ()
    effects: tuple[EffectKind, ...] = ()

    def instrument(self, name: str) -> Instrument:
        """The instrument of that name; `SongError` offers the nearest names."""
        for instrument in self.instruments:
            if instrument.name == name:
                return instrument
        raise _unknown("instrument", name, [instrument.name for instrument in self.instruments])

    def effect(self, name: str) -> EffectKind:
        """The effect of that name; `SongError` offers the nearest names."""
        for effect in self.effects:
            if effect.name == name:
                return effect
        raise _unknown("effect", name, [effect.name for effect in self.effects])

    def label(self, name: str) -> str:
        """The name of an instrument or effect for people; `name` itself if it is not in the palette."""
        known: tuple[Instrument | EffectKind, ...] = (*self.instruments, *self.effects)
        return next((one.label for one in known if one.name == name), name)


def _unknown(kind: str, name: str, known: list[str]) -> SongError:
    near = get_close_matches(name, known, 4, 0.4)
    fix: Fix | str = f"did you mean {', '.join(near)}?" if near else FixKind.LIST_NAMES(f"{kind}s")
    return SongError(msg("there is no {kind} called {name!r}", kind=kind, name=name), fix=fix)
