"""Walking: one pass over the words of a request, which gathers what each of them says by itself."""

from __future__ import annotations

from typing import Literal, cast

from agent.composer.phrase_sets import phrase_set
from agent.composer.piece_words import Pace
from agent.composer.understanding.blends import StyleMention
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.gathered import Place, RequestFindings
from agent.composer.understanding.lexicon import Lexicon, Match, thing_wish
from agent.composer.understanding.likened_refusals import likened_refusal
from agent.composer.understanding.not_of_piece import is_degree, is_thing
from agent.composer.understanding.playing import played_at
from agent.composer.understanding.refused_moods import limits, mild
from agent.composer.understanding.senses import Senses
from agent.composer.understanding.wishes import Wish
from agent.song.key import Mode

_ADJECTIVES = 3
_ELECTRONIC = frozenset({"lead", "keys", "pad", "arp", "fx"})
"""Families that a style may need although the person plays one of them too."""
_UNUSED = frozenset({"filler", "grid"})
_TURNED = frozenset({"mood", "mode", "size", "style", "genre", "tempo"})
"""What a word of denying turns round."""
"""Senses of which nothing is made here."""
_SIGNS = frozenset(",;.!?")
_STOPS = frozenset(";.!?")
_OPPOSITE = {"minor": "major", "major": "minor"}
_FACTORS = {"slower": 0.85, "faster": 1.18, "half": 0.5, "double": 2.0}
Binding = Literal["", "refuse", "keep", "only", "add"]
_PLACES: dict[Binding, Place] = {
    "refuse": "refuse", "keep": "keep", "only": "wanted", "add": "wanted", "": "mentioned",
}


