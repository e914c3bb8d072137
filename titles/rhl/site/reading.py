"""Plays a game of 18xx.games again with our rules, action by action, up to what cannot be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine import moves as mv
from engine.board.faces import stop_letter
from engine.errors import BadGame, Refused
from engine.finance.depot import on_sale
from engine.game import Game
from engine.state import BANK, OFFERING, POOL
from titles.registry import Foreign, new_game
from titles.rhl.site import words
from titles.rhl.site.standing import IDLE, Action, standing
from titles.rhl.site.trains import NumberedTrains, kind

#: The longest file: a game has some 600 actions, and people take back and leave programs at will.
MOST_ACTIONS = 20_000
#: The longest name of a player that is taken over.
LONGEST_NAME = 32
#: So many steps in a row may have been passed by the site without a word.
_SILENT = 8
#: So many seeds are tried for one that draws the wanted order card.
_SEEDS = 1_000


class Untranslated(Exception):
    """An action for which we have no move; the text says why."""


#: What comes of an action that is not as the site writes it.
_MALFORMED = (Untranslated, LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


def read(data: Mapping[str, Any]) -> Foreign:
    """The game of a file; BadGame says what is wrong with the file, `Foreign.stopped` what could not be translated."""
    actions = data.get("actions")
    if not isinstance(actions, list):
        raise BadGame("the file has no list of actions")
    if len(actions) > MOST_ACTIONS:
        raise BadGame(f"the file has more than {MOST_ACTIONS} actions")
    names = _players(data.get("players"))
    settings = data.get("settings")
    if not isinstance(settings, dict) or type(settings.get("seed")) is not int:
        raise BadGame("the file has no seed")
    if settings.get("optional_rules"):
        raise BadGame("the game was played with variants of that site, which cannot be translated")
    if settings.get("player_order"):
        raise BadGame("the file has an order of players of its own, which cannot be translated")
    ours = words.our_seed(data.get("description"))
    reader = _Reader(_begin(list(names.values()), settings["seed"], () if ours is None else (ours,)), names)
    wishes = [action for action in standing(actions) if action.type not in IDLE]
    for position, action in enumerate(wishes):
        try:
            reader.make(action, wishes[position + 1] if position + 1 < len(wishes) else None)
        except (Refused, *_MALFORMED) as error:
            why = error if isinstance(error, Refused | Untranslated) else Untranslated("it is malformed")
            return Foreign(reader.game, names, str(action), why)
    return Foreign(reader.game, names)


def _players(given: Any) -> dict[Any, str]:
    """The players' names by the site's numbers, in the order of their seats."""
    if not isinstance(given, list) or not given:
        raise BadGame("the file has no list of players")
    found: dict[Any, str] = {}
    for number, each in enumerate(given, start=1):
        if not isinstance(each, dict) or type(each.get("id")) not in (int, str) or each["id"] in found:
            raise BadGame(f"player {number} of the file has no number of their own")
        name = each.get("name")
        good = isinstance(name, str) and name.isprintable() and 0 < len(name.strip()) <= LONGEST_NAME
        name = name.strip() if good and isinstance(name, str) else f"Player {number}"
        while name in found.values():
            name = f"{name} ({number})"
        found[each["id"]] = name
    return found


def _begin(seats: Sequence[str], seed: int, first: Sequence[int]) -> Game:
    """A new game in which these people sit in this order and the site's order card is drawn."""
    for ours in (*first, *range(_SEEDS)):
        try:
            game = new_game("rhl", seats, {"edition": "earlier"}, ours, "base")
        except Refused as error:
            raise BadGame("the game cannot be set up", error) from None
        if words.drawn_card(game) == words.location_card(seed, len(words.cards_of(game.definition))):
            # Whoever joins as the n-th is seated by the seed alone: let the one join there who is to have that seat.
            joining = [seats[game.state.seats.index(name)] for name in game.players]
            return new_game("rhl", joining, {"edition": "earlier"}, ours, "base")
    raise BadGame("no seed of ours draws the order card of this game")


