"""Which sampled kits can be played here, and what a part needs of them."""

from __future__ import annotations

from agent.song.palette import Instrument
from app.sound.part import SampledKit
from app.sound.soundfont import find_samples


class SampledKits:
    """Finds installed sampled kits, each only once, so that all parts of one renderer use the same."""

    def __init__(self) -> None:
        self._found: dict[str, SampledKit | None] = {}

    def of(self, instrument: Instrument) -> SampledKit | None:
        """The kit of an instrument, None for one without or where it is not installed.

        Raises `SoundError` for one that cannot be used.
        """
        if instrument.samples is None:
            return None
        if instrument.name not in self._found:
            self._found[instrument.name] = _kit_of(instrument)
        return self._found[instrument.name]


def _kit_of(instrument: Instrument) -> SampledKit | None:
    samples = instrument.samples
    font = None if samples is None else find_samples(samples.file)
    if samples is None or font is None:
        return None
    return SampledKit(str(font.path), font.digest, samples.keys, samples.trim_db)
