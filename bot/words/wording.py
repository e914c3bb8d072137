"""Turns events, moves and options into sentences. Words of a title that no catalogue knows are shown as they are."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import titles
from bot.limits import cut
from bot.names import called, shown
from bot.texts import Say
from bot.words.money import dividend, private_revenue
from engine.board.faces import stop_letter
from engine.errors import Refused
from engine.game import Game
from engine.moves import TrainPath, from_json, to_json
from engine.offer import Choice, Option, Options
from storage.records import GameRecord

#: Events that other lines tell already; payments would fill a phone's screen.
_SILENT = frozenset({"Paid", "CertificateMoved", "TurnBegan"})


def words(say: Say, group: str, key: str, **values: Any) -> str:
    """A catalogue's phrase, or the key itself made readable."""
    name = f"{group}.{key}"
    return say(name, **values) if say.known(name) else key.replace("_", " ")


def title_name(record: GameRecord) -> str:
    """The name of a game's title; its id if this bot does not know it (any more)."""
    return next((title.name for title in titles.known() if title.id == record.title), record.title)


def reconstructed(say: Say, title: str, parts: Sequence[str]) -> str:
    """What of a title has no public source and is made up to fit."""
    return "; ".join(words(say.of(title), "reconstructed", part) for part in parts)


def vehicle(say: Say, form: str, name: str) -> str:
    """A train by its number, in this form of words; a vehicle with a name of its own goes by it."""
    if not name[:1].isdecimal():
        return name
    return say(f"vehicle.{form}" if name.isdecimal() else f"vehicle.mixed_{form}", name=name)


def beside(say: Say, game: Game, key: str) -> str:
    """The key of a phrase that is another one where a round of another kind is played beside."""
    keys = (f"{key}.beside.{other}" for other in game.rules.rounds)
    return next(filter(say.known, keys), key)


def inner(say: Say, text: str) -> str:
    """A phrase that begins a sentence or stands on a button, as it is written within a sentence."""
    small = text.split(" ", 1)[0] in say("list.small").split()
    return text[:1].lower() + text[1:] if small else text


#: How a sentence speaks of its train.
_FORMS = {"TrainBought": "one", "TrainDiscarded": "one", "TrainProposed": "the", "TrainsRusted": "all"}
#: Two full stops, of an abbreviation and of its sentence.
_TWO_STOPS = re.compile(r"(?<!\.)\.\.$")


def event_line(say: Say, event: Mapping[str, Any], game: Game | None = None) -> str:
    """One event as a line; empty for those that need none. A game knows its lots by their numbers and names."""
    kind = event["type"]
    if kind in _SILENT:
        return ""
    # Anything that is a word may be somebody's name.
    values = {key: _named(say, key, value) if isinstance(value, str) else value for key, value in event.items()}
    values |= {key: ", ".join(called(say, one) for one in value) for key, value in event.items() if _is_names(value)}
    values["cost"] = say("event.cost", cost=event["cost"]) if event.get("cost") else ""
    if "card" in event:
        values["card"] = card_name(say, event["card"])
    if "lot" in event and game is not None:
        values["lot"] = lot_text(say, game, event["lot"])
    if event.get("private"):
        values["cost"] += say("event.private", private=event["private"])
    if "hex" in event and game is not None:
        values["place"] = place_text(game, event["hex"])
    if "markers" in event and isinstance(event["markers"], str):
        values["letters"] = listed(say, event["markers"])
    if "customers" in event:
        values["customers"] = words(say, "value", f"customers.{event['customers']}")
    if "train" in event:
        values["the_train"] = vehicle(say, "the", event["train"])
        values["train"] = vehicle(say, _FORMS[kind], event["train"]) if kind in _FORMS else values["train"]
    if "source" in event:
        place = event["source"] if event["source"] in ("bank", "pool") else "other"
        values["source"] = say(f"event.from_{place}", **({"name": values["source"]} if place == "other" else {}))
    key = f"event.{kind}"
    if kind == "RoundBegan":
        key += f"_{event['kind']}"
        key = beside(say, game, key) if game is not None else key
    elif kind == "Passed" and event.get("company"):
        key += "_company"
        values["step"] = words(say, "step", event["step"])
    elif kind in ("SharePriceMoved", "CompanyClosed"):
        values["reason"] = words(say, "why", event["reason"])
    elif kind == "PhaseChanged":
        values["colour"] = words(say, "colour", event["colour"])
    elif kind == "SharesSold" and event["seller"] == event["company"]:
        key += "_own"
    elif kind == "ProposalAnswered":
        key += f"_{event['answer']}{'' if event['price'] else '_free'}"
    if event.get("amount") == 0 and say.known(f"{key}_none"):
        key += "_none"
    if event.get("company") == "" and say.known(f"{key}_anybody"):
        key += "_anybody"
    if say.known(f"{key}.{event.get('reason')}"):
        key += f".{event['reason']}"
    if not say.known(key):
        details = ", ".join(f"{name} {value}" for name, value in values.items() if name != "type" and value != "")
        return f"{kind}: {details}"
    return _TWO_STOPS.sub(".", say(key, **values))


