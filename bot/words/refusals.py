"""Why not this? What stands against something that somebody typed, in words and with the clause."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_type_hints

from bot.limits import cut
from bot.numbers import whole
from bot.texts import Say
from bot.words.wording import refusal, value_text, vehicle
from engine.errors import BadMove, Refused
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.moves import from_json
from engine.offer import Choice
from engine.state import BANK, OFFERING, POOL
from engine.steps.track import LayTileChoice


def hex_reason(say: Say, game: Game, choice: Choice[Any], typed: str) -> tuple[str, str]:
    """A sentence and the clause it rests on; both empty if nothing particular stands against the hex."""
    at = typed.strip().upper().partition(" ")[0]
    say = say.of(game.definition.id)
    spot = game.definition.map.hexes.get(at)
    if spot is None:
        return say("why.no_hex", hex=cut(at, 12)), ""
    if not isinstance(choice, LayTileChoice):
        return say("why.not_here", hex=at), ""
    step, permit, company = choice.step, choice.permit, choice.company
    if not spot.buildable:
        return say("why.printed", hex=at), game.rules.clause("tile.fixed")
    if permit.hexes is not None and at not in permit.hexes:
        return say("why.private", hex=at, hexes=", ".join(permit.hexes)), game.rules.clause("private.hex")
    refused = step.closed(game, company, permit, at)
    if refused is not None:
        return say("why.closed", hex=at, reason=refusal(say, refused)), game.rules.clause(refused.rule or refused.key)
    if permit.needs_route and at not in step.candidates(game, company, permit):
        return say("why.not_reached", hex=at, company=company), game.rules.clause("tile.route")
    cost, cash = step.cost(game, permit, at), game.state.cash[company]
    if cost > cash:
        return say("why.cost", hex=at, cost=cost, company=company, cash=cash), game.rules.clause("tile.money")
    return _nothing_fits(say, game, choice, at)


def _nothing_fits(say: Say, game: Game, choice: LayTileChoice, at: str) -> tuple[str, str]:
    """The hex is reached and can be paid, and yet no tile can be laid: the colours, the supply, or the track."""
    fits = list(game.rules.tiling.fits(at, game.board.cover(at)))
    colours = choice.permit.colours or game.phase.tiles
    allowed = [fit for fit in fits if fit.face.colour in colours]
    if not allowed:
        return say("why.colour", hex=at, phase=game.phase.name), game.rules.clause("tile.phase")
    if not any(game.state.board.supply[fit.tile] for fit in allowed):
        tiles = ", ".join(dict.fromkeys(fit.tile for fit in allowed))
        return say("why.supply", hex=at, tiles=tiles), game.rules.clause("tile.supply")
    return say("why.track", hex=at, company=choice.company), game.rules.clause("tile.new_track")


def tag_reason(say: Say, game: Game, name: str, tagged: str) -> str:
    """Why no choice of a kind is for what was named: a private company that grants it, or a company."""
    if name == "discard_train":
        return _unknown_name(say, game, "company", tagged)
    private = next((each for each in game.definition.privates if each.lower() == tagged.lower()), None)
    if private is None:
        return _unknown_name(say, game, "private", tagged)
    return say("why.not_granted", private=value_text(say, game, "private", private))


def _unknown_name(say: Say, game: Game, field: str, text: str) -> str:
    """That there is no such thing; empty if there is, or if the field names none."""
    known = _names(game, field)
    if not known or text.lower() in [each.lower() for each in known]:
        return ""
    return say(f"why.no_{field}", value=cut(text, 20), possible=", ".join(known))


# ---------------------------------------------------------------------- other values


def value_reason(
    say: Say, game: Game, choice: Choice[Any], field: str, typed: str, picked: Mapping[str, Any]
) -> tuple[str, str]:
    """Why a value is not possible for a field, after what was picked before it; empty if nothing particular is known.

    First whether there is such a thing at all, then what the rules say to the move, with the rest of it as usual.
    """
    if field == "hex":
        return hex_reason(say, game, choice, typed)
    own, text = say.of(game.definition.id), typed.strip()
    unknown = _unknown(own, game, choice, field, text, picked)
    if unknown:
        return unknown, ""
    refusals: list[Refused] = []
    for data in _moves(game, choice, {**picked, field: _proper(game, choice, field, text)}):
        try:
            game.check(from_json(data))
        except Refused as refused:
            refusals.append(refused)
        except BadMove:
            return "", ""
    if not refusals:
        return "", ""
    key = Counter(refused.key for refused in refusals).most_common(1)[0][0]
    found = next(refused for refused in refusals if refused.key == key)
    return refusal(own, found), found.rule


def _unknown(say: Say, game: Game, choice: Choice[Any], field: str, text: str, picked: Mapping[str, Any]) -> str:
    """What is wrong with a value that no rule is needed for."""
    shown = cut(text, 20)
    known = {each.lower(): each for each in _names(game, field)}
    if unknown := _unknown_name(say, game, field, text):
        return unknown
    if field == "rotation" and whole(text) not in range(6):
        return say("why.no_rotation", value=shown)
    if field == "train":
        train = known[text.lower()]
        owner = str(picked.get("source", BANK if choice.name == "buy_train" else choice.company))
        if owner in game.state.companies and train not in game.company(owner).trains:
            return say("why.not_owned", company=owner, train=vehicle(say, "the", train))
        if owner == POOL and train not in game.state.depot.pool:
            return say("why.not_pooled", train=vehicle(say, "the", train))
        if owner == BANK and train not in on_sale(game):
            return say("why.not_on_sale", train=vehicle(say, "the", train))
    if field == "source" and choice.name == "buy_train":
        owner = known[text.lower()]
        if owner == OFFERING:
            return say("why.no_source", value=shown)
        if owner == choice.company:
            return say("why.itself", company=owner)
        if owner in game.state.companies and not game.company(owner).trains:
            return say("why.no_trains", company=owner)
        if owner == POOL and not game.state.depot.pool:
            return say("why.empty_pool")
    if field == "lot":
        lot = known[text.lower()]
        owner = game.state.privates[lot] if lot in game.state.privates else game.owner(lot)
        if owner:
            return say("why.lot_sold", lot=value_text(say, game, "lot", lot), owner=owner)
    if field == "stop" and text.lower() not in ("a", "b", "c", "d") and whole(text) is None:
        return say("why.no_stop", value=shown)
    if field in ("price", "par", "percent", "amount") and whole(text.rstrip("% ")) is None:
        return say("why.no_number", value=shown)
    return ""


def _names(game: Game, field: str) -> list[str]:
    """The things that a field can name; none for numbers and words."""
    definition = game.definition
    match field:
        case "company":
            return list(definition.corporations)
        case "tile":
            return list(definition.tiles)
        case "train":
            return [train.name for train in definition.trains]
        case "lot":
            owned = [code for code, charter in definition.corporations.items() if len(charter.shares) == 1]
            return [*definition.privates, *owned]
        case "private":
            return list(definition.privates)
        case "source":
            return [BANK, POOL, OFFERING, *definition.corporations]
        case "player":
            return list(game.players)
    return []


def _proper(game: Game, choice: Choice[Any], field: str, text: str) -> Any:
    """A typed value as the move has it."""
    if get_type_hints(choice.kind).get(field) is int:
        return whole(text.rstrip("% ")) if field != "stop" or whole(text) is not None else ord(text.lower()) - ord("a")
    return next((each for each in _names(game, field) if each.lower() == text.lower()), text)


def _moves(game: Game, choice: Choice[Any], known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Whole moves with the values that are known, and for the others what is usual."""
    fields = {name: kind for name, kind in get_type_hints(choice.kind).items() if name not in ("TYPE", "SECRET")}
    given = {"player": choice.player, **({"company": choice.company} if choice.company else {}), **known}
    ways = [[given[name]] if name in given else _usual(game, choice, name, given) for name in fields]
    for values in itertools.islice(itertools.product(*ways), 12):
        yield {"type": choice.name, **dict(zip(fields, values, strict=True))}


def _usual(game: Game, choice: Choice[Any], field: str, given: Mapping[str, Any]) -> list[Any]:
    """Values to try for a field that was not reached."""
    company = str(given.get("company", ""))
    match field:
        case "rotation":
            return list(range(6))
        case "source":
            return [OFFERING, company, POOL] if choice.name == "buy_share" else [BANK, POOL]
        case "percent":
            return [shares.unit(game, company)] if company in game.definition.corporations else [10]
        case "par":
            market = game.definition.market
            cells = market.cells("p") or [cell for mark in market.legend for cell in market.cells(mark)]
            return sorted({market.rows[row][column] for row, column in cells})
        case "price":
            lot = game.definition.privates.get(str(given.get("lot", "")))
            printed = {train.name: train.price for train in game.definition.trains}
            return [lot.price + 5 if lot is not None else printed.get(str(given.get("train", "")), 1)]
        case "private":
            return [choice.granted_by]
        case "train":
            return on_sale(game)[:1] or [game.definition.trains[0].name]
    return [0 if get_type_hints(choice.kind).get(field) is int else ""]
