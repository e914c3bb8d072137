"""Why not this hex? What stands against a place that somebody typed, in words and with the clause."""

from __future__ import annotations

from typing import Any

from bot.cards.wording import refusal
from bot.ceilings import cut
from bot.texts import Say
from engine.errors import Refused
from engine.game import Game
from engine.offer import Choice
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
    try:
        step.check_hex(game, company, permit, at)
    except Refused as refused:
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
