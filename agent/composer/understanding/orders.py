"""Orders: what the pieces of a request ask to be done to a song, as tasks in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from agent.composer.operation_words import OperationWords
from agent.composer.understanding import how_meant
from agent.composer.understanding.asides import Phrased
from agent.composer.understanding.carried import Carried, attributes_of
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.finishing import (
    about,
    amount_of,
    answered,
    blended,
    in_one_key,
    in_one_tempo,
    of_one_length,
    sparing,
    without_claim,
)
from agent.composer.understanding.heirs import handed_on
from agent.composer.understanding.items import If, Item, PlaceRef, Referring
from agent.composer.understanding.kept_lists import (
    in_key,
    keeping_there,
    kept_there,
    of_chord,
    only_aspect,
    says_how,
    spared_by,
)
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.limiting import (
    LimitReader,
    bounded,
    cut_refs,
    held_back,
    narrowed,
    opening_of,
    set_apart,
)
from agent.composer.understanding.limits_beside import APART, BESIDE, CANNOT, in_place_of, limited_by, specifies
from agent.composer.understanding.matching import FormFit
from agent.composer.understanding.operations import Add, Colour, Cut, NewSection, Replace, Restyle
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.scopes import only_there, scope_of
from agent.composer.understanding.slot_filling import Filled, SlotReading, operations_of
from agent.composer.understanding.tasks import Condition, Operation, Place, Task
from agent.composer.understanding.wishes import Wish

MOST_TASKS = 40
_PARTS = ("part", "played", "refused")
_RETURNING = "come_back"
"""How the language file calls what says where a part that was silenced plays again."""
_NOTHING = "nothing"
"""How the language file calls what asks for nothing."""
_CUT = "cut"
"""How the language file calls what takes bars out."""
_AGAIN = "again"
"""How the language file calls what says that the same is meant for something else too."""
_EASING = "ease_in"
"""How the language file calls what says that a part comes in softly."""


@dataclass
class Orders:
    """The orders of a request: its `tasks`; what to keep (parts `kept`, `aspects`, places `spared`); parts only
    `mentioned`; the outcome of every stretch (`clauses`); `blend`, a restyling in several styles. `finishing` and
    `placed` are tokens: those that ask for something to be done to a new piece once written, and numbers that name
    places."""

    tasks: list[Task] = field(default_factory=list)
    kept: list[Wish] = field(default_factory=list)
    aspects: list[str] = field(default_factory=list)
    spared: list[Place] = field(default_factory=list)
    mentioned: list[Wish] = field(default_factory=list)
    blend: Restyle | None = None
    finishing: set[int] = field(default_factory=set)
    placed: frozenset[int] = frozenset()
    clauses: tuple[ReadClause, ...] = ()


class Fulfilment:
    """Turns matched patterns into orders; remembers what was named and done last, for pronouns."""

    def __init__(
        self, lexicon: Lexicon, readings: Mapping[str, SlotReading], items: Sequence[Item], orders: Orders
    ) -> None:
        self._lexicon = lexicon
        self._readings = readings
        self._items = items
        self._orders = orders
        self._named: tuple[Wish, ...] = ()
        self._all_named: list[Wish] = []
        self._spoken_of: tuple[Wish, ...] = ()
        self._last: Operation | None = None
        self._place: tuple[Place, ...] = ()
        self._pieces: Sequence[Piece] = ()
        self._added: tuple[Wish, ...] = ()
        self._added_in = -1
        self._end = 0
        self._complaints: list[Task] = []
        self._keeping = False
        self._kept_there: list[tuple[Wish, tuple[Place, ...]]] = []
        self._referring = frozenset(lexicon.words.grammar.referring)
        self._universal = frozenset(lexicon.words.framing.universal)
        asides = lexicon.words.asides
        deliberate = Phrased(asides.deliberate if asides is not None else ())
        self._deliberate = bool(deliberate.within([item.text for item in items]))
        self._whole = Phrased(tuple(phrase.removeprefix("the ") for phrase in lexicon.words.places.whole))
        self._comparing = frozenset(lexicon.words.grammar.comparing)
        self._carried = Carried(lexicon, items)
        self._excess = frozenset(lexicon.words.grammar.excess)
        self._limits = LimitReader(lexicon, readings[BESIDE], items, orders.tasks)

    def run(self, pieces: Sequence[Piece], finds: Mapping[int, FormFit[OperationWords]]) -> None:
        """Fill in the orders from the pieces and their matched patterns (by the item where they begin)."""
        self._pieces = self._limits.pieces = pieces
        for found in finds.values():
            for slot in _PARTS:
                parts = found.value(slot)
                wishes = [part for part in parts if isinstance(part, Wish)] if isinstance(parts, tuple) else []
                self._all_named += [wish for wish in wishes if wish not in self._all_named]
        for number, piece in enumerate(pieces):
            if piece.spoken_of or piece.about:
                spoken_of = () if piece.about else piece.spoken_of
                self._place = tuple(place for ref in spoken_of for place in ref.places)
            if piece.about:
                self._named = self._spoken_of = piece.about
            elif not piece.operations and len({one.wish for one in piece.subjects}) == 1 and not self._adds(piece):
                self._named = (piece.subjects[0].wish,)
            if piece.doubt:
                continue
            condition = next(iter(piece.conditions), None)
            if condition is not None and isinstance(condition.wish, Wish):
                self._named = (condition.wish,)
            for at in piece.operations:
                self._meet(finds[at], at, piece, number, condition)
        self._finish()

    def _keeps(self, filled: Filled, piece: Piece) -> bool:
        """Whether a form says what is to stay, or that something else is to stay too."""
        operation, wishes = filled.words.operation, filled.parts
        again = operation == _AGAIN and self._keeping and bool(wishes)
        self._keeping = again or operation in ("keep", "spare")
        read = (self._items, filled.found, self._lexicon)
        if self._keeping and (says_how(*read) or of_chord(*read)):
            piece.doubt = CANNOT
        elif self._keeping:
            piece.limits = True
            self._keep(filled, piece)
            self._named = wishes or self._named
        return self._keeping

    def _adds(self, piece: Piece) -> bool:
        """Whether its sentence brings in a part, which "it" means however it is described: "following the guitar"."""
        return bool(self._added) and self._added_in == piece.sentence

    def _meet(
        self, found: FormFit[OperationWords], at: int, piece: Piece, number: int, condition: If | None
    ) -> None:
        found = in_key(how_meant.meant_so(found) if self._deliberate else found, self._lexicon.song)
        if found.value("part") == (Referring(),) and self._for_all(piece):
            # "tune it all down"
            found = replace(found, fillings=tuple(one for one in found.fillings if one.slot != "part"))
        measure = next(iter(piece.measures), None)
        filled = Filled(found, self._lexicon, self._named, measure, tuple(self._all_named), self._last)
        wishes = filled.parts
        if self._keeps(filled, piece) or self._come_back(filled):
            return
        if how_meant.of_place(self._items, found, piece):
            found = replace(found, payload=replace(found.payload, operation=_CUT))
            filled, wishes = replace(filled, found=found), ()
        how_meant.say_where(found, piece)
        words = " ".join(item.text for item in self._items[at : found.end])
        self._end = found.end
        operations = operations_of(filled, self._readings)
        if not wishes and not any(one.last <= at for one in piece.subjects):
            carried = self._carried.parts(self._pieces, number, self._orders.tasks) or (None,)
            operations = tuple(about(operation, (wish,)) for operation in operations for wish in carried)
        operations = self._of_subjects(operations, piece, at, named=bool(wishes))
        unread = not operations and (self._readings[found.payload.operation].follows or how_meant.points_back(found))
        if unread or how_meant.loses_what(self._items, found, at, self._lexicon):
            self._leave(range(at, found.end), piece, number)
            return
        operations = operations if wishes else self._of_newcomer(operations, piece)
        if piece.joined and not wishes and self._items[at].text in self._excess:
            operations = tuple(about(operation, self._named) for operation in operations)
        if how_meant.compares(self._items, found, at, self._comparing):
            # "quieter than the strings" is about what was added, and not about the strings
            operations = tuple(
                replace(one, wish=replace(self._added[-1], sections=()))
                for one in operations[:1] if self._added and hasattr(one, "wish") and self._added_in == piece.sentence
            )
            wishes = ()
            if not operations:
                self._leave(range(at, found.end), piece, number)
                return
        there = how_meant.is_there(self._items, operations, found, self._lexicon)
        if there and how_meant.goes_on(self._items, found, piece):
            self._leave(range(at, found.end), piece, number)
            return
        if self._limits.takes(operations, filled, piece, at, number):
            return
        if self._softly_in(operations, piece):
            operations = self._readings[_EASING].fill(filled)
        if not any(isinstance(operation, Colour) for operation in operations):
            operations += attributes_of(operations, self._items[at : found.end], self._lexicon)
        for operation in operations:
            if condition is not None and condition.present and self._points_back(at, found):
                operation = about(operation, self._named)
            if not operation.of_frame:
                self._finish_with(found, at, piece)
            if how_meant.says_again(operation, self._last, self._items[at : found.end], self._universal):
                operation = self._last or operation
            self._order(operation, piece, number, condition, words, found.payload)
        self._remember(filled, wishes, piece)

    def _of_newcomer(self, operations: tuple[Operation, ...], piece: Piece) -> tuple[Operation, ...]:
        """The operations, done to who came in right before where "it" is to be loud or soft."""
        recent = bool(self._added) and piece.sentence - self._added_in <= 1 and piece.refers
        loudness = recent and all(map(how_meant.is_loudness, operations))
        return tuple(about(operation, self._added) for operation in operations) if loudness else operations

    def _leave(self, items: range, piece: Piece, number: int) -> None:
        """Tell the items of a form that cannot be read: its whole piece, unless another form of it is done already."""
        if any(number in task.clauses for task in self._orders.tasks):
            piece.loose = sorted({*piece.loose, *items})
        else:
            piece.doubt = CANNOT

    def _remember(self, filled: Filled, wishes: tuple[Wish, ...], piece: Piece) -> None:
        """What was named and brought in last, at which later words point."""
        # what something is only held against is not spoken of
        wishes = () if filled.words.operation == _NOTHING else wishes
        # of "an accordion that doubles the violin" the accordion is spoken of
        new = how_meant.new_player(self._last, self._lexicon)
        wishes = new or wishes
        self._named = wishes or self._named
        self._spoken_of = () if wishes else self._spoken_of
        if new or isinstance(self._last, Add) or (self._last is not None and self._last.of_entrance):
            self._added, self._added_in = wishes, piece.sentence
        elif isinstance(self._last, Replace):
            self._added, self._added_in = (self._last.wish,), piece.sentence
            number, tasks = self._pieces.index(piece), self._orders.tasks
            if how_meant.gave_all([one.operation for one in tasks if number in one.clauses], self._lexicon):
                # behind "on a string quartet" nothing is meant for its last player alone
                self._named = self._added = ()

    def _of_subjects(
        self, operations: tuple[Operation, ...], piece: Piece, at: int, *, named: bool
    ) -> tuple[Operation, ...]:
        """The operations done to the parts that were named before them; `named` where their form names its own."""
        subjects = [one for one in piece.subjects if one.last <= at]
        if not subjects and not named and self._only_describes(piece) and not self._for_all(piece):
            return tuple(about(operation, (wish,)) for operation in operations for wish in self._added)
        if not subjects and not named and piece.refers and self._spoken_of and not self._for_all(piece):
            return tuple(about(operation, (wish,)) for operation in operations for wish in self._spoken_of)
        if not (subjects and operations) or any(not hasattr(operation, "wish") for operation in operations):
            return operations
        wishes = dict.fromkeys(one.wish for one in subjects)
        if named:
            made = [replace(operations[0], wish=wish) for wish in wishes]
        else:
            made = [about(operation, (wish,)) for operation in operations for wish in wishes]
        taken = {item for one in subjects for item in range(one.first, one.last)}
        for other in self._pieces:
            other.loose = [item for item in other.loose if item not in taken]
        return (*operations, *made) if named else tuple(made)

    def _for_all(self, piece: Piece) -> bool:
        """Whether a piece says that it is meant for all, and so for no part that was named before it."""
        texts = [self._items[at].text for at in piece.items]
        return any(text in self._universal for text in texts) or bool(self._whole.within(texts))

    def _asked_for_all(self, task: Task) -> bool:
        return any(self._for_all(self._pieces[one]) for one in task.clauses)

    def _only_describes(self, piece: Piece) -> bool:
        """Whether a piece is one form alone behind what is added, comes in or takes over: "add strings, very quiet"."""
        said = [at for at in piece.items if self._items[at].kind != "amount"]
        form = list(range(piece.operations[0], self._end)) if piece.operations else []
        alone = piece.leads and len(piece.operations) == 1 and said in (piece.operations, form)
        return alone and bool(self._added) and self._added_in == piece.sentence

    def _softly_in(self, operations: tuple[Operation, ...], piece: Piece) -> bool:
        """Whether a piece only says that what came in right before does so softly: "but very soft"."""
        entered = self._last is not None and self._last.of_entrance and self._only_describes(piece)
        return entered and all(isinstance(one, Colour) and one.mood.energy < 0 for one in operations)

    def _finish_with(self, found: FormFit[OperationWords], at: int, piece: Piece) -> None:
        marks = [item for item in piece.items if self._items[item].kind != "word"]
        for item in (*range(at, found.end), *marks):
            self._orders.finishing.update(range(self._items[item].first, self._items[item].last))

    def _points_back(self, at: int, found: FormFit[OperationWords]) -> bool:
        """Whether "it" stands in or right before a form, as in "make it louder"."""
        near = self._items[max(0, at - 1) : found.end]
        return any(item.kind == "word" and item.text in self._referring for item in near)

    def _come_back(self, filled: Filled) -> bool:
        """Whether a form says where what was silenced last plays as before, which it then does."""
        if filled.words.operation != _RETURNING:
            return False
        place, tasks = filled.value("source"), self._orders.tasks
        if isinstance(place, PlaceRef) and tasks and tasks[-1].operation.of_absence:
            back = only_there(place, self._lexicon.song).places
            scope = tasks[-1].scope
            tasks[-1] = replace(tasks[-1], scope=replace(scope, excluded=(*scope.excluded, *back)))
        self._named = filled.parts or self._named
        return True

    def _keep(self, filled: Filled, piece: Piece) -> None:
        """What is said to stay."""
        found, wishes = filled.found, filled.parts
        spared = spared_by(found, self._lexicon)
        if found.value("part") == (Referring(),) and how_meant.is_for(self._items, found):
            # "keep it so people can talk over it"
            piece.doubt, piece.limits = CANNOT, False
            return
        if spared and only_aspect(self._items, found.end, self._lexicon):
            # "leave the chorus length" leaves no chorus alone
            piece.doubt, piece.limits = APART, False
            return
        if self._place and found.value("part") == (Referring(),):
            # "the chorus is great, leave it alone"
            self._orders.spared += self._place
            return
        aspect = found.value("aspect") or found.payload.variant
        if spared:
            self._orders.spared += spared
        elif isinstance(aspect, str) and aspect:
            self._orders.aspects.append(aspect)
        there = kept_there(piece, self._lexicon) if wishes else ()
        self._kept_there += [(wish, there) for wish in wishes if there]
        self._orders.kept += [wish for wish in wishes if wish not in self._orders.kept and not there]

    def _order(
        self, operation: Operation, piece: Piece, number: int, condition: If | None, words: str, said: OperationWords
    ) -> None:
        refs = piece.refs
        if operation.at_point:
            refs = [replace(ref, relation="in") if ref.relation == "since" else ref for ref in refs]
        if isinstance(operation, Cut):
            refs = cut_refs(refs)
        scope, after = scope_of(refs, self._lexicon.song, new=isinstance(operation, NewSection))
        if isinstance(operation, NewSection) and after:
            operation = replace(operation, after=True)
        met = None
        if condition is not None:
            meant = getattr(operation, "wish", None) or (self._named[0] if self._named else None)
            wish = meant if isinstance(condition.wish, Referring) else condition.wish
            met = Condition(wish, condition.present) if isinstance(wish, Wish) else None
        operation, scope = opening_of(operation, scope, any(ref.narrowed for ref in refs))
        tasks = self._orders.tasks
        if narrowed(tasks, operation, scope, number) or held_back(tasks, operation, number, self._lexicon.song):
            return
        if isinstance(operation, Restyle) and operation.others:
            self._orders.blend = operation
        self._last = operation
        every = piece.often[0].bars if piece.often else None
        amount = amount_of(piece.measures, operation, said.amount)
        task = Task(operation, scope, amount, met, every, words[:200], (number,))
        self._complaints += [task] if said.complaint else []
        if tasks and (limited := limited_by(tasks[-1], operation)) and self._beside(tasks[-1], piece, 0):
            tasks[-1] = replace(limited, clauses=(*limited.clauses, number))
            return
        if tasks and specifies(operation, tasks[-1]) and self._beside(tasks[-1], piece, int(not operation.says_how)):
            tasks[-1] = in_place_of(tasks[-1], task)
            return
        same = (at for at, done in enumerate(tasks) if (done.operation, done.scope) == (task.operation, task.scope))
        at = None if said.complaint else next((at for at in same if tasks[at] not in self._complaints), None)
        if at is None:
            tasks.append(task)
        else:
            tasks[at] = replace(tasks[at], clauses=(*tasks[at].clauses, number))

    def _beside(self, task: Task, piece: Piece, apart: int) -> bool:
        """Whether a task is asked for in the sentence of a piece, or at most so many before it."""
        return any(piece.sentence - self._pieces[number].sentence <= apart for number in task.clauses)

    def _finish(self) -> None:
        orders = self._orders
        orders.tasks = set_apart(answered(orders.tasks, self._complaints, self._asked_for_all), self._asked_for_all)
        if "length" in orders.aspects:
            orders.tasks = of_one_length(orders.tasks)
        for wish, places in self._kept_there:
            sparing_it = keeping_there(orders.tasks, wish, places, self._lexicon)
            orders.tasks = sparing_it if sparing_it is not None else orders.tasks
            orders.kept += [wish] if sparing_it is None and wish not in orders.kept else []
        if orders.spared:
            orders.tasks = [sparing(task, orders.spared, self._lexicon) for task in orders.tasks]
        orders.tasks = in_one_tempo(without_claim(bounded(orders.tasks)), self._lexicon.song)
        orders.tasks = in_one_key(handed_on(blended(orders.tasks)[:MOST_TASKS], self._lexicon), self._lexicon.song)