def _named(say: Say, about: str, value: str) -> str:
    """A word that an event tells: by the name that a title has for it as a value of this kind, or as it is."""
    own = f"value.{about}.{value}"
    return say(own) if say.known(own) else called(say, value)


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, str) for item in value)


def card_name(say: Say, card: str) -> str:
    """A card of a title's deck by its number and name."""
    name = f"deck.{card}"
    return say("cards.name", id=card, name=say(name)) if say.known(name) else card


def event_lines(say: Say, events: Sequence[Mapping[str, Any]], game: Game | None = None) -> list[str]:
    """The lines of a move's events; a certificate bought is told with its price."""
    return [line for _, line in numbered_lines(say, events, game)]


def numbered_lines(say: Say, events: Sequence[Mapping[str, Any]], game: Game | None = None) -> list[tuple[int, str]]:
    """The lines of a move's events, each with the place of its event among them."""
    lines = []
    for index, event in enumerate(events):
        if event["type"] == "CertificateMoved":
            line = _purchase(say, events, index)
        elif event["type"] == "Paid":
            line = private_revenue(say, events, index)
        elif event["type"] == "DividendPaid":
            line = dividend(say, events, index)
        elif event["type"] == "PrivateClosed":
            line = _closings(say, events, index)
        elif event["type"] == "RevenueKept" and _paid_in_part(events, event["company"]):
            line = ""
        else:
            line = event_line(say, event, game)
        if line:
            lines.append((index, line))
    return lines


def _paid_in_part(events: Sequence[Mapping[str, Any]], company: str) -> bool:
    """Whether of a revenue something is paid out too: then both are told in one line."""
    return any(event["type"] == "DividendPaid" and event["company"] == company for event in events)


def _purchase(say: Say, events: Sequence[Mapping[str, Any]], index: int) -> str:
    """A certificate that somebody paid for just before it moved."""
    event = events[index]
    before = events[index - 1] if index else {}
    if any(each["type"] == "ShareBoughtBack" and each["company"] == event["target"] for each in events):
        return ""
    if before.get("type") != "Paid" or before["source"] != event["target"] or event["number"] == 0:
        return ""
    return say(
        "event.ShareBought",
        player=called(say, event["target"]),
        percent=event["percent"],
        company=event["company"],
        price=before["amount"],
    )


def _closings(say: Say, events: Sequence[Mapping[str, Any]], index: int) -> str:
    """Private companies that close one after the other are told in one line, at the first of them."""
    if index and events[index - 1]["type"] == "PrivateClosed":
        return ""
    row = itertools.takewhile(lambda event: event["type"] == "PrivateClosed", events[index:])
    names = [event["private"] for event in row]
    if len(names) == 1:
        return event_line(say, events[index])
    return say("event.PrivatesClosed", privates=", ".join(names))


def value_text(say: Say, game: Game, name: str, value: Any) -> str:
    """A parameter's value for people."""
    say = say.of(game.definition.id)
    if isinstance(value, tuple) and value and isinstance(value[0], TrainPath):
        return "; ".join(f"{path.train}: {short_path(path.path)}" for path in value)
    if name == "stop" and isinstance(value, int):
        return stop_letter(value)
    if name == "percent":
        return f"{value} %"
    if name == "hex" and value in game.definition.map.hexes:
        place = _dashed(game.definition.map.hexes[value].name)
        return f"{value} {place}" if place else str(value)
    if name == "lot" or (name == "private" and value in game.definition.privates):
        return lot_text(say, game, str(value), "entry.lot")
    if name == "train" and isinstance(value, str):
        return vehicle(say, "the", value)
    if name == "rotation" and isinstance(value, int):
        return f"{value * 60}°"
    if name == "card" and say.known(f"deck.{value}"):
        return card_name(say, str(value))
    if value == "":
        return words(say, "none", name)
    return words_or(say, f"value.{name}.{value}", words(say, "value", str(value)))


