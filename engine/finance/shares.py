"""Certificates: who holds what, what may be sold, and who is director."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from engine import events as ev
from engine.state import POOL

if TYPE_CHECKING:
    from engine.game import Game


def held(game: Game, company: str, holder: str) -> int:
    """The share of a company that somebody holds, in per cent."""
    percents = game.definition.corporations[company].shares
    return sum(
        percent
        for percent, owner in zip(percents, game.state.companies[company].certificates, strict=True)
        if owner == holder
    )


def numbers(game: Game, company: str, holder: str) -> list[int]:
    """The numbers of the certificates of a company that somebody holds."""
    return [n for n, owner in enumerate(game.state.companies[company].certificates) if owner == holder]


def percent_of(game: Game, company: str, number: int) -> int:
    return game.definition.corporations[company].shares[number]


def unit(game: Game, company: str) -> int:
    """What one share is, in per cent: the part of a company that its price is the price of."""
    return game.definition.corporations[company].unit


def worth(game: Game, company: str, percent: int, price: int | None = None) -> int:
    """What a part of a company is worth, at its price or at another."""
    value = game.prices.value(company) if price is None else price
    return value * percent // game.definition.corporations[company].unit


def steps(game: Game, company: str, most: int) -> range:
    """The parts of a company up to `most` that whole shares make up."""
    share = game.definition.corporations[company].unit
    return range(share, most + 1, share)


def certificates(game: Game, player: str) -> int:
    """How many certificates count against a player's limit."""
    state = game.state
    counts = game.rules.limits.counts
    total = sum(owner == player for owner in state.privates.values()) if game.rules.limits.privates else 0
    for name, company in state.companies.items():
        held = company.certificates.count(player)
        if held and counts(game, name):
            total += held
    return total


def move(game: Game, company: str, number: int, target: str) -> None:
    """Hand one certificate over."""
    owners = game.state.companies[company].certificates
    game.emit(ev.CertificateMoved(company, number, percent_of(game, company, number), owners[number], target))
    owners[number] = target


def player_share(game: Game, company: str) -> int:
    """The share that all players together hold."""
    return sum(held(game, company, player) for player in game.state.players)


def top(game: Game, company: str, source: str, percent: int = 0) -> int | None:
    """The certificate that would be bought from somewhere: the first in order, of a share if one is given."""
    for number in numbers(game, company, source):
        if not percent or percent_of(game, company, number) == percent:
            return number
    return None


def successor(game: Game, company: str, director: str, remaining: int) -> str:
    """Who is director when the present one holds `remaining`: more shares, then nearest to their left.

    Somebody without a seat who directs a company keeps it, and so does whoever's office is secure.
    """
    best, share = director, remaining
    secure = game.rules.secure(game, company)
    if director not in game.state.seats or (secure is not None and remaining >= secure):
        return director
    circle = game.rules.circle(game)
    place = circle.index(director)
    for player in circle[place + 1 :] + circle[:place]:
        holding = held(game, company, player)
        if holding > share:
            best, share = player, holding
    return best


def subset(percents: dict[int, int], total: int) -> tuple[int, ...] | None:
    """Certificates (number to percent) that make up a total exactly; as many small ones as possible."""
    ordered = sorted(percents, key=lambda number: (percents[number], -number))
    kinds = set(percents.values())
    if len(kinds) == 1:  # so it is most of the time, and any will do
        count, rest = divmod(total, kinds.pop())
        return tuple(ordered[:count]) if count > 0 and not rest and count <= len(ordered) else None
    for size in range(len(ordered), 0, -1):
        for group in combinations(ordered, size):
            if sum(percents[number] for number in group) == total:
                return group
    return None


def sale(game: Game, company: str, seller: str, percent: int) -> tuple[tuple[int, ...], str] | None:
    """The certificates that would go to the pool and the director afterwards, or None if impossible.

    A director's certificate never goes to the pool: it is swapped first, and the seller then sells from
    what they received, which can be a part of it only if the certificates allow that. Nobody without a seat can
    become director by it.
    """
    found = _from_which(game, company, seller, percent)
    if found is None:
        return None
    owned, director = found
    group = subset(owned, percent)
    return None if group is None else (group, director)


