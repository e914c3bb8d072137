"""`kursbuch titles`: what can be played, in which forms, with which options, and what is reconstructed."""

from __future__ import annotations

import argparse
from typing import Any

import titles
from bot.card.game_choice import facts_line
from bot.texts import speaker
from bot.words.wording import reconstructed


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("titles", help="list the games, their forms and options, and what is reconstructed")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    say = speaker("en")
    for title in titles.known():
        texts = titles.texts(title.id, "en")
        print(f"{title.id}  {title.name}: {texts['what.title']}")
        for form in title.forms:
            first = f"  {say('choose.newcomers')}" if form.newcomers else ""
            print(f"     {form.id}  {texts[f'form.{form.id}']}: {texts[f'what.{form.id}']}")
            print(f"          {facts_line(say, form)}{first}")
            for option in form.options:
                values = " | ".join(str(value).lower() for value in option.values)
                clause = f" [{option.clause}]" if option.clause else ""
                print(f"          {option.id} = {values}    {texts[f'option.{option.id}']}{clause}")
            for apart in form.apart:
                pairs = " with ".join(f"{option} = {value}".lower() for option, value in apart.values.items())
                why = f"    {texts[f'apart.{apart.why}']}" if apart.why else ""
                print(f"          not together: {pairs}{why}")
        # Each option by itself: what it brings may be reconstructed as well.
        definitions = [
            titles.rules(title.id, form.players[0], options, form.id).definition
            for form in title.forms
            for options in ({}, *({spec.id: value} for spec in form.options for value in spec.values[1:]))
        ]
        what = dict.fromkeys(part for each in definitions for part in each.reconstructed)
        if what:
            print("     reconstructed, no public source: " + reconstructed(say, title.id, list(what)))
    return 0