def words_or(say: Say, key: str, text: str) -> str:
    """A catalogue's phrase, or what the data say."""
    return say(key) if say.known(key) else text


def place_text(game: Game, at: str) -> str:
    """A hex by its name, with where it is."""
    found = game.definition.map.hexes.get(at)
    name = _dashed(found.name.partition(" (")[0]) if found is not None else ""
    return f"{name} ({at})" if name else at


def _dashed(name: str) -> str:
    """A line from one town to another has a dash, not a minus between spaces."""
    return name.replace(" - ", "–")


def listed(say: Say, items: Iterable[str], last: str = "list.and") -> str:
    """Several things in a sentence."""
    *first, end = [*items] or [""]
    return say(last).join(filter(None, [", ".join(first), end]))


def lot_text(say: Say, game: Game, lot: str, form: str = "lot.name") -> str:
    """A lot or a private company by its number and name, as a sentence or a button tells it."""
    found = game.lot(lot)
    return _lot_name(say, lot, *found, form) if found is not None else lot


def _lot_name(say: Say, lot: str, number: int, name: str, form: str = "lot.name") -> str:
    name = words_or(say, f"name.{lot}", name)
    return say(form, number=number, name=name) if number else name


def short_path(path: Iterable[str]) -> str:
    """The stops of a path."""
    return "–".join(word.split(":")[0] for word in path if ":" in word)


#: Parameters that are amounts of money.
_MONEY = ("price", "amount", "par")
#: Facts that a sentence about the whole tells.
_TOLD_ELSEWHERE = ("proved", "hex", "company", "train", "seller")
#: What costs nothing needs no price.
_FREE = ("cost", 0)


def option_text(say: Say, game: Game, name: str, option: Option) -> str:
    """An option with the facts a person wants to know."""
    say = say.of(game.definition.id)
    facts = [
        words(say, "fact", key, value=value) if say.known(f"fact.{key}") else f"{key.replace('_', ' ')} {value}"
        for key, value in option.facts.items()
        if key not in _TOLD_ELSEWHERE and value not in ("", None) and (key, value) != _FREE
    ]
    money = name in _MONEY and isinstance(option.value, int)
    text = say("entry.money", value=option.value) if money else value_text(say, game, name, option.value)
    return f"{text} ({', '.join(facts)})" if facts else text


def choice_text(say: Say, choice: Choice[Any], *, company: bool = False) -> str:
    """The kind of move, for a button; with the company it is for where others of the kind are on offer."""
    say = say.of(choice.game.definition.id)
    text = words(say, "move", choice.name)
    if choice.granted_by:
        return f"{text} ({choice.granted_by})"
    return f"{text} ({choice.company})" if company and choice.company else text


def company_of(choices: Sequence[Choice[Any]]) -> str:
    """The company that all of these are for; empty if there are several, or none. Passing is for nobody."""
    companies = {choice.company for choice in choices if choice.name != "pass"} or {c.company for c in choices}
    return companies.pop() if len(companies) == 1 else ""


def move_text(say: Say, game: Game, move: Mapping[str, Any]) -> str:
    """A saved move in a few words, with nothing that only one player may see."""
    say = say.of(game.definition.id)
    move = to_json(from_json(move).seen_by(""))
    parts = [words(say, "move", str(move["type"]))]
    for key, value in move.items():
        if key in ("type", "player") or value in ("", 0, None):
            continue
        if key == "routes":
            parts.append("; ".join(f"{route['train']}: {short_path(route['path'])}" for route in value))
        else:
            parts.append(shown(value_text(say, game, key, value)))
    return " ".join(parts)


def round_text(say: Say, game: Game) -> str:
    """Where the game is."""
    round_ = game.state.round
    say = say.of(game.definition.id)
    return words(
        say,
        "round",
        beside(say, game, f"round.{round_.kind}").removeprefix("round."),
        stock=round_.stock_number,
        number=round_.operating_number,
        total=round_.operating_total,
    )


