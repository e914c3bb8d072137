"""The rules help: a topic in our own short words with the numbers of this game, and clauses of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import discord
from discord import ui

from bot.card.turn import Card
from bot.limits import TEXT_IN_MESSAGE, cut
from bot.names import called, shown
from bot.picking.buttons import _bot, _id, _Kept, rows_of
from bot.texts import Say
from bot.words.briefing import _actor, named
from bot.words.decks import open_lines
from bot.words.wording import round_text, vehicle
from engine.finance import shares
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.state import BANK
from titles import ledger
from titles.ledger import Clause

#: Topics, each with the kinds of rules that belong to it; those of the end stand in a section of their own.
TOPICS: dict[str, tuple[str, ...]] = {
    "order": ("turn.", "stock.take"),
    "limit": ("stock.limit", "stock.over", "stock.share_limit", "stock.pool"),
    "prices": ("stock.par", "stock.one_sale", "stock.floated"),
    "trains": ("train.",),
    "forced": ("forced.", "train.duty"),
    "end": ("end.",),
    "cards": ("cards.",),
}
#: Topics that are about prices, and mean nothing where nothing has one.
_PRICED = ("prices", "forced")
#: Clauses that a topic shows.
_MOST = 9


def topic_text(say: Say, game: Game, topic: str) -> str:
    """A topic: how it stands in this game, then the clauses about it."""
    head = say("rules.head", title=game.definition.name, topic=say(f"rules.topic_{topic}"))
    if topic in _PRICED and not game.definition.priced:
        return f"{head}\n{say('rules.free')}"
    lines = [head, *_NOW[topic](say, game)]
    found = topic_clauses(game, topic)
    if found:
        book = ledger.clauses(say.language)
        lines += ["", *(say("rules.clause_line", id=clause.id, text=book[clause.id].text) for clause in found)]
    return cut("\n".join(lines), TEXT_IN_MESSAGE)


def topic_clauses(game: Game, topic: str) -> Sequence[Clause]:
    """The clauses of this title about a topic."""
    book = ledger.clauses()
    if topic == "cards" and not game.rules.cards:
        return []
    ids = dict.fromkeys(
        clause for key, clause in game.rules.clauses.items() if any(key.startswith(part) for part in TOPICS[topic])
    )
    found = [book[each] for each in ids if each in book]
    if topic == "end" and not found:
        own = {book[each].title for each in game.rules.clauses.values() if each in book}
        found = [clause for clause in book.values() if clause.title in own and "End of the game" in clause.section]
    return found[:_MOST]


def _order(say: Say, game: Game) -> list[str]:
    round_ = game.state.round
    now, rounds = round_text(say, game), game.phase.operating_rounds
    lines = [say("rules.now", round=now, count=rounds) if rounds else say("rules.now_free", round=now)]
    actors = [round_.actor, *game.rules.rounds[round_.kind].upcoming(game)]
    listed = ", ".join(_actor(say, game, actor) for actor in actors if actor)
    if listed:
        lines.append(say("rules.order", list=listed))
    priority = "rules.priority" if game.definition.priced else "rules.begins"
    return [*lines, say(priority, name=called(say.of(game.definition.id), game.state.priority))]


def _limit(say: Say, game: Game) -> list[str]:
    held = [
        say(
            "rules.held",
            name=named(say, game, player),
            count=shares.certificates(game, player),
            limit=game.rules.limits.certificates(game, player),
        )
        for player in game.state.players
    ]
    most = game.definition.pool_limit
    pool = [say("rules.pool", percent=most)] if most < 100 else []
    return [say("rules.certificates", list=", ".join(held)), *pool]


def _prices(say: Say, game: Game) -> list[str]:
    market = game.definition.market
    pars = sorted({market.rows[row][column] for row, column in market.cells("p")})
    now = [f"{code} {game.prices.value(code)}" for code in game.prices.order()]
    lines = [say("rules.pars", list=", ".join(map(str, pars)))] if pars else []
    return [*lines, say("rules.prices", list=", ".join(now) or "–")]


def _trains(say: Say, game: Game) -> list[str]:
    sale = [
        say("card.train", train=vehicle(say, "the", train), price=price(game, train))
        if game.definition.priced
        else vehicle(say, "the", train)
        for train in on_sale(game)
    ]
    key = "rules.trains" if game.definition.priced else "rules.trains_free"
    lines = [say(key, phase=game.phase.name, limit=game.phase.train_limit, list=", ".join(sale) or "–")]
    for train in game.definition.trains:
        old = [vehicle(say, "all", other.name) for other in game.definition.trains if train.name in other.rusts_on]
        if old and not game.state.depot.sold[train.name]:
            lines.append(say("rules.rusts", train=vehicle(say, "the", train.name), list=", ".join(old)))
    return lines


def _forced(say: Say, game: Game) -> list[str]:
    without = [name for name, company in game.state.companies.items() if company.floated and not company.trains]
    lines = [say("rules.without", list=", ".join(without) or "–")]
    cheapest = min((price(game, train) for train in [*on_sale(game), *game.state.depot.pool]), default=0)
    return [*lines, say("rules.cheapest", price=cheapest)] if cheapest else lines


def _end(say: Say, game: Game) -> list[str]:
    state = game.state
    priced = game.definition.priced
    lines = [say("rules.bank", amount=max(state.cash[BANK], 0))] if priced else []
    if state.bank_broken:
        lines.append(say("event.BankBroke"))
    scores = sorted(game.rules.score(game).items(), key=lambda item: -item[1])
    worth = "rules.worth" if priced else "rules.received"
    return [*lines, say(worth, list=", ".join(f"{shown(name)} {worth} M" for name, worth in scores))]


def _cards(say: Say, game: Game) -> list[str]:
    lines = open_lines(say, game)
    return [say("cards.open"), *lines] if lines else [] if game.rules.cards else [say("cards.none")]


_NOW: dict[str, Callable[[Say, Game], list[str]]] = {
    "order": _order,
    "limit": _limit,
    "prices": _prices,
    "trains": _trains,
    "forced": _forced,
    "end": _end,
    "cards": _cards,
}


def clause_text(say: Say, clause: Clause) -> str:
    """A clause with where it stands."""
    return cut(say("rules.clause", id=clause.id, section=clause.section, text=clause.text), TEXT_IN_MESSAGE)


class WhyButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=r"w:(?P<rule>[A-Z]+-[\w.*-]+)"):
    """Shows the clause that a refusal cites."""

    @classmethod
    def make(cls, rule: str, label: str) -> Self:
        return cls(ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=_id("w", rule)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        say = await _bot(interaction).services.people.say_to(interaction)
        clause = ledger.find(self.match["rule"], say.language)
        text = clause_text(say, clause) if clause is not None else say("refuse.no_clause", clause=self.match["rule"])
        await interaction.edit_original_response(view=Card(text))


def why_rows(say: Say, rule: str) -> list[ui.ActionRow[Any]]:
    """The button under a refusal, if the ledger has its clause."""
    return rows_of([WhyButton.make(rule, say("refuse.why"))]) if ledger.find(rule) is not None else []
