"""Sound files with broken headers: figures or one clear error, and nothing that is printed behind our back."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest
import soundfile

from app.services.library.measuring import SampleError, sample_figures

FORMATS = (("WAV", "PCM_16"), ("AIFF", "PCM_16"), ("FLAC", "PCM_16"), ("OGG", "VORBIS"), ("MP3", "MPEG_LAYER_III"))


def whole(container: str, subtype: str) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, np.zeros((2000, 2), dtype="float32"), 44_100, format=container, subtype=subtype)
    return file.getvalue()


@pytest.mark.parametrize(("container", "subtype"), FORMATS)
def test_every_format_is_measured(container: str, subtype: str) -> None:
    figures = sample_figures(io.BytesIO(whole(container, subtype)))
    assert figures.seconds == pytest.approx(2000 / 44_100, abs=0.04)
    assert figures.tags == ("stereo", "44.1 khz")


@pytest.mark.parametrize(("container", "subtype"), FORMATS)
def test_a_broken_header_is_figures_or_one_error(
    container: str, subtype: str, capfd: pytest.CaptureFixture[str]
) -> None:
    chance, sound = random.Random(container), whole(container, subtype)
    reasons: list[str] = []
    for _ in range(150):
        data = bytearray(sound)
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(min(len(data), 300))] = chance.randrange(256)
        try:
            sample_figures(io.BytesIO(bytes(data[: chance.randrange(1, len(data))])))
        except SampleError as error:
            reasons.append(error.why)
    assert reasons
    assert all(reasons)
    assert "Traceback" not in capfd.readouterr().err
