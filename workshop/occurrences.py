"""What happens in games: the rarer things, by name, so that simulated games can tell whether each of them occurred."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from engine import events as ev
from engine.board.faces import stop_letter
from engine.game import Game
from engine.moves import Answer, Move
from engine.position import view
from engine.rules import Rules
from engine.state import OFFERING, POOL
from titles.bl.privates import PrivateBought
from titles.do.board.remembered import Failed, SoldBeer
from titles.do.brewery.breweries import EquipmentGone
from titles.do.brewery.loading import ExportNamed
from titles.do.brewery.trading import TradedIn
from titles.do.expert.investing import MarkerBought
from titles.do.expert.special import EventUsed
from titles.do.railways.private_breweries import MarkerLeft
from titles.lra.harbour import HarbourPlaced
from titles.rhineland.investor import CardMoved
from titles.rhineland.link import LinkBuilt
from titles.rhl.contract import token_hex
from titles.ruhr.founding import FoundMontan
from titles.ruhr.locations import LinkMade

#: Events that are told by their names alone.
PLAIN = {
    ev.CompanyClosed: "company closed",
    ev.PlayerRetired: "player bankrupt",
    ev.BankBroke: "bank broken",
    PrivateBought: "private sold to a company",
    ev.TrainDiscarded: "train discarded",
    ev.DirectorChanged: "director changed",
    ev.DirectorAdded: "director added",
    ev.LoanTaken: "loan taken",
}


@cache
def investors_company(game: Game) -> str:
    """The Investor's company, in whichever title he sits."""
    found: str = view(game.state.data(), ())["fact.investor"]["company"]
    return found


def _expected() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def possible(title: str, rules: Rules) -> set[str]:
    """What should occur at least once among many games of a form: its row in the table, and every card paid."""
    return {f"card {card} paid" for card in rules.cards} | listed(title, rules)


def listed(title: str, rules: Rules) -> set[str]:
    """What the table says of a form with its options, its lots and its companies."""
    row = _expected().get(f"{title}:{rules.setup.form}", {})
    chosen = {f"{name}={str(value).lower()}" for name, value in rules.setup.options.items()}
    chosen |= {f"with {name}" for name in (*rules.definition.privates, *rules.definition.corporations)}
    return {*row.get("always", ()), *(thing for key in chosen for thing in row.get(key, {}).get("always", ()))}