class _Reader:
    """The game so far, and where the site's numbered certificates and trains are."""

    def __init__(self, game: Game, names: Mapping[Any, str]) -> None:
        self.game = game
        self.names = names
        #: Where each numbered certificate lies.
        self.shares: dict[str, str] = {
            f"{name}_{number}": where
            for name, company in game.state.companies.items()
            for number, where in enumerate(company.certificates)
        }
        self.trains = NumberedTrains()
        #: Where each numbered tile was laid last.
        self.laid: dict[str, str] = {}

    def make(self, action: Action, following: Action | None) -> None:
        """Make the move of an action, and before it what the site passed without a word."""
        if action.type == "pass":
            self._pass(action, following)
            return
        if action.type == "run_routes" and not action.data["routes"] and not self._runs(action.entity):
            return
        if action.type != "discard_train" or self._must_discard(action.entity):
            self._silently(lambda: self._move(action))
            self.game.apply(self._move(action))
        self._noted(action)
        self._consent()
        self.trains.settle(self.game)

    def _runs(self, company: Any) -> bool:
        round_ = self.game.state.round
        return round_.actor == company and round_.step == "run"

    def _must_discard(self, company: Any) -> bool:
        """Whether there is a train to choose; where there is none, our rules have given it up by themselves."""
        return any(
            choice.name == mv.DiscardTrain.TYPE and choice.company == company for choice in self.game.offer().choices
        )

    def _silently(self, wanted: Callable[[], mv.Move]) -> None:
        """Pass a company's steps until a move is possible; Refused says why it is not, whatever was passed.

        The site leaves out steps in which it sees no option; it never leaves out a person's turn.
        """
        before = self.game
        refused: Exception | None = None
        for _ in range(_SILENT + 1):
            try:
                self.game.check(wanted())
                return
            except (Refused, Untranslated) as error:
                refused = refused or error
            if self.game.state.round.kind != "operating":
                break
            if self.game is before:
                self.game = before.copy()
            if not self._passed():
                break
        self.game = before
        assert refused is not None
        raise refused

    def _passed(self) -> bool:
        """Pass for whoever decides, if that is possible."""
        choice = None if self.game.finished else self.game.offer().find("pass")
        if choice is None:
            return False
        self.game.apply(choice.move({}))
        return True

    def _pass(self, action: Action, following: Action | None) -> None:
        """A pass of the file, unless we have left the step that it ends: its site saw an option where we see none."""
        if not self._decides(action.entity):
            return
        without = self.game.copy()
        if not self._passed():
            return
        if following is None or following.type == "pass" or following.entity != action.entity:
            return
        after, self.game = self.game, without
        skipped = self._possible(following)
        self.game = after
        if skipped and not self._possible(following):
            self.game = without

    def _possible(self, action: Action) -> bool:
        """Whether an action could be made now or after silent passes."""
        before = self.game
        try:
            self._silently(lambda: self._move(action))
        except (Refused, *_MALFORMED):
            return False
        finally:
            self.game = before
        return True

    def _decides(self, entity: Any) -> bool:
        if self.game.finished:
            return False
        name = self.names.get(entity)
        return name in self.game.offer().deciders if name is not None else self.game.state.round.actor == entity

    def _consent(self) -> None:
        """The site has no action for the director who sells a train to another's company: they have agreed."""
        pauses = self.game.state.pauses
        if pauses and pauses[0].kind == "train_sale":
            self.game.apply(mv.Answer(pauses[0].players[0], "accept"))

    # ------------------------------------------------------------------ moves

    def _move(self, action: Action) -> mv.Move:
        """Our move for an action."""
        game, data = self.game, action.data
        player = self._player(action.entity)
        match action.type:
            case "bid":
                lot = words.PRIVATES[data["company"]]
                bought = data["price"] == self.game.definition.privates[lot].price and self._fits(
                    mv.BuyLot(player, lot)
                )
                return mv.BuyLot(player, lot) if bought else mv.Bid(player, lot, data["price"])
            case "par":
                return mv.Found(player, data["corporation"], int(data["share_price"].split(",")[0]))
            case "buy_shares":
                return self._purchase(player, data)
            case "sell_shares":
                company = data["shares"][0].rpartition("_")[0]
                if company == action.entity:
                    return mv.SellOwnShares(player, company, data["percent"])
                return mv.SellShares(player, company, data["percent"])
            case "lay_tile":
                tile = words.tile_of(data["tile"])
                rotation = words.rotation_of(game.definition, tile, data["rotation"])
                builder, granted = self._actor(action.entity), self._private(action)
                return mv.LayTile(player, builder, data["hex"], tile, rotation, granted)
            case "place_token":
                tile, _, stop = data["city"].rpartition("-")
                where, builder = self._where(tile), self._actor(action.entity)
                return mv.PlaceStation(player, builder, where, int(stop), self._private(action))
            case "run_routes":
                routes = [route for route in data["routes"] if route["connections"]]
                return mv.Run(player, action.entity, tuple(self._path(route) for route in routes))
            case "dividend":
                return mv.Dividend(player, action.entity, words.KINDS[data["kind"]])
            case "buy_train":
                return self._train(player, action)
            case "discard_train":
                return mv.DiscardTrain(player, action.entity, kind(data["train"]))
            case "bankrupt":
                return mv.GoBankrupt(player, game.state.round.actor)
        raise Untranslated("we have no move for it")

    def _player(self, entity: Any) -> str:
        """A person, or who decides for a company; a private company acts for whoever's turn it is."""
        if entity in self.names:
            return self.names[entity]
        return self.game.company(self._actor(entity)).director

    def _actor(self, entity: Any) -> str:
        if entity in self.game.state.companies:
            return str(entity)
        if entity not in words.PRIVATES:
            raise Untranslated(f"nobody is called {entity!r:.20}")
        return self.game.state.round.actor

    def _private(self, action: Action) -> str:
        """The private company that grants a move; a company of the same symbol acts for itself."""
        return "" if action.entity in self.game.state.companies else words.PRIVATES[action.entity]

    def _fits(self, move: mv.Move) -> bool:
        try:
            self.game.check(move)
        except Refused:
            return False
        return True

    def _purchase(self, player: str, data: Mapping[str, Any]) -> mv.Move:
        """A certificate from where it lies: the site numbers them, and we know who had that one last."""
        share = data["shares"][0]
        company = share.rpartition("_")[0]
        sources = [POOL, OFFERING, company] if self.shares.get(share) == POOL else [OFFERING, company, POOL]
        moves = [mv.BuyShare(player, company, source, data["percent"]) for source in sources]
        return next((move for move in moves if self._fits(move)), moves[0])

    def _train(self, player: str, action: Action) -> mv.Move:
        """A train from whoever has it: the site numbers the trains of a kind."""
        game, data = self.game, action.data
        train, price = kind(data["train"]), data["price"]
        had = self.trains.owners.get(data["train"], BANK if train == next(iter(on_sale(game)), None) else POOL)
        others = [name for name, company in game.state.companies.items() if train in company.trains]
        moves = [mv.BuyTrain(player, action.entity, train, source, price) for source in (had, BANK, POOL, *others)]
        return next((move for move in moves if self._fits(move)), moves[0])

    def _noted(self, action: Action) -> None:
        """Remember where numbered things are now."""
        data = action.data
        match action.type:
            case "par":
                self.shares[f"{data['corporation']}_0"] = self.names[action.entity]
            case "buy_shares" | "sell_shares":
                to = POOL if action.type == "sell_shares" else self._player(action.entity)
                self.shares.update(dict.fromkeys(data["shares"], to))
            case "buy_train":
                self.trains.owners[data["train"]] = action.entity
            case "discard_train":
                self.trains.owners[data["train"]] = POOL
            case "lay_tile":
                self.laid[data["tile"]] = data["hex"]

    # ------------------------------------------------------------------ places and routes

    def _where(self, tile: str) -> str:
        """The hex of a city: that of a printed one is in its name, laid tiles are numbered."""
        name = tile.rpartition("-")[0]
        at = name if name in self.game.definition.map.hexes else self.laid.get(tile)
        if at is None:
            raise Untranslated(f"tile {tile:.10} has not been laid")
        return at

    def _path(self, route: Mapping[str, Any]) -> mv.TrainPath:
        """A route as a path: its connections strung together from one end to the other."""
        pieces = [self._piece(chain, route) for chain in route["connections"]]
        here = _end(pieces)
        path = [_name(here)]
        while pieces:
            piece = next((piece for piece in pieces if here in (piece[0], piece[-1])), None)
            if piece is None:
                raise Untranslated(f"the route of {route['train']!r:.10} breaks off at {here[0]}")
            pieces.remove(piece)
            _, *between, other = piece if piece[0] == here else piece[::-1]
            path += [at for at, _ in between]
            here = other
            path.append(_name(here))
        return mv.TrainPath(kind(route["train"]), tuple(path))

    def _piece(self, chain: Sequence[str], route: Mapping[str, Any]) -> list[tuple[str, int]]:
        """A connection between two stops, with the hexes between them (which have no stop: -1)."""
        if len(chain) == 1:
            inside = [stop for at, stop in _stops(route) if at == chain[0]]
            if len(inside) != 2:
                raise Untranslated(f"nothing says which stops of {chain[0]!r:.5} are joined")
            return [(chain[0], stop) for stop in inside]
        first = (chain[0], self._stop(chain[0], chain[1], route))
        last = (chain[-1], self._stop(chain[-1], chain[-2], route))
        return [first, *((at, -1) for at in chain[1:-1]), last]

    def _stop(self, at: str, towards: str, route: Mapping[str, Any]) -> int:
        """The stop of a hex from which track leads to a neighbour."""
        face = self.game.board.faces[at]
        sides = [side for side, other in enumerate(self.game.definition.map.neighbours[at]) if other == towards]
        named = {stop for where, stop in _stops(route) if where == at}
        found = [stop for stop, exits in enumerate(face.stop_exits) if any(exits >> side & 1 for side in sides)]
        best = [stop for stop in found if stop in named] or found
        if not best:
            raise Untranslated(f"no stop of {at} has track to {towards}")
        return best[0]


def _stops(route: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The stops that a route names."""
    for node in route["nodes"]:
        at, _, stop = node.rpartition("-")
        yield at, int(stop)


def _end(pieces: Sequence[Sequence[tuple[str, int]]]) -> tuple[str, int]:
    """An end of a route: a stop to which only one connection leads."""
    ends = [end for piece in pieces for end in (piece[0], piece[-1])]
    found = next((end for end in ends if ends.count(end) == 1), None)
    if found is None:
        raise Untranslated("a route has no end")
    return found


def _name(stop: tuple[str, int]) -> str:
    return f"{stop[0]}:{stop_letter(stop[1])}"
