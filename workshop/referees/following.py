"""Plays games among house players and hands them to a referee move by move, as plain data."""

from __future__ import annotations

import dataclasses
import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import titles
from engine import records
from engine.errors import BadMove, Refused
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move, from_json, to_json
from workshop.referees.whistle import Appoint, Plain, Position, Referee, filled
from workshop.soak import NAMES, mutants

#: Of so many wrong verdicts in one game no more are told.
TOLD = 5
#: What the engine notes of a position for itself, and what has no order.
INNER = ("own", "turn", "step")
BAGS = ("pool", "gone", "aside")
TRAINS = ("loads", "wagons")


@dataclass(frozen=True)
class Played:
    """Which game is played."""

    title: str
    form: str
    players: int
    house: str
    seed: int
    options: Mapping[str, Any]

    def __str__(self) -> str:
        options = "".join(f" {name}={value}".lower() for name, value in sorted(self.options.items()))
        return f"{self.title}:{self.form} {self.players} players {self.house} seed {self.seed}{options}"


@dataclass(frozen=True)
class Disagreement:
    """One line: the game, the number of the move, what the referee expected, what the engine has, the clause."""

    game: Played
    move: int
    about: str
    expected: str
    has: str
    clause: str

    def __str__(self) -> str:
        clause = f" [{self.clause}]" if self.clause else ""
        return (
            f"{self.game}, move {self.move}, {self.about}: {self.expected} expected, the engine has {self.has}{clause}"
        )


@dataclass
class Report:
    """What came of a game: how much was compared, and where they disagree."""

    moves: int = 0
    positions: int = 0
    compared: int = 0
    refused: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    end: str = ""
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Count another game as well."""
        self.moves += other.moves
        self.positions += other.positions
        self.compared += other.compared
        self.refused += other.refused
        self.kinds += other.kinds
        self.disagreements += other.disagreements


def plain(value: Any) -> Any:
    """JSON values: what was a tuple is a list."""
    return json.loads(json.dumps(value))


def position(game: Game) -> Position:
    """The position by the names of its parts, without what the engine notes of a turn for itself."""
    data = game.state.data()
    data.pop("pauses")
    data["facts"] = {**data.get("facts", {}), **records.told(data.pop("own"))}
    for name in INNER:
        data["round"].pop(name)
    for name, company in data["companies"].items():
        company["trains"].sort()
        shares = game.definition.corporations[name].shares
        # Which of two certificates of the same size somebody holds is nothing to anybody; the director is named apart.
        company["certificates"] = sorted(map(list, zip(shares, company["certificates"], strict=True)))
    for name in BAGS:
        data["depot"][name].sort()
    for name in TRAINS:
        for entries in data["facts"].get(name, {}).values():
            entries.sort()
    data["phase"] = game.phase.name
    if game.finished:
        data["scores"] = game.rules.score(game)
    return filled(data)


def offered(game: Game) -> dict[str, Any]:
    """Who has to decide, and the kinds of moves that each of them may make."""
    if game.finished:
        return {}
    offer = game.offer()
    kinds = {player: sorted({choice.name for choice in offer.of(player)}) for player in offer.deciders}
    return {"deciders": sorted(offer.deciders), "offered": kinds}


def near_misses(game: Game, move: Move, used: Mapping[str, set[Any]], chance: random.Random) -> list[Move]:
    """Moves much like a good one: some with odd values, some with values that other moves of this game had."""
    result = mutants(game, move, chance)
    for part in dataclasses.fields(move):
        others = sorted(used[f"{move.TYPE}.{part.name}"] - {getattr(move, part.name)}, key=str)
        if others:
            other: dict[str, Any] = {part.name: chance.choice(others)}
            result.append(dataclasses.replace(move, **other))
    return [wrong for wrong in result if wrong != move]


def refusal(game: Game, move: Move) -> str:
    """Why the engine refuses a move; nothing if it is allowed."""
    try:
        game.check(from_json(to_json(move)))
    except Refused as refused:
        return str(refused)
    except BadMove as bad:
        return str(bad)
    return ""


def follow(played: Played, appoint: Appoint, misses: bool = True) -> Report:
    """Play a game to its end with a referee beside it; it stops where the two do not stand alike any more."""
    names = NAMES[: played.players]
    game = titles.new_game(played.title, names, played.options, played.seed, played.form)
    house = HOUSES[played.house]()
    chance = random.Random(played.seed)
    used: defaultdict[str, set[Any]] = defaultdict(set)
    report = Report()
    referee = appoint(
        {
            "title": played.title,
            "form": played.form,
            "players": list(names),
            "options": plain(dict(game.rules.setup.options)),
            "position": position(game),
        }
    )
    stands = _alike(played, game, referee, report)
    while stands and not game.finished:
        move = house.choose(game, chance.choice(game.offer().deciders), chance)
        if misses:
            for wrong in near_misses(game, move, used, chance):
                _judge(played, game, referee, wrong, report)
        if not _judge(played, game, referee, move, report):
            break
        for part in dataclasses.fields(move):
            used[f"{move.TYPE}.{part.name}"].add(getattr(move, part.name))
        events = [plain(event.data()) for event in game.apply(move)]
        report.kinds[move.TYPE] += 1
        report.moves += 1
        referee.follow(plain(to_json(move)), events)
        stands = _alike(played, game, referee, report)
    report.end = game.state.finished
    return report


def _judge(played: Played, game: Game, referee: Referee, move: Move, report: Report) -> bool:
    """Whether the two say the same of a move."""
    ours = refusal(game, move)
    theirs = referee.verdict(plain(to_json(move)))
    report.compared += 1
    report.refused += bool(ours)
    if bool(ours) == bool(theirs):
        return True
    if len(report.disagreements) < TOLD:
        words = (f"refused ({theirs})" if theirs else "allowed", f"refused ({ours})" if ours else "allowed")
        about = json.dumps(to_json(move), ensure_ascii=False)
        report.disagreements.append(Disagreement(played, len(game.moves) + 1, about, *words, ""))
    return False


def _alike(played: Played, game: Game, referee: Referee, report: Report) -> bool:
    """Whether position and deciders are the same; what is not is reported."""
    wants = filled(referee.position()) | filled({"deciders": sorted(referee.deciders())})
    told = offered(game)
    if not any(name.startswith("offered.") for name in wants):
        # A referee need not say which kinds of moves there are: it judges every move that is made.
        told.pop("offered", None)
    has = position(game) | filled(told)
    leaves = tuple(referee.leaves)
    unlike = sorted(name for name in has.keys() | wants.keys() if wants.get(name) != has.get(name))
    wrong = [
        Disagreement(played, len(game.moves), name, _word(wants.get(name)), _word(has.get(name)), referee.clause(name))
        for name in unlike
        if not name.startswith(leaves) and plain(wants.get(name)) != has.get(name)
    ]
    report.disagreements += wrong
    report.positions += not wrong
    return not wrong


def _word(value: Plain | Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
