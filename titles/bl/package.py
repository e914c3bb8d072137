"""18BL's starting round: who opens an auction, who must take private 1, and adjourning."""

from __future__ import annotations

from engine import events as ev
from engine.game import Game
from engine.rounds.operating import OperatingRound
from engine.rounds.package import Bids, StartingPackage


class Package(StartingPackage):
    """The six private companies."""

    def sold(self, game: Game, player: str, lot: str, price: int) -> None:
        """A private company comes with nothing while a player owns it."""

    def opens_auction(self, game: Game, bids: Bids) -> str:
        """The bidder next to the left of the highest one (BL-3-m)."""
        highest = max(bids, key=lambda entry: entry[1])[0]
        bidders = {player for player, _ in bids}
        return next(player for player in game.from_seat(highest)[1:] if player in bidders)

    def must_take(self, game: Game) -> str:
        """The holder of the priority deal (BL-3-s)."""
        return game.state.priority

    def all_passed(self, game: Game) -> None:
        """The round is adjourned: the private companies pay, and it goes on (BL-3-u)."""
        game.emit(ev.RoundBegan("short", game.state.round.stock_number, 0))
        operating = game.rules.rounds["operating"]
        assert isinstance(operating, OperatingRound)
        operating.pay_privates(game)

    def all_sold(self, game: Game, last_buyer: str) -> None:
        game.rules.round_over(game)