def seen(game: Game, move: Move, happened: Iterable[ev.Event]) -> set[str]:
    """The things that one move brought about; `game` is the position after it."""
    result = {f"move {move.TYPE}"}
    if move.TYPE == "dividend":
        result.add(f"dividend {getattr(move, 'kind', '')}")
    if move.TYPE == "answer":
        result.add(f"answer {getattr(move, 'reply', '')}")
    if move.TYPE == "sell_shares" and game.state.round.kind == "operating":
        result.add("forced sale")
    happened = list(happened)
    if isinstance(move, Answer):
        result.add(f"answer {move.reply} in {game.state.round.kind} rounds")
        if any(isinstance(event, ExportNamed) for event in happened):
            result.add("export agreed")
        elif move.reply == "decline" and (now := SoldBeer.seen(game)) and now.unwilling:
            result.add("export refused")
    if isinstance(move, FoundMontan):
        paid = any(isinstance(event, ev.Paid) and event.reason == "director" for event in happened)
        result.add(f"founded from {'a passive' if paid else 'an active'} company")
    bought = ""
    for event in happened:
        if type(event) in PLAIN:
            result.add(PLAIN[type(event)])
        match event:
            case ev.TrainBought(_, train, source, _):
                bought = game.definition.train(train).kind
                result.add(f"bought {train}")
                if source in game.state.companies:
                    result.add("train traded")
            case ev.PhaseChanged(phase, _):
                result |= {f"phase {phase}", f"phase by {bought}"}
            case ev.TileLaid() if event.private:
                result |= {"tile laid by a private company", f"tile laid by {event.private}"}
            case ev.GameEnded():
                result.add(f"end {event.reason}")
                for card in game.rules.open_cards(game):
                    result.add(f"card {card.id} {'paid' if card.paid else 'missed'}")
            case ev.TrainsRun():
                result |= {f"ran {train}" for train, _, _ in event.routes}
                result |= {f"bonus {name}" for name in bonuses(game, event)}
                result |= {f"token {how}" for how in token_uses(game, event)}
            case ev.StationPlaced() if event.private:
                result.add(f"station by {event.private}")
            case ev.StationPlaced() if event.cost not in game.definition.corporations[event.company].tokens:
                result.add("dearer station")
            case LinkBuilt():
                result.add(f"link of {event.company}")
            case CardMoved():
                result.add(f"Investor's company {investors_company(game)}")
            case ev.DirectorAdded(payer, _, _) if payer in game.state.seatless:
                result.add("Investor's forced purchase")
            case ev.LoanTaken(player, _) if player in game.state.seatless:
                result.add("Investor's loan")
            case ev.SharesSold(seller, _, _, _) if seller in game.state.seatless:
                result.add(f"Investor's sale in {game.state.round.kind}")
            case HarbourPlaced():
                how = "by reservation" if event.private else f"in {game.phase.colour}"
                result |= {f"harbour token {how}", f"harbour token by {event.private or 'nobody'}"}
            case LinkMade() if event.private:
                result.add("link by a private company")
            case MarkerBought():
                whence = "" if event.source == "bank" else " from a company"
                result |= {f"investment {event.marker}", f"investment {event.marker}{whence}"}
            case EventUsed():
                result.add(f"event {event.marker}")
            case ev.BankBroke():
                result.add(f"bank broken in {game.state.round.kind} rounds")
            case MarkerLeft() if event.company:
                result.add(f"marker of {event.private} used")
            case ev.CompanyFounded():
                result.add(f"{event.company} founded")
                if (fallen := Failed.seen(game)) is not None and event.company in fallen.failed:
                    result.add("founded again")
            case ev.CertificateMoved() if move.TYPE == "sell_shares" and (event.source, event.target) == (
                POOL,
                move.player,
            ):
                result.add("sold in part")
            case EquipmentGone():
                result.add(f"equipment gone: {event.reason}")
            case TradedIn():
                found = {OFFERING: "a director's certificate", POOL: "one of the pool"}
                result.add(f"traded in for {found.get(event.source, 'a share')}")
        if isinstance(event, ev.DirectorAdded):
            result.add(f"director added to a {game.definition.corporations[event.company].kind}")
        if type(event).__module__.startswith("titles."):
            result.add(type(event).__name__)
    return result


def bonuses(game: Game, event: ev.TrainsRun) -> set[str]:
    """What trains earned besides their stops, by name; the board is still as they ran on it.

    A railway that has failed at once has no routes any more.
    """
    if not game.company(event.company).floated:
        return set()
    router = game.router(event.company)
    parts = (part for train, _, path in event.routes for part in router.trace(train, path).parts)
    return {part.what for part in parts if ":" not in part.what and part.amount}


def token_uses(game: Game, event: ev.TrainsRun) -> set[str]:
    """What the Rheingold token did for a run: a train ran over its hex, or needed it."""
    at = token_hex(game, event.company)
    over = {path for train, _, path in event.routes if train == "8" and any(w.startswith(f"{at}:") for w in path)}
    if not at or not over:
        return set()
    board = game.board
    own = {f"{hex_}:{stop_letter(stop)}" for hex_, stop in board.stations_of(event.company)}
    full = any(
        word.startswith(f"{at}:") and not board.open_for(event.company, at, ord(word[-1]) - ord("a"))
        for path in over
        for word in path[1:-1]
    )
    return {
        "visited",
        *(["passed"] if full else []),
        *(["as the only station"] if any(not own & {*path} for path in over) else []),
    }
