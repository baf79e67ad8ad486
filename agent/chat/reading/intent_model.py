"""The intent of a saying: that of the examples which its words are most like (learned by `intent_learning`)."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt

from msgspec import Struct

METHOD = 2
"""Number of the way in which models are learned; a kept model of another is learned anew."""
_NEAREST = 0.5
"""What the nearest examples count beside the mean of all."""
_SIZE = 0.88
"""Brings likenesses to the size in which others weigh them."""
_STRANGE = 0.5
"""What a word that no example has weighs beside the rarest that is known."""
Features = Mapping[str, float]
"""Features of a saying with their weights (see `intent_features`)."""


class Shares(Struct, frozen=True, array_like=True):
    """Indices, each with the share of a feature in the direction of what stands there.

    Both are packed, so that a model of ten thousands of examples is read in milliseconds and only what a saying needs
    is unpacked: `at` as 32-bit numbers, `share` as floats, in the byte order of the machine that keeps them.
    """

    at: bytes
    share: bytes

    @staticmethod
    def of(pairs: Sequence[tuple[int, float]]) -> Shares:
        """The pairs, packed."""
        at, share = array("I", [at for at, _ in pairs]), array("f", [share for _, share in pairs])
        return Shares(at.tobytes(), share.tobytes())

    def pairs(self) -> Iterator[tuple[int, float]]:
        """Each index with its share."""
        return zip(memoryview(self.at).cast("I"), memoryview(self.share).cast("f"), strict=True)


class FeatureTable(Struct, frozen=True, array_like=True):
    """What one feature says: its rarity, and its share in the direction of intents and of single examples."""

    rarity: float
    of_intents: Shares
    of_examples: Shares


class IntentModel(Struct, frozen=True):
    """Examples made ready for comparing: `intents` are the names, `of` the intent of each example by its index there,
    `features` what each feature says."""

    intents: tuple[str, ...]
    of: tuple[int, ...]
    features: dict[str, FeatureTable]

    def scores(self, features: Features) -> dict[str, float]:
        """How like a saying is to each intent, from about -1 to 2: its product with the intent's direction, and half of
        its cosine with the two nearest examples; words that no example has make it like none. Intents that share no
        feature with it are left out."""
        known = {name: self.features[name] for name in features if name in self.features}
        strange = _STRANGE * log(len(self.of) + 1)
        query = unit({
            name: weight * (known[name].rarity if name in known else strange)
            for name, weight in features.items() if name in known or weight >= 1
        })
        like_all: defaultdict[int, float] = defaultdict(float)
        like_one: defaultdict[int, float] = defaultdict(float)
        for name, table in known.items():
            share = query[name]
            for intent, other in table.of_intents.pairs():
                like_all[intent] += share * other
            for example, other in table.of_examples.pairs():
                like_one[example] += share * other
        nearest: dict[int, tuple[float, float]] = {}
        for example, likeness in like_one.items():
            first, second = nearest.get(self.of[example], (0.0, 0.0))
            if likeness > second:
                nearest[self.of[example]] = (max(first, likeness), min(first, likeness))
        return {
            self.intents[intent]: _SIZE * (likeness + _NEAREST * sum(nearest.get(intent, (0.0, 0.0))) / 2)
            for intent, likeness in like_all.items()
        }


def unit(shares: Mapping[str, float]) -> dict[str, float]:
    """The same direction with length 1; empty for nothing."""
    length = sqrt(sum(share * share for share in shares.values()))
    return {name: share / length for name, share in shares.items()} if length else {}
