"""Learns what a saying means: directions of intents that tell their own examples from those of all others.

The first direction of an intent is the mean of its examples (Rocchio 1971); then each example that is nearer to
another intent, or not nearer to its own by a margin, draws the one to itself and pushes the other away (as the
perceptron of Rosenblatt 1958, with a margin).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log
from random import Random

import numpy as np
from numpy.typing import NDArray

from agent.chat.reading.intent_model import Features, FeatureTable, IntentModel, Shares, unit

_COMMON = 600
"""Examples from which on a feature says nothing of a single one of them."""
_ROUNDS, _STEP, _MARGIN = 9, 0.02, 0.15
"""How often all examples draw, how far each, and by how much it must be nearer to its own intent to be content."""
_SETTLED = 4
"""Rounds after which the directions are averaged, so that one more example changes little."""
_SLIGHT = 0.003
"""Share of a feature in a direction below which it is left out."""
_ORDER = 1
"""The order in which examples draw, the same at each learning."""


def learned(examples: Sequence[tuple[str, Features]]) -> IntentModel:
    """The model of examples, each with the name of its intent.

    A feature's rarity is 1 + ln((n + 1) / (its examples + 1)); every example counts with unit length. A feature with a
    weight below 1 that only one example has is left out.
    """
    count = Counter(name for _, features in examples for name in features)
    rarity = {name: 1 + log((len(examples) + 1) / (seen + 1)) for name, seen in count.items()}
    names = tuple(sorted({intent for intent, _ in examples}))
    places = {name: at for at, name in enumerate(names)}
    of = tuple(places[intent] for intent, _ in examples)
    rows = [
        unit({name: weight * rarity[name] for name, weight in features.items() if weight >= 1 or count[name] > 1})
        for _, features in examples
    ]
    singly: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for at, row in enumerate(rows):
        for name, share in row.items():
            if count[name] < _COMMON:
                singly[name].append((at, share))
    known = sorted({name for row in rows for name in row})
    together = _directions(rows, of, known, len(names))
    return IntentModel(names, of, {
        name: FeatureTable(rarity[name], _shares(row), Shares.of(singly[name]))
        for name, row in zip(known, together, strict=True)
    })


def _directions(
    rows: Sequence[Features], of: Sequence[int], known: Sequence[str], intents: int,
) -> NDArray[np.float32]:
    """The directions of intents: the share of each known feature (rows) in each of them (columns)."""
    index = {name: at for at, name in enumerate(known)}
    packed = [
        (np.array([index[name] for name in row], dtype=np.intp), np.array(list(row.values()), dtype=np.float32))
        for row in rows
    ]
    found = np.zeros((len(known), intents), dtype=np.float32)
    for (features, shares), intent in zip(packed, of, strict=True):
        found[features, intent] += shares
    found /= np.maximum(np.linalg.norm(found, axis=0, keepdims=True), 1e-9)
    if intents < 2:
        return found
    order, chance, mean = list(range(len(rows))), Random(_ORDER), np.zeros_like(found)
    for turn in range(_ROUNDS):
        chance.shuffle(order)
        for at in order:
            _draw(found, *packed[at], of[at])
        if turn >= _SETTLED:
            mean += found / (_ROUNDS - _SETTLED)
    return mean


def _draw(
    directions: NDArray[np.float32], features: NDArray[np.intp], shares: NDArray[np.float32], intent: int,
) -> None:
    """Let an example draw its own intent and push the nearest other away, unless it is content."""
    like = shares @ directions[features]
    own, like[intent] = like[intent], -np.inf
    other = int(like.argmax())
    if like[other] > own - _MARGIN:
        directions[features, intent] += _STEP * shares
        directions[features, other] -= _STEP * shares


def _shares(row: NDArray[np.float32]) -> Shares:
    return Shares.of([(int(at), float(row[at])) for at in np.flatnonzero(np.abs(row) > _SLIGHT)])
