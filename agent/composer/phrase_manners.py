"""Phrase manners: what a style file says of the ends of phrases."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class Cadences(Struct, frozen=True, forbid_unknown_fields=True):
    """How phrases of four bars end; shares are probabilities from 0 to 1.

    `quickens`: the last bar of a phrase has two chords, of which the second leads to the next phrase. `six_four`: where
    that is a dominant before its tonic, the first is the tonic over the fifth. `leans`: the last note of a tune that
    comes home leans on the tone above it or below it first.
    """

    quickens: Share = 0.0
    six_four: Share = 0.0
    leans: Share = 0.0
