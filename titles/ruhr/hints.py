"""What everybody sees in a Montan round: who may found or merge what, and what would close at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.finance.depot import on_sale
from engine.game import Game
from engine.rules import Remark
from titles.ruhr.founding import FoundMontan, FoundMontanChoice, MergeChoice, payable_pars
from titles.ruhr.locations import location
from titles.ruhr.spending import SpendStep


def remarks(spending: SpendStep, game: Game) -> list[Remark]:
    """What everybody who still acts in a Montan round may found or merge, and what had better not be founded."""
    return [*_who_may_found(game), *_doomed(spending, game), *_who_may_merge(game)]


def _still_to_act(game: Game, kind: str) -> list[str]:
    """Who is asked now and who comes after them, if the round is of a kind."""
    round_ = game.state.round
    if game.finished or round_.kind != kind:
        return []
    return list(dict.fromkeys([round_.actor, *game.rules.rounds[kind].upcoming(game)]))


def _who_may_found(game: Game) -> list[Remark]:
    """Each player with the linked small companies that may become a corporation; then the places without an owner."""
    players = _still_to_act(game, "founding")
    hexes = game.definition.map.hexes
    own: dict[str, list[str]] = {}
    free: dict[str, str] = {}
    for player in players:
        for at in FoundMontanChoice(game, player).places():
            mine = location(game, at).company
            if mine:
                own.setdefault(player, []).append(f"{hexes[at].name} ({mine})")
            else:
                free[at] = f"{hexes[at].name} {min(payable_pars(game, player, at))}"
    result = [Remark("may_found", {"list": _listed(own)})] if own else []
    result += [Remark("may_found_free", {"places": ", ".join(free.values())})] if free else []
    return result if result or not players else [Remark("none_founds")]


def _who_may_merge(game: Game) -> list[Remark]:
    """Each player with the small companies that may merge, and into which corporations."""
    players = _still_to_act(game, "merging")
    pairs = {player: MergeChoice(game, player).pairs() for player in players}
    told = {
        player: [f"{mine} → {'/'.join(names)}" for mine, names in found.items()]
        for player, found in pairs.items()
        if found
    }
    return [Remark("may_merge", {"list": _listed(told)})] if told else []


def _listed(found: Mapping[str, Sequence[str]]) -> str:
    return " · ".join(f"{player}: {', '.join(things)}" for player, things in found.items())


def _doomed(spending: SpendStep, game: Game) -> list[Remark]:
    """Which corporations would close in their first turn: no card on offer brings them a marker that earns."""
    choice = game.offer().find(FoundMontan.TYPE)
    if not isinstance(choice, FoundMontanChoice):
        return []
    places = choice.places()
    names = dict.fromkeys(name for free in places.values() for name in free)
    doomed = [
        name
        for name in names
        if all(_closes(spending, choice, at, name) for at, free in places.items() if name in free)
    ]
    return [Remark("no_marker", {"companies": ", ".join(doomed)})] if doomed else []


def _closes(spending: SpendStep, choice: FoundMontanChoice, at: str, name: str) -> bool:
    """Whether a corporation founded there would have to close."""
    after = choice.game.copy()
    after.apply(choice.move({"hex": at, "company": name, "par": payable_pars(after, choice.player, at)[0]}))
    # Whoever founds may go on to merge a company of their own, and its markers may be enough.
    return spending.duty(after, name) and bool(on_sale(after)) and not spending.development_cards(after, name)
