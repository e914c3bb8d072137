"""Heat, Sweat & Beer: railways, breweries and the beer market, for 3 to 5 players."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from engine import events as ev
from engine.board.reach import HexOnceReach
from engine.finance.prices import PriceRules, if_director_sells
from engine.finance.raising import Loan
from engine.game import Game
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Limits, Rules, Setup, Trains, cash_and_shares, fewest, printed_limit
from engine.state import BANK, REMOVED, State
from engine.steps.dealing import OwnDeal, on_charter
from engine.steps.run import DividendStep
from engine.steps.trade import once_a_turn, operated, from_round
from titles.do import breweries, brewing, capex, failing, forcing, hsb_data, hsb_stock, links, loading, trading
from titles.do.bidding import BiddingRound
from titles.do.breweries import BREWERY, MINOR
from titles.do.hsb_data import tables
from titles.do.hsb_stock import HsbFloats, HsbTradeStep
from titles.do.hsb_tables import HsbTables
from titles.do.links import LinkMade, LinkStep
from titles.do.prices import ByDividend, RoundedOrNothing, left_a_share
from titles.do.stations import DoStationStep
from titles.do.stock import opened, share_limit
from titles.do.track import DoTrackStep
from titles.do.trains import EarlyTrainStep, drop_obsolete, last_run

#: What follows a dividend of three times the price, and of once the price.
STEPS = ((300, 2), (100, 1))


def hsb(setup: Setup) -> Rules:
    """The game."""
    data = hsb_data.definition(setup)
    t: HsbTables = data.tables
