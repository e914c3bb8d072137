"""A position and its events as plain text for the terminal."""

from __future__ import annotations

from typing import Any

from bot.names import plain
from bot.texts import speaker
from bot.words.wording import refusal, round_text
from engine import events as ev
from engine.board.faces import stop_letter
from engine.errors import BadGame, Refused
from engine.finance import shares
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.offer import Choice, Number
from engine.state import BANK, POOL


def told(error: BaseException) -> str:
    """What went wrong, in English."""
    match error:
        case Refused():
            clause = f" [{error.rule}]" if error.rule else ""
            return f"{refusal(speaker('en'), error, plain).removesuffix('.')}{clause}"
        case BadGame(sentence=sentence, why=why) if why is not None:
            return f"{sentence}: {told(why)}"
    return str(error)


def where(game: Game) -> str:
    """The round and whose turn it is."""
    round_ = game.state.round
    if game.finished:
        return f"over ({game.state.finished})"
    turn = f", {round_.actor}: {round_.step}" if round_.actor in game.state.companies else ""
    return f"{round_text(speaker('en'), game)}{turn}; to decide: {', '.join(game.offer().deciders)}"


def describe(game: Game) -> str:
    """Players, companies, depot and turn on one page."""
    state = game.state
    scores = game.rules.score(game)
    priced = game.definition.priced
    lines = [
        f"{game.definition.name}, move {len(game.moves)}: {where(game)}",
        f"phase {game.phase.name} ({game.phase.colour}), "
        + (f"bank {state.cash[BANK]}, trains on sale: " if priced else "next train: ")
        + (", ".join(f"{t} for {price(game, t)}" if priced else t for t in on_sale(game)) or "none")
        + (f", in the pool: {', '.join(state.depot.pool)}" if state.depot.pool else ""),
        "",
    ]
    limit = game.rules.limits.certificates(game, game.players[0])
    for player in state.players:
        held = [
            f"{name} {shares.held(game, name, player)}%{'*' if company.director == player else ''}"
            for name, company in state.companies.items()
            if shares.held(game, name, player)
        ]
        privates = [name for name, owner in state.privates.items() if owner == player]
        loan = f", loan {state.loans[player]}" if state.loans[player] else ""
        money = f"cash {state.cash[player]:>5}  worth" if priced else "received"
        counted = f"certificates {shares.certificates(game, player)}/{limit}"
        lines.append(
            f"{'>' if player == state.priority else ' '} {player:<12} "
            f"{money} {scores.get(player, '-'):>5}  {counted}  {' '.join(held + privates)}{loan}"
        )
    lines.append("")
    for name in [*game.prices.order(), *(n for n, c in state.companies.items() if c.price is None)]:
        company = state.companies[name]
        if company.price is None and (priced or not company.floated):
            lines.append(f"  {name:<4} {'closed' if company.closed else 'not founded'}")
            continue
        stations = ", ".join(f"{at}:{stop_letter(stop)}" for at, stop in game.board.stations_of(name))
        owned = ", ".join(thing.replace("_", " ") for thing in game.rules.possessions(game, name))
        price_ = f" {game.prices.value(name):>4}" if priced else ""
        treasury = f"treasury {state.cash[name]}, " if priced else ""
        own = f"own {shares.held(game, name, name)}%, " if priced else ""
        lines.append(
            f"  {name:<4}{price_}  {'' if company.floated else 'not floated, '}director "
            f"{company.director or '-'}, {treasury}trains {' '.join(company.trains) or '-'}, "
            f"{own}pool {shares.held(game, name, POOL)}%, "
            f"last revenue {company.last_revenue if company.last_revenue is not None else '-'}, "
            f"stations {stations or '-'}{f', owns {owned}' if owned else ''}"
        )
    return "\n".join(lines)


def standings(game: Game) -> str:
    """What everybody is worth on one line, the most first; at the end these are the final scores."""
    scores = sorted(game.rules.score(game).items(), key=lambda each: -each[1])
    return f"{'Final scores' if game.finished else 'Standings'}: " + ", ".join(
        f"{name} {worth}" for name, worth in scores
    )


def event_line(event: ev.Event) -> str:
    """One line for an event; nothing for those that another line tells already."""
    match event:
        case ev.Paid(source, target, amount, reason, about):
            return f"{source} pays {amount} to {target}: {reason.replace('_', ' ')}{f' {about}' if about else ''}"
        case ev.Passed(player, company, step):
            return f"{player} passes ({company + ' ' if company else ''}{step})"
        case ev.RoundBegan(kind, stock, number):
            return f"-- {kind} round {stock}{f'.{number}' if number else ''}"
        case ev.TurnBegan(actor):
            return f"- {actor}"
    data = event.data()
    name = data.pop("type")
    return f"{name}: " + ", ".join(f"{key} {value}" for key, value in data.items() if value not in ("", ()))


def choice_line(choice: Choice[Any]) -> str:
    """A kind of move on offer, for a menu."""
    words = choice.name.replace("_", " ")
    private = choice.granted_by
    what = ", ".join(filter(None, (choice.company, private)))
    return f"{words} ({what})" if what else words


def number_line(domain: Number) -> str:
    steps = f" in steps of {domain.step}" if domain.step > 1 else ""
    return f"{domain.name} from {domain.low} to {domain.high}{steps}"
