"""Cards of a title's decks in words: those that lie open, and those in somebody's hand, for their eyes alone."""

from __future__ import annotations

from collections.abc import Sequence

from bot.names import shown
from bot.texts import Say
from bot.words.wording import card_name, words
from engine.game import Game


def card_line(say: Say, game: Game, card: str) -> str:
    """A card with what it is worth and what for."""
    say = say.of(game.definition.id)
    return say("cards.aim", card=card_name(say, card), worth=game.rules.cards[card], aim=words(say, "aim", card))


def hand_text(say: Say, game: Game, player: str) -> str:
    """What only this player may see; empty if there is nothing."""
    own = say.of(game.definition.id)
    lines: list[str] = []
    for kind, cards in game.hidden(player).items():
        lines.append(own("cards.hand", title=words(own, "hand", kind)))
        lines += [card_line(own, game, card) for card in cards]
    return "\n".join(lines)


def free_lines(say: Say, game: Game) -> list[str]:
    """The open cards that nobody has taken yet."""
    return [card_line(say, game, card.id) for card in game.rules.open_cards(game) if not card.owner]


def open_lines(say: Say, game: Game) -> list[str]:
    """All open cards: whose they are, what for, and whether they were paid."""
    own = say.of(game.definition.id)
    lines = free_lines(say, game)
    for card in game.rules.open_cards(game):
        if card.owner:
            facts = {"name": shown(card.owner), "card": card_name(own, card.id), "worth": card.worth}
            aim = words(own, "aim", card.id)
            lines.append(own("cards.paid", **facts) if card.paid else own("cards.owned", **facts, aim=aim))
    return lines


def end_cards(say: Say, game: Game) -> Sequence[str]:
    """Every card with what it has paid, when the game is over."""
    own = say.of(game.definition.id)
    return [
        own(
            "cards.end_paid" if card.paid else "cards.end_none",
            name=shown(card.owner),
            card=card_name(own, card.id),
            worth=card.worth,
        )
        for card in sorted(game.rules.open_cards(game), key=lambda card: game.state.seats.index(card.owner))
    ]
