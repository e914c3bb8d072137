"""What somebody wants to know before they decide: money, certificates, trains, what is compulsory, and who is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import discord

import titles
from bot.names import called, shown
from bot.texts import Say
from bot.words.wording import refusal, words
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.moves import Pass

if TYPE_CHECKING:
    from bot.games.service import Live
    from storage.records import GameRecord, Person, Waiting
    from storage.sqlite import SqliteStore

#: Players or companies who are named as the next.
_NEXT = 3


@dataclass(frozen=True)
class Around:
    """What the database knows about a turn: since when it waits, and who is on vacation until when."""

    since: datetime | None = None
    away: Mapping[int, datetime] = field(default_factory=dict)


async def around(store: SqliteStore, record: GameRecord, now: datetime) -> Around:
    """What is around the present turn of a game."""
    rows = await store.waiting(game=record.id)
    return around_now(rows, await store.people([seat.user for seat in record.seats if not seat.house]), now)


def around_now(rows: Sequence[Waiting], people: Mapping[int, Person], now: datetime) -> Around:
    """How things stand around a decision, from what the database says."""
    away = {user: person.vacation_until for user, person in people.items() if person.vacation_until}
    return Around(
        min((row.since for row in rows), default=None), {user: until for user, until in away.items() if until > now}
    )


def decider_facts(say: Say, game: Game) -> list[str]:
    """Small lines about whoever decides, and about the company they decide for."""
    offer = game.offer()
    companies = list(dict.fromkeys(choice.company for choice in offer.choices if choice.company))
    actor = game.state.round.actor
    if actor in game.state.companies and actor not in companies:
        companies.insert(0, actor)
    lines = [_company(say, game, company) for company in companies[:2]]
    if not companies or (actor in offer.deciders and game.definition.priced):
        # In a player's own turn their money pays, whatever company a choice is about.
        lines = [*(_player(say, game, player) for player in offer.deciders[:2]), *lines[:1]]
    return [*lines, *filter(None, [compulsory(say, game)]), *remark_lines(say, game)]


def remark_lines(say: Say, game: Game) -> list[str]:
    """What the title wants everybody to know about the position."""
    lines = []
    for remark in game.rules.remarks(game):
        facts = {name: named(say, game, fact) for name, fact in remark.facts.items()}
        lines.append(say("facts.small", text=say(f"remark.{remark.key}", **facts)))
    return lines


def named(say: Say, game: Game, fact: Any) -> Any:
    """A name for people; whoever has no seat goes by the title's word."""
    if not isinstance(fact, str):
        return fact
    return called(say.of(game.definition.id), fact) if fact in game.state.seatless else shown(fact)


def holdings(say: Say, game: Game, holder: str) -> list[str]:
    """What somebody owns besides money, shares and trains: private companies, and a title's own things."""
    own = say.of(game.definition.id)
    found = game.rules.possessions(game, holder).items()
    # A company that belongs to one person is told with what it pays.
    owned = {words(own, "thing", thing): number for thing, number in found if thing not in game.state.companies}
    listed = ", ".join(thing if number == 1 else f"{number} × {thing}" for thing, number in owned.items())
    return [say("facts.holdings", list=listed)] if listed else []


def _player(say: Say, game: Game, player: str) -> str:
    """Cash, certificates against the limit, and what the shares pay."""
    limit = game.rules.limits.certificates(game, player)
    parts = [
        say("facts.cash" if game.definition.priced else "facts.received", amount=game.state.cash[player]),
        say("facts.certificates", count=shares.certificates(game, player), limit=limit),
    ]
    loan = game.state.loans.get(player, 0)
    if loan:
        parts.append(say("facts.loan", amount=loan))
    held = {company: shares.held(game, company, player) for company in game.state.companies}
    paid = [
        say(
            "facts.whole" if shares.unit(game, company) == percent else "facts.share",
            company=company,
            percent=percent,
            amount=(revenue or 0) * percent // 100,
        )
        for company, percent in held.items()
        if percent and (revenue := game.company(company).last_revenue) is not None
    ]
    if paid:
        parts.append(say("facts.shares", list=", ".join(paid)))
    parts += holdings(say, game, player)
    return say("facts.player", name=shown(player), facts=" · ".join(parts))


def _stations(say: Say, costs: Sequence[int]) -> str:
    """How many stations are left, and what each of them costs."""
    told = ", ".join(map(str, costs))
    return say("facts.stations", count=len(costs), costs=told) if costs else say("facts.stations_none")