#: The catalogue's groups for facts of refusals that are words themselves.
_GROUPS = {
    "colour": "colour", "old": "colour", "colours": "colours", "side": "side", "source": "value", "ways": "value",
    "move": "move", "moves": "move", "values": "value", "holder": "thing", "apart": "apart",
}  # fmt: skip
#: Lists of which one is to be chosen.
_ANY = ("ways", "hexes", "pars", "tiles", "values")
#: Whatever people typed is cut to this before it is said again.
_TYPED = 40


def refusal(say: Say, refused: Refused, escape: Callable[[str], str] = shown) -> str:
    """Why a move is refused, as a sentence; `escape` makes names and typed words harmless where it is read."""
    say = say.of(refused.title)
    facts = dict(refused.facts)
    if "colour" in facts:
        facts["colours"] = facts["colour"]
    values = {about: _fact(say, about, fact, escape) for about, fact in facts.items()}
    lots = {lot: _lot_name(say, lot, *found) for lot, found in refused.lots.items()}
    values |= {about: lots[fact] for about, fact in facts.items() if isinstance(fact, str) and fact in lots}
    return say(f"refused.{refused.key}", **values)


def _fact(say: Say, about: str, fact: Any, escape: Callable[[str], str]) -> Any:
    if isinstance(fact, tuple):
        items = [str(_fact(say, about, item, escape)) for item in fact]
        last = say("list.or" if about in _ANY else "list.and")
        return last.join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else "–"
    if isinstance(fact, bool) or not isinstance(fact, str):
        return words(say, "value", str(fact).lower()) if isinstance(fact, bool) else fact
    if about in ("train", "trains"):
        return vehicle(say, "the", cut(fact, _TYPED))
    if about in _GROUPS and say.known(f"{_GROUPS[about]}.{fact}"):
        return escape(words(say, _GROUPS[about], fact))
    if say.known(f"value.{about}.{fact}"):
        return say(f"value.{about}.{fact}")
    return card_name(say, fact) if about == "cards" else escape(cut(fact, _TYPED))


def step_text(say: Say, game: Game, player: str = "", most: int = 0) -> str:
    """What is to be decided (by a player), in a few words; a proposal is told whole. `most` kinds of moves are told."""
    say = say.of(game.definition.id)
    asked = game.state.pauses[0].kind if game.state.pauses else ""
    choices = [choice for choice in game.offer().choices if player in ("", choice.player)]
    names = dict.fromkeys(
        proposal_text(say, game, choice) if choice.name == "answer" else inner(say, choice_text(say, choice))
        for choice in choices
        if choice.name != "pass"
    )
    if say.known(f"question.{asked}") and not any(choice.name == "answer" for choice in choices):
        return say(beside(say, game, f"question.{asked}"))
    told = list(names)[: most or None]
    more = say("list.more") if told and len(told) < len(names) else ""
    return ", ".join(told) + more or words(say, "move", "pass")


def lesson(say: Say, game: Game) -> str:
    """What the present step is about, in a sentence, in a form of play that people learn with."""
    say = say.of(game.definition.id)
    if game.finished or game.state.pauses:
        return ""
    step = f"lesson.{game.rules.setup.form}.{game.state.round.step}"
    kinds = [f"{step}.{choice.name}" for choice in game.offer().choices]
    known = next((key for key in (*kinds[:1], step) if say.known(key)), "")
    return say("facts.lesson", text=say(known)) if known else ""


def proposal_text(say: Say, game: Game, choice: Choice[Any]) -> str:
    """The whole offer that somebody is to answer."""
    say = say.of(game.definition.id)
    domain = choice.asked({})
    assert isinstance(domain, Options)
    facts = dict(domain.options[0].facts)
    what = next(key for key in facts if key not in ("company", "seller", "price"))
    # A counter comes back to the one who proposed.
    back = "_back" if choice.company == facts["company"] else ""
    values = {key: shown(value) if isinstance(value, str) else value for key, value in facts.items()}
    values[what] = shown(value_text(say, game, what, facts[what]))
    key = f"proposal.{what}{back}"
    return say(key, **values) if say.known(key) else ", ".join(f"{name} {value}" for name, value in values.items())