class Walker:
    """Reads casefolded tokens one after another, without those `taken`, and collects what each says; the words that
    govern the following ones are its state."""

    def __init__(self, tokens: list[str], lexicon: Lexicon, figures: Figures, taken: frozenset[int]) -> None:
        self._tokens = tokens
        self._lexicon = lexicon
        self._figures = figures
        self._taken = taken
        self._said = RequestFindings()
        self._binding: Binding = ""
        self._bound = 0
        self._last: tuple[Place, Wish] | None = None
        self._inverse = 0
        self._turning = range(0)
        """The words that turn round what stands behind them; they are read where something does."""
        self._negated = False
        self._refused: set[str] = set()
        """Names of moods that the piece is not to have."""
        self._examples = False
        """Whether examples of what is refused are listed, some of which nobody may know."""
        self._named = -1
        """Where the last player that was named ends."""

    def walk(self) -> RequestFindings:
        """Read all tokens and return the findings."""
        at = 0
        while at < len(self._tokens):
            if at in self._taken:
                self._own(at, 1)
                at += 1
                continue
            if own := self._own_part(at):
                self._said.passed.update(range(at, at + own))
                self._said.own.update(range(at, at + own))
                self._own(at, own)
                at += own
                continue
            if likened := self._likened(at) or self._told_of(at):
                at += likened
                continue
            match = self._lexicon.find(self._tokens, at)
            passed = self._other_name(at, match.length if match is not None else 0)
            passed = passed or self._lexicon.named_longer(self._tokens, at, match.length if match is not None else 0)
            if passed:
                self._said.passed.update(range(at, at + passed - self._player_in(at, passed)))
                at += passed
                continue
            played = self._played(match, at)
            if played is not None:
                self._name(played[1])
                self._own(at, played[0])
                at += played[0]
                continue
            # "808s" and "80s" name styles and "12 bar blues" a genre although they begin with a number
            named = match is not None and match.length > 1 and bool({"style", "genre"} & match.senses.keys())
            taken = 0 if named else self._figures.take(at)
            if taken:
                self._own(at, taken)
                self._said.owned -= self._figures.unsaid
                at += taken
                self._inverse = 0
                if self._binding != "keep":
                    self._binding = ""
                continue
            if match is None:
                self._unknown(self._tokens[at], at)
                at += 1
            else:
                self._meet(match, at)
                if match.senses.get("binding") == "only" and self._ends_list(at, at + match.length):
                    self._said.only, self._binding = True, ""
                of_chord = self._colours_chord(at + match.length) or is_degree(self._tokens, at)
                coloured = "mode" in match.senses and of_chord
                if match.senses.keys() == {"inverse"}:
                    self._turning = range(at, at + match.length)
                elif match.senses.keys() - _UNUSED and not coloured:
                    self._own(at, match.length)
                at += match.length
        return self._said

    def _own_part(self, at: int) -> int:
        """Tokens of what the person plays or sings to a new piece: "room for my vocals", "my A harp over it"."""
        words, tokens = self._lexicon.words.figures, self._tokens
        named = self._lexicon.wish_at(tokens, at) if words is not None and not self._lexicon.song.note_count else None
        first = next((k for k in (at - 1, at - 2) if words is not None and k >= 0 and tokens[k] in words.mine), -1)
        if named is None or words is None or first < 0:
            return 0
        begin = next((k + 1 for k in range(at, -1, -1) if tokens[k] in _SIGNS), 0)
        end = next((k for k in range(at, len(tokens)) if tokens[k] in _SIGNS), len(tokens))
        if not any(token in words.over for token in (*tokens[begin:first], *tokens[at + named[0] : end])):
            return 0
        if not _ELECTRONIC.intersection(named[1].families):
            self._said.wishes["refuse"].append(named[1])
        return named[0]

    def _player_in(self, at: int, length: int) -> int:
        """Tokens of the player with which a way of playing ends: "a walking bass" is a bass."""
        technique = self._lexicon.standing.techniques.longest_at(self._tokens, at)
        if technique is None or technique[0] != length:
            return 0
        tails = ((back, self._lexicon.wish_at(self._tokens, at + length - back)) for back in (2, 1) if back < length)
        return next((back for back, wish in tails if wish is not None and wish[0] == back), 0)

    def _likened(self, at: int) -> int:
        """Tokens of "nothing cheesy like", behind which examples of what is refused stand."""
        length = likened_refusal(self._tokens, at) if self._lexicon.song.note_count == 0 else 0
        if length:
            self._own(at, length)
            self._bind("refuse")
            self._examples = True
        return length

    def _told_of(self, at: int) -> int:
        """Tokens of a player of whom a new piece is only told that he plays elsewhere: "everyone puts a harp on it"."""
        rows = () if self._lexicon.song.note_count else self._lexicon.words.players.telling
        length = phrase_set(rows).length(self._tokens, at)
        if not length:
            return 0
        end = next((k for k in range(at, len(self._tokens)) if self._tokens[k] in _SIGNS), len(self._tokens))
        self._said.passed.update(range(at, end))
        self._own(at, end - at)
        self._binding = ""
        return end - at

    def _ends_list(self, at: int, end: int) -> bool:
        """Whether a word stands behind players and before a sign: "kick and hats only"."""
        closes = end >= len(self._tokens) or self._tokens[end] in _SIGNS
        named = (self._lexicon.wish_at(self._tokens[:at], at - back) for back in (1, 2, 3) if at >= back)
        # single drums cannot be held to yet: the whole kit would play under that claim
        ends = (back for back, one in enumerate(named, 1) if one is not None and one[0] == back and not one[1].pieces)
        length = next(ends, 0)
        return closes and bool(length) and not self._is_passage(at - length)

    def _is_passage(self, at: int) -> bool:
        """Whether a player is only brought in by what precedes him: "with a sax solo" is a passage of the piece."""
        words = self._lexicon.words
        leads = {*words.bindings.add, *words.grammar.joins}
        return at > 1 and self._tokens[at - 1] in words.grammar.afresh and self._tokens[at - 2] in leads

    def _own(self, at: int, length: int) -> None:
        self._said.owned.update(range(at, at + length))

    def _played(self, match: Match | None, at: int) -> tuple[int, Wish] | None:
        """A role and its instrument; "a tune for piano" is a piece, and no role in one."""
        if match is None or self._tokens[at] in self._lexicon.words.goals.works:
            return None
        return played_at(self._tokens, at, self._lexicon)

    def _new_part(self, at: int) -> bool:
        """Whether what follows "new" is a thing of a song, as a bass line or an ending is."""
        works = self._lexicon.words.goals.works
        for ahead in range(at, min(at + _ADJECTIVES, len(self._tokens))):
            if self._tokens[ahead] in works or self._lexicon.sense(self._tokens, ahead, "style") is not None:
                return False
            section = self._lexicon.sense(self._tokens, ahead, "section")
            if section is not None or self._lexicon.wish_at(self._tokens, ahead) is not None:
                return True
        return False

    def _unknown(self, word: str, at: int) -> None:
        listed = word == "," and bool({"or", "nor"}.intersection(self._tokens[at + 1 : at + 7]))
        if not listed:
            self._inverse = 0 if word in _SIGNS else max(0, self._inverse - 1)
        if word == ",":
            self._examples = False
            if self._binding == "refuse" and self._bound and not listed:
                self._binding = ""
        elif len(word) == 1 and not word.isalnum():
            self._binding, self._examples = "", False
        elif self._examples:
            return
        else:
            self._binding = ""

    def _meet(self, match: Match, at: int) -> None:
        senses, inverse = match.senses, self._turned(match.senses)
        wish = self._lexicon.wish(senses)
        colour = "mood" in senses or ("style" in senses and "track" not in senses)
        if wish is not None and not (colour and self._binding == ""):
            if self._is_loop(wish, at + match.length):
                self._said.only = True
            if not self._instead(at):
                self._name(wish)
            self._named = at + match.length
            return
        if "aspect" in senses and self._binding == "keep":
            self._said.kept.add(senses["aspect"])
        elif "binding" in senses and not ("goal" in senses and senses["binding"] == "add"):
            self._bind(senses["binding"])
            if "goal" in senses:
                self._said.goals.append(senses["goal"])
        elif "style" in senses and inverse and "mood" not in senses:
            # "she can't dance" asks for no dance
            return
        elif "style" in senses and "meter" in senses:
            # "waltz" is a style of its own, and the meter of "a jazz waltz" and of "a piano waltz"
            self._said.dances.append(StyleMention(senses["style"], at, at + match.length))
            self._figures.take_meter(senses["meter"])
        elif "style" in senses:
            thing = is_thing(self._tokens, at, match.length, self._lexicon)
            self._said.styles += [] if thing else [StyleMention(senses["style"], at, at + match.length)]
        elif "genre" in senses:
            if not inverse and self._binding != "refuse":
                self._said.genres.append(StyleMention(senses["genre"], at, at + match.length))
        elif "mood" in senses:
            self._take_mood(senses["mood"], at, inverse > 0)
            if self._binding == "refuse" and limits(senses["mood"], self._tokens, at + match.length, self._lexicon):
                self._binding = ""
        elif "tempo" in senses:
            self._pacing(senses["tempo"], inverse > 0)
        elif "inverse" in senses and "goal" not in senses:
            self._inverse, self._negated = 2, True
        elif "goal" in senses:
            fresh = senses["goal"] == "fresh"
            part = fresh and self._new_part(at + match.length)
            self._said.goals.append("relative" if part else "compose" if fresh else senses["goal"])
            self._inverse, self._negated = 2 if "inverse" in senses else 0, False
            self._bind(senses.get("binding", ""))
        elif "mode" in senses:
            # "a major chord at the end" and "6 minor" are no key, and "the relative minor" another one
            if not (self._colours_chord(at + match.length) or self._is_related(at)):
                self._take_mode(senses["mode"], inverse > 0 or self._binding == "refuse")
        elif "meter" in senses and not self._counting(at):
            self._figures.take_meter(senses["meter"])
        elif "size" in senses:
            # "not too long" is neither long nor short
            size = cast("Literal['short', 'long']", senses["size"])
            self._said.size = self._said.size if inverse else size
        elif "join" in senses:
            self._join(self._tokens[at])

    def _turned(self, senses: Senses) -> int:
        """Whether a word that denies reaches what is met (0: it does not), which then belongs to it."""
        reach = self._inverse
        if reach and _TURNED & senses.keys():
            self._said.owned.update(self._turning)
        if "filler" not in senses:
            self._inverse = max(0, reach - 1)
        return reach

    def _take_mode(self, mode: str, refused: bool) -> None:
        """A mode, or the other one where it is refused: "nothing minor"."""
        meant = _OPPOSITE.get(mode, "") if refused else mode
        if meant:
            self._figures.take_mode(cast("Mode", meant))

    def _take_mood(self, name: str, at: int, inverse: bool) -> None:
        """A mood of the piece; of a clause that explains a refusal it is none."""
        refused = inverse or (self._binding == "refuse" and self._lexicon.song.note_count == 0)
        if not self._explains(at):
            self._feel(name, refused)

    def _is_loop(self, wish: Wish, end: int) -> bool:
        """Whether drums are named as all of a new piece: "a drum loop"."""
        words = self._lexicon.words.figures
        drums = wish.role == "drums" and not wish.pieces and self._binding != "refuse"
        behind = self._tokens[end] if end < len(self._tokens) else ""
        return words is not None and drums and behind in words.loops and self._lexicon.song.note_count == 0

    def _counting(self, at: int) -> bool:
        """Whether a word stands in a count: "one two three four" is no 3/4."""
        return at > 0 and self._lexicon.sense(self._tokens, at - 1, "number") is not None

    def _other_name(self, at: int, length: int) -> int:
        """How many tokens name something that is no music though its first word is: "dance teacher", "fast food"."""
        longest = self._lexicon.no_style_at(self._tokens, at) if self._lexicon.song.note_count == 0 else 0
        return longest if longest > length else 0

    def _instead(self, at: int) -> bool:
        """Whether "or" leads from a player that is to play to the one at `at`, which then need not."""
        before = at - 2 if at and self._tokens[at - 1] in self._lexicon.words.grammar.afresh else at - 1
        wanted = self._last is not None and self._last[0] in ("wanted", "mentioned")
        offered = before > 0 and self._tokens[before] in self._lexicon.words.alternatives
        return wanted and offered and self._named == before and self._lexicon.song.note_count == 0

    def _explains(self, at: int) -> bool:
        """Whether a clause says why something is refused: "nothing minor, it makes people sad"."""
        asides = self._lexicon.words.asides
        first = next((k + 1 for k in range(at - 1, -1, -1) if self._tokens[k] in _SIGNS), 0)
        if asides is None or first == 0 or self._tokens[first - 1] != "," or self._lexicon.song.note_count:
            return False
        begin = next((k + 1 for k in range(first - 2, -1, -1) if self._tokens[k] in _STOPS), 0)
        refusing = {*self._lexicon.words.groups["no"], *self._lexicon.words.bindings.inverse}
        speaks = self._tokens[first] in (*asides.persons, "it", "that", "they", "this")
        return speaks and any(word in refusing for word in self._tokens[begin : first - 1])

    def _is_related(self, at: int) -> bool:
        """Whether a mode is that of a key beside the one of the piece, or of a chord by its degree: "in the relative
        minor", "6 minor"."""
        words = self._lexicon.words.figures
        relative = words is not None and at > 0 and self._tokens[at - 1] in words.relations
        return relative or is_degree(self._tokens, at)

    def _colours_chord(self, end: int) -> bool:
        """Whether a word of chords follows a mode, or does so behind a number: "minor 9 chords"."""
        words = self._lexicon.words.figures
        ahead = self._tokens[end : end + 2]
        return words is not None and any(word in words.chords for word in ahead)

    def _join(self, token: str) -> None:
        if self._binding == "refuse" and self._bound and token in ("a", "an", "&"):
            self._binding = ""

    def _bind(self, binding: str) -> None:
        if binding == "beatless":
            self._said.wishes["refuse"].append(thing_wish(self._lexicon.words.thing("drums")))
        elif binding == "after_keep":
            if self._last is not None and self._last[0] in ("wanted", "mentioned"):
                self._said.wishes[self._last[0]].remove(self._last[1])
                self._said.wishes["keep"].append(self._last[1])
        else:
            self._binding = cast("Binding", binding)
            self._bound = 0

    def _name(self, wish: Wish) -> None:
        place = _PLACES[self._binding]
        # "no tune, just chords" leaves the others in
        instead = wish.whole_role and wish.role == "chords" and any(
            one.whole_role and one.role == "lead" for one in self._said.wishes["refuse"]
        )
        self._said.only = self._said.only or (self._binding == "only" and not instead)
        self._said.wishes[place].append(wish)
        self._last = (place, wish)
        self._bound += 1

    def _feel(self, name: str, inverse: bool) -> None:
        mood = self._lexicon.words.mood(name)
        if inverse and not mood.opposite:
            return
        if inverse:
            self._refused.add(mood.name)
            opposite = self._lexicon.words.mood(mood.opposite)
            # "less sad" is happier, "not sad" only a little
            mood = mild(opposite) if self._negated else opposite
        if mood not in self._said.moods and mood.name not in self._refused:
            self._said.moods.append(mood)

    def _pacing(self, word: str, inverse: bool) -> None:
        if word in _FACTORS:
            self._said.factor = _FACTORS[word]
            self._said.goals.append("relative")
        elif word in ("slight", "strong"):
            self._said.strength = 0.5 if word == "slight" else 1.5
        else:
            # "not too fast" is not slow either
            very = word in ("slow", "fast") and self._said.strength > 1 and not inverse
            pace = f"not {word}" if inverse and word in ("slow", "fast") else "medium" if inverse else word
            self._said.pace = cast("Pace", f"very {word}" if very else pace)