def _company(say: Say, game: Game, company: str) -> str:
    """Treasury, trains and stations left of those that have such, what it earned last."""
    state = game.company(company)
    trains = ", ".join(state.trains) or "–"
    parts = [say("facts.treasury", amount=game.state.cash[company])] if game.definition.priced else []
    if game.definition.corporations[company].homes and game.definition.priced:
        parts += [
            say("facts.trains", trains=trains, limit=game.phase.train_limit),
            _stations(say, state.tokens_left),
        ]
    elif game.definition.corporations[company].homes:
        parts += [say("facts.train", train=trains), say("facts.stations_free", count=len(state.tokens_left))]
    if state.last_revenue is not None:
        now = game.state.round.actor == company and game.state.round.step == "dividend"
        parts.append(say("facts.now" if now else "facts.last", amount=state.last_revenue))
    parts += holdings(say, game, company)
    return say("facts.company", company=company, facts=" · ".join(parts))


#: What must be done if one may not pass, by a kind of move that is on offer then; the key of its rule in the ledger.
_DUTIES = (
    ("discard_train", "discard", "train.discard"),
    # Before what raises money: in some titles own shares may be sold in any step, also by whoever can pay.
    ("run", "run", "run.all"),
    ("buy_train", "train", "train.duty"),
    ("go_bankrupt", "raise", "forced.order"),
    ("take_loan", "raise", "forced.order"),
    ("sell_own_shares", "raise", "forced.order"),
    ("sell_shares", "over", "stock.over"),
    ("lay_tile", "home", "tile.only"),
)


def compulsory(say: Say, game: Game) -> str:
    """Why one may not pass, with the clause; empty if one may."""
    offer = game.offer()
    names = {choice.name for choice in offer.choices}
    if "pass" in names or not names:
        return ""
    refused = _no_passing(game, offer.deciders[0])
    for name in sorted(names):
        # What a title must have done, in its own words.
        if say.known(f"must.{name}"):
            text = say(f"must.{name}", who=offer.choices[0].company or shown(offer.deciders[0]))
            return _must(say, text, game.rules.clause(f"must.{name}") or (refused.rule if refused else ""))
    if refused is not None and f"refused.{refused.key}" in titles.texts(game.definition.id, "en"):
        return _must(say, refusal(say, refused).rstrip("."), refused.rule)
    for name, duty, key in () if "dividend" in names else _DUTIES:
        if name not in names:
            continue
        if duty == "over" and game.state.round.step == "trains":
            duty, key = "raise", "forced.order"
        text = say(f"facts.must_{duty}", who=offer.choices[0].company or shown(offer.deciders[0]))
        return _must(say, text, game.rules.clause(key))
    asked = game.state.pauses[0].kind if game.state.pauses else ""
    clause = game.rules.clause(f"question.{asked}")
    own = say.of(game.definition.id)
    if clause and own.known(f"question.{asked}"):
        text = say("facts.must_answer", who=shown(offer.deciders[0]), what=own(f"question.{asked}"))
        return _must(say, text, clause)
    return ""


def _must(say: Say, text: str, clause: str) -> str:
    return say("facts.must", text=text, clause=f" ({clause})" if clause else "")


def _no_passing(game: Game, player: str) -> Refused | None:
    """Why somebody may not pass."""
    try:
        game.check(Pass(player))
    except Refused as refused:
        return refused
    return None


def waiting_line(say: Say, live: Live, known: Around | None) -> str:
    """Since when the turn waits, who is next, and who is on vacation."""
    game = live.game
    parts = []
    if known is not None and known.since is not None:
        parts.append(say("facts.since", time=discord.utils.format_dt(known.since, "R")))
    if names := next_names(say, game):
        parts.append(say("facts.next", names=names))
    if known is not None:
        for seat in live.record.seats:
            if not seat.house and seat.user in known.away:
                until = discord.utils.format_dt(known.away[seat.user], "d")
                parts.append(say("facts.away", name=shown(seat.name), until=until))
    return say("facts.small", text=" · ".join(parts)) if parts else ""


def next_names(say: Say, game: Game) -> str:
    """Who comes next, as far as the round knows."""
    following = game.rules.rounds[game.state.round.kind].upcoming(game)[:_NEXT]
    return ", ".join(_actor(say, game, actor) for actor in following)


def your_place(say: Say, game: Game, asker: str) -> str:
    """When somebody who is not waited for comes to act in this round, if it is known."""
    if not asker or asker in game.offer().deciders:
        return ""
    following = [game.decider(actor) for actor in game.rules.rounds[game.state.round.kind].upcoming(game)]
    if asker not in following:
        return say("facts.not_in_round")
    before = following.index(asker)
    return say("facts.you_next") if not before else say("facts.you_later", count=before)


def _actor(say: Say, game: Game, actor: str) -> str:
    decider = game.decider(actor)
    if decider and decider != actor:
        return say("facts.actor", company=actor, name=shown(decider))
    return str(named(say, game, actor))
