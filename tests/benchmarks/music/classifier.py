"""A classifier between people's pieces and a program's, judged on corpora of people that it never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Features = Mapping[str, float]
Array = NDArray[np.float64]
WEIGHT = 1.0
"""Weight of half the squared coefficients against the summed loss of all pieces."""
_ROUNDS = 50
_STILL = 1e-9


class Accuracy(Struct, frozen=True):
    """How well pieces of corpora never seen are told from a program's, 0-1: .5 is chance.

    Each is the mean of the share of people's and of the share of the program's pieces that are told right, so that
    the numbers of pieces do not count. `telling` are the features with the largest weights, those of a program's
    pieces above 0, over all pieces.
    """

    mean: float
    by_corpus: Mapping[str, float]
    people: int
    pieces: int
    telling: tuple[tuple[str, float], ...]


def accuracy(people: Mapping[str, Sequence[Features]], pieces: Sequence[Features], names: Sequence[str]) -> Accuracy:
    """Leave out each corpus of people in turn, with as large a part of the program's pieces, and judge what was left.

    Only the features `names` are looked at. The program's pieces are dealt out in their order, one to each corpus.
    """
    corpora = list(people)
    found: dict[str, float] = {}
    for at, corpus in enumerate(corpora):
        known = [piece for other in corpora if other != corpus for piece in people[other]]
        own = [piece for number, piece in enumerate(pieces) if number % len(corpora) != at]
        model = _fitted(_table(known, names), _table(own, names))
        right = fmean_of(~model.says(_table(people[corpus], names)))
        right_own = fmean_of(model.says(_table(pieces[at :: len(corpora)], names)))
        found[corpus] = (right + right_own) / 2
    everybody = [piece for corpus in corpora for piece in people[corpus]]
    whole = _fitted(_table(everybody, names), _table(pieces, names))
    order = np.argsort(-np.abs(whole.weights[:-1]))[:8]
    telling = tuple((names[one], round(float(whole.weights[one]), 2)) for one in order)
    return Accuracy(fmean_of(np.array(list(found.values()))), found, len(everybody), len(pieces), telling)


class _Model(Struct, frozen=True):
    middle: Array
    spread: Array
    weights: Array

    def says(self, table: Array) -> NDArray[np.bool_]:
        """Which rows it takes for the program's."""
        return np.asarray(_with_one((table - self.middle) / self.spread) @ self.weights > 0)


def _fitted(people: Array, own: Array) -> _Model:
    """Newton's method on the loss in which both sides weigh the same."""
    rows = np.vstack((people, own))
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < _STILL] = 1.0
    inputs = _with_one((rows - middle) / spread)
    goal = np.r_[np.zeros(len(people)), np.ones(len(own))]
    share = np.where(goal > 0, len(rows) / (2 * len(own)), len(rows) / (2 * len(people)))
    penalty = np.full(inputs.shape[1], WEIGHT)
    penalty[-1] = 0.0
    weights = np.zeros(inputs.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (share * (chance - goal)) + penalty * weights
        bend = (inputs * (share * chance * (1 - chance))[:, None]).T @ inputs + np.diag(penalty + _STILL)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < _STILL:
            break
    return _Model(middle, spread, weights)


def _table(pieces: Sequence[Features], names: Sequence[str]) -> Array:
    return np.array([[piece[name] for name in names] for piece in pieces], dtype=np.float64)


def _with_one(table: Array) -> Array:
    return np.hstack((table, np.ones((len(table), 1))))


def fmean_of(values: Array | NDArray[np.bool_]) -> float:
    """The mean as a plain number."""
    return float(np.mean(values))
