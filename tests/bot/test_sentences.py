"""Whatever a title lets people do and whatever happens has an English sentence."""

from __future__ import annotations

import pytest

from bot import texts
from bot.words.wording import event_lines, option_text
from engine import events as ev
from engine.offer import Options
from engine.remembered import Earned
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens, BuyAccess
from titles.bl.stock import ExchangePrivate

SAY = texts.speaker("en", "bl")


def told(events: tuple[ev.Event, ...]) -> list[str]:
    return event_lines(SAY, [event.data() for event in events])


@pytest.mark.parametrize("reason", ["bank", "bankruptcy", "standstill", "ended"])
def test_every_end_of_a_game_has_a_reason_in_words(reason: str) -> None:
    assert SAY.known(f"reason.{reason}")


@pytest.mark.rule("BL-5.2-4c")
def test_the_purchase_of_an_access_token_is_told() -> None:
    game = a.after_package()
    a.floated(game, "RhE", "bo")
    a.floated(game, "OV", "ann", 100)
    a.private(game, "EHG", "RhE")
    a.operating(game, "OV")
    assert told(game.copy().apply(BuyAccess("ann", "OV", "RhE"))) == ["**OV** buys access to P12 for 60 M from RhE."]
    tokens = AccessTokens.of(game)
    tokens.box, tokens.pool = 0, 2
    a.take_offer(game)
    assert told(game.apply(BuyAccess("ann", "OV", "pool"))) == ["**OV** buys access to P12 for 60 M from the pool."]


@pytest.mark.rule("BL-5.2-6b")
def test_the_exchange_of_a_private_company_is_told() -> None:
    game = a.second_stock_round(3, {"CCE": "ann"})
    a.floated(game, "RhE", "bo")
    assert told(game.apply(ExchangePrivate("ann", "CCE"))) == [
        "ann exchanges CCE for 20 % of **RhE**.",
        "CCE closes.",
    ]


@pytest.mark.rule("BL-8.6.2-e")
def test_the_ways_of_using_the_revenue_are_told_with_their_split() -> None:
    game = a.after_package()
    a.floated(game, "RhE")
    a.operating(game, "RhE", "dividend")
    Earned.of(game).revenue = 120
    a.take_offer(game)
    choice = game.offer().find("dividend")
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    assert [option_text(SAY, game, "kind", option) for option in domain.options] == [
        "Pay dividends (revenue 120 M, 12 M a share, 0 M kept)",
        "Pay 75 % (revenue 120 M, 9 M a share, 30 M kept)",
        "Withhold (revenue 120 M, 0 M a share, 120 M kept)",
    ]
