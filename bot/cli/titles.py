"""`kursbuch titles`: what can be played, with which options, and what is reconstructed."""

from __future__ import annotations

import argparse
from typing import Any

import titles


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("titles", help="list the games, their options and what is reconstructed")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    for title in titles.known():
        low, high = title.players
        print(f"{title.id}  {title.name}, {low} to {high} players")
        for option in title.options:
            values = " | ".join(str(value).lower() for value in option.values)
            print(f"     {option.id} = {values}    {option.name}{f' [{option.clause}]' if option.clause else ''}")
        definition = title.make_rules(title.full_options({})).definition
        if definition.reconstructed:
            print("     reconstructed, no public source: " + "; ".join(definition.reconstructed))
    return 0