def sale_mixes(game: Game, company: str, seller: str, percent: int) -> tuple[Mixes, str] | None:
    """Every mix of certificates of which a sale could be made up, and who would direct the company then."""
    found = _from_which(game, company, seller, percent)
    if found is None:
        return None
    owned, director = found
    made = mixes(game, company, list(owned), percent)
    return (made, director) if made else None


def _from_which(game: Game, company: str, seller: str, percent: int) -> tuple[dict[int, int], str] | None:
    """The certificates (number to percent) from which a sale would be made, and the director after it."""
    owned = {n: percent_of(game, company, n) for n in numbers(game, company, seller)}
    total = sum(owned.values())
    if percent <= 0 or percent > total or percent % unit(game, company):
        return None
    director = game.company(company).director
    if director != seller:
        return owned, director
    new = successor(game, company, seller, total - percent)
    if new in game.state.seatless:
        return None
    owned.pop(0, None)
    if new != seller:
        swapped = _swap(game, company, new)
        if swapped is None:
            return None
        owned.update({n: percent_of(game, company, n) for n in swapped})
    return owned, new


# ---------------------------------------------------------------------- mixes

#: Certificates by their mix, written by their sizes: `20+10+10`; as many small ones as possible come first.
Mixes = dict[str, tuple[int, ...]]


def mixes(game: Game, company: str, numbers: list[int], percent: int) -> Mixes:
    """The different mixes of some certificates that make up a share exactly, each with certificates for it."""
    percents = {number: percent_of(game, company, number) for number in numbers}
    if len(set(percents.values())) < 2:
        plain = subset(percents, percent)
        return {} if plain is None else {_written(game, company, plain): plain}
    ordered = sorted(percents, key=lambda number: (percents[number], -number))
    found: Mixes = {}
    for size in range(len(ordered), 0, -1):
        for group in combinations(ordered, size):
            if sum(percents[number] for number in group) == percent:
                found.setdefault(_written(game, company, group), group)
    return found


def _written(game: Game, company: str, numbers: tuple[int, ...]) -> str:
    sizes = sorted((percent_of(game, company, number) for number in numbers), reverse=True)
    return "+".join(map(str, sizes))


def smallest(mix: str) -> int:
    """The share of the smallest certificate of a mix, in per cent."""
    return min(map(int, mix.split("+")))


def swaps(game: Game, company: str, new: str) -> Mixes:
    """What a new director may hand over for the director's certificate."""
    found = mixes(game, company, numbers(game, company, new), percent_of(game, company, 0))
    return dict(game.rules.handed(found))


def _swap(game: Game, company: str, new: str) -> tuple[int, ...] | None:
    """What a new director hands over who is not asked: small certificates first."""
    return next(iter(swaps(game, company, new).values()), None)


def change_director(game: Game, company: str, new: str, swapped: tuple[int, ...] | None = None) -> None:
    """Swap certificates (those that are named, if any are) and hand the charter over."""
    state = game.company(company)
    old = state.director
    if old == new:
        return
    swapped = _swap(game, company, new) if swapped is None else swapped
    assert swapped is not None, f"{new} cannot take over {company}"
    for number in swapped:
        move(game, company, number, old)
    move(game, company, 0, new)
    state.director = new
    game.emit(ev.DirectorChanged(company, old, new))


def rightful_director(game: Game, company: str) -> str:
    """Who is to be director after a purchase: the present one, or whoever holds more."""
    director = game.company(company).director
    return successor(game, company, director, held(game, company, director))


def sell_to_pool(
    game: Game,
    company: str,
    seller: str,
    percent: int,
    swapped: tuple[int, ...] | None = None,
    sold: tuple[int, ...] | None = None,
) -> None:
    """Carry out a sale that `sale` has found possible, with small certificates or those that are named.

    Money and price are the caller's business.
    """
    plan = sale(game, company, seller, percent)
    assert plan is not None
    group, director = plan
    if game.company(company).director == seller and director != seller:
        change_director(game, company, director, swapped)
    for number in group if sold is None else sold:
        move(game, company, number, POOL)


def sizes(game: Game, company: str, source: str) -> list[int]:
    """The different shares of the certificates that somebody holds, in order of their numbers."""
    return list(dict.fromkeys(percent_of(game, company, n) for n in numbers(game, company, source)))
