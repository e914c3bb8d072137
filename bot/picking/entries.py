"""What one tap picks, and what stands on its button: a choice's parameters together where they are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from bot.names import plain
from bot.picking.bands import IN_ROW, Band, bands, numbering
from bot.picking.screen import button_lines
from bot.picking.walk import Walk, check, value_token, walk
from bot.texts import Say
from bot.words.wording import choice_text, option_text, value_text, vehicle, words
from engine.board.faces import stop_letter
from engine.finance import shares
from engine.game import Game
from engine.offer import Choice, Domain, Number, Option, Options
from engine.state import BANK, OFFERING, POOL
from renderers.hexes.regions import nearest_name, short
from renderers.pages.chooser import PER_PAGE

#: More than this is a menu instead, unless they are hexes: these have short names.
MOST_BUTTONS = 12
#: So many, where each takes no more room than a number: they are no higher than a dozen with longer names.
MOST_SHORT = 20
#: With the parts of the map there are no more buttons than this.
_MOST_PARTS = 16
#: Lots whose names take more lines are told by the numbers that they have on the board of lots.
_LOT_LINES = 6
#: Numbers beside the one that is previewed, so that most need no form.
QUICK_NUMBERS = 4

#: Kinds of moves whose parameters stand on the card itself, those that people come for first.
_QUICK = ("answer", "dividend", "buy_lot", "buy_share", "buy_train")
#: Parameters that begin with a sensible value in the preview; the others stand beside it.
_PRESET = ("source", "percent", "price")

Trail = Mapping[str, Option]


@dataclass(frozen=True)
class Entry:
    """One tap: the choice's number in the offer, the picks it stands for, and its text."""

    number: int
    code: str
    text: str
    #: Whether nothing is asked after it, as far as is known without asking.
    complete: bool = False
    #: The band of the map that it opens, from 1; 0 if it opens or picks something else.
    page: int = 0


@dataclass(frozen=True)
class _Leaf:
    tokens: tuple[str, ...]
    trail: Trail
    domain: Domain | None


def _leaves(
    choice: Choice[Any], picked: Mapping[str, Any], tokens: tuple[str, ...], trail: Trail, *, deep: bool
) -> Iterator[_Leaf]:
    """All that can be picked from here on; numbers, tiles and open questions are asked by themselves."""
    while (domain := choice.asked(picked)) is not None and _settled(domain):
        assert isinstance(domain, Options)
        picked = {**picked, domain.name: domain.options[0].value}
        trail = {**trail, domain.name: domain.options[0]}
    asks_itself = not isinstance(domain, Options) or domain.open
    if asks_itself or (tokens and domain.name == "tile"):  # type: ignore[union-attr]
        yield _Leaf(tokens, trail, domain)
        return
    assert isinstance(domain, Options)
    for option in domain.options:
        taken = (*tokens, value_token(domain, option.value))
        more = {**trail, domain.name: option}
        # Where a tile can lie is known only after many trials; they are made when a hex is picked.
        if not deep or (domain.name == "hex" and choice.name == "lay_tile"):
            yield _Leaf(taken, more, domain)
        else:
            yield from _leaves(choice, {**picked, domain.name: option.value}, taken, more, deep=True)


def _settled(domain: Domain) -> bool:
    return isinstance(domain, Options) and len(domain.options) == 1 and not domain.open


def entries(say: Say, step: Walk, *, verb: bool = False) -> list[Entry]:
    """Everything that can be picked next. A tile and its rotation are one pick; others only if they are few."""
    game, choice = step.choice.game, step.choice
    tiles = asks_tile(step)
    # From the beginning where nothing was picked by hand: then what has one value only can be told too.
    picked = step.picked if step.code else {}
    found = list(islice(_leaves(choice, picked, (), {}, deep=True), None if tiles else MOST_BUTTONS + 1))
    if not tiles and len(found) > MOST_BUTTONS:
        found = list(_leaves(choice, picked, (), {}, deep=False))
    places = choice.name in PLACES and all("hex" in leaf.trail for leaf in found)
    if tiles:
        # Where only one tile fits, only its rotations are asked for.
        only = {"tile": Option(step.picked["tile"])} if "tile" in step.picked else {}
        parts = [{name: o for name, o in {**only, **leaf.trail}.items() if name != "hex"} for leaf in found]
        texts = [f"{number}: {_listed(say, game, part)}" for number, part in enumerate(parts, start=1)]
    elif places:
        texts = _place_texts(say, game, choice, [leaf.trail for leaf in found], numbers_of(step))
    else:
        texts = [entry_text(say, game, choice, leaf.trail, verb=verb) for leaf in found]
    if not tiles:
        twice = Counter(texts)
        texts = [
            f"{text}, {_listed(say, game, leaf.trail)}" if twice[text] > 1 else text
            for text, leaf in zip(texts, found, strict=True)
        ]
    return [
        Entry(step.number, step.then(".".join(leaf.tokens)), text, leaf.domain is None)
        for text, leaf in zip(texts, found, strict=True)
    ]


def banded(step: Walk) -> tuple[Band, ...]:
    """The bands of the map in which a place is to be picked; none if all of them are shown at once, or none is asked.

    Their numbers are those of the domain's options.
    """
    domain = step.domain
    if step.code or step.choice.name not in PLACES or not isinstance(domain, Options) or domain.name != "hex":
        return ()
    game = step.choice.game
    found = game.offer().once(
        ("bands", step.number), lambda: bands(game.definition.map, [option.value for option in domain.options])
    )
    return found if len(found) > 1 else ()


def in_band(step: Walk, found: Sequence[Entry], page: int) -> Sequence[Entry]:
    """Those entries whose hexes are in a band."""
    tokens = _band_tokens(step, banded(step)[page - 1])
    fitting = [entry for entry in found if entry.code.partition(".")[0] in tokens]
    return sorted(fitting, key=lambda entry: tokens.index(entry.code.partition(".")[0]))


def _band_tokens(step: Walk, band: Band) -> list[str]:
    """What stands in a code for the hexes of a band, in their order."""
    assert isinstance(step.domain, Options)
    return [value_token(step.domain, step.domain.options[number].value) for number in band.numbers]


def band_check(step: Walk, page: int) -> str:
    """The check of what a band shows: its name and its hexes; "" where `page` is no band."""
    found = banded(step)
    if not 0 < page <= len(found):
        return ""
    band = found[page - 1]
    return check(band.name, sorted(_band_tokens(step, band)))


def numbers_of(step: Walk) -> dict[str, int]:
    """The number of each hex of a choice, on its picture and on its button; none where no place is asked first."""
    game, domain = step.choice.game, step.choice.asked({})
    if step.choice.name not in PLACES or not isinstance(domain, Options) or domain.name != "hex":
        return {}
    return game.offer().once(
        ("numbers", step.number), lambda: numbering(game.definition.map, [option.value for option in domain.options])
    )


def band_of(game: Game, step: Walk) -> int:
    """The band, from 1, in which the first pick of a code was shown; 0 if there are no bands, or it is alone in it."""
    first = walk(game, step.number, "")
    token = step.code.replace("-", ".").partition(".")[0]
    pages = enumerate(banded(first), start=1)
    return next((page for page, band in pages if len(band.numbers) > 1 and token in _band_tokens(first, band)), 0)


def band_entries(say: Say, step: Walk, lead: str = "") -> list[Entry]:
    """One tap for each band; the only hex of a band is picked with that tap."""
    choice, domain = step.choice, step.domain
    result = []
    for page, band in enumerate(banded(step), start=1):
        if len(band.numbers) == 1 and isinstance(domain, Options):
            (number,) = band.numbers
            trail = {"hex": domain.options[number]}
            (text,) = _place_texts(say, choice.game, choice, [trail], numbers_of(step))
            result.append(Entry(step.number, value_token(domain, domain.options[number].value), f"{lead}{text}"))
        else:
            result.append(Entry(step.number, "", f"{lead}{band.name}", page=page))
    return result


def asks_tile(step: Walk) -> bool:
    """Whether a tile or its rotation is asked for, which a picture shows."""
    return isinstance(step.domain, Options) and step.domain.name in ("tile", "rotation")


def _listed(say: Say, game: Game, trail: Trail) -> str:
    return ", ".join(option_text(say, game, name, option) for name, option in trail.items())


def preset(say: Say, step: Walk) -> list[Entry]:
    """Where the rest begins with a sensible value: that one first, then some others; else nothing.

    They belong to the same tap as what was picked before, so that Back does not stop at them.
    """
    domain = step.domain
    if isinstance(domain, Number):
        numbers = [domain.low, *_quick(domain, step)]
        tokens = [(f"n{number}", number_text(say, domain.name, number)) for number in numbers]
    elif isinstance(domain, Options) and domain.name in _PRESET and step.code:
        found = list(islice(_leaves(step.choice, step.picked, (), {}, deep=True), MOST_BUTTONS))
        game = step.choice.game
        tokens = [(".".join(leaf.tokens), entry_text(say, game, step.choice, leaf.trail)) for leaf in found]
    else:
        return []
    glue = f"{step.code}." if step.code else ""
    return [Entry(step.number, glue + more, text, complete=True) for more, text in tokens]


def _quick(domain: Number, step: Walk) -> list[int]:
    """Some numbers above the lowest: the next ones, a train's printed price, and all there is."""
    possible = range(domain.low, domain.high + 1, domain.step)
    few = list(possible[1 : QUICK_NUMBERS + 1])
    if domain.high - domain.low > 20 * domain.step:
        wanted = [*possible[1:3], possible[5], possible[10]]
        printed = {train.name: train.price for train in step.choice.game.definition.trains}
        price = printed.get(step.picked.get("train", ""))
        if price is not None:
            wanted = [number for number in (price // 2, price, domain.high) if number in possible]
        few = sorted(set(wanted) - {domain.low})
    return few


def number_text(say: Say, name: str, number: int) -> str:
    """A number as money, where it is."""
    return say("entry.money", value=number) if name in ("price", "amount", "par") else str(number)


# ---------------------------------------------------------------------- the offer as buttons


@dataclass(frozen=True)
class Spread:
    """What somebody may do, as buttons: picks that are spread out, kinds of moves to open, and one for a menu."""

    entries: Sequence[Entry] = ()
    kinds: Sequence[Entry] = ()
    #: The choice whose picks are too many for buttons; a panel shows them in a menu.
    menu: int | None = None
    passing: int | None = None
    #: The choices whose picks are spread out.
    shown: Sequence[int] = field(default_factory=tuple)


def spread(say: Say, game: Game, player: str, *, panel: bool = False, most: int = MOST_BUTTONS) -> Spread:
    """What a player may do. On a card only quick kinds are spread out; in the panel also what the step is about."""
    key = ("spread", say, player, panel, most)
    return game.offer().once(key, lambda: _spread(say, game, player, panel, most))


def _spread(say: Say, game: Game, player: str, panel: bool, most: int) -> Spread:
    own = [(number, choice) for number, choice in enumerate(game.offer().choices) if choice.player == player]
    passing = next((number for number, choice in own if choice.name == "pass"), None)
    moves = [(number, choice) for number, choice in own if choice.name != "pass"]
    alike = Counter((choice.name, bool(choice.granted_by)) for _, choice in moves)
    main = next((number for number, choice in moves if choice.name not in ("sell_shares", "found")), None)
    if main is not None and _alike(alike, game.offer().choices[main]) > 1:
        main = None  # a pick would not say for which company it is
    # What is asked in private never stands on a card.
    quick = {n for n, c in moves if (c.quick or c.name in _QUICK) and (panel or not c.secret)}
    wanted = quick | ({main} if panel and main is not None else set())
    if panel and len(moves) == 1:
        wanted = {moves[0][0]}
    room = most - len(moves)
    spread_out: dict[int, list[Entry]] = {}
    menu = None
    for number, choice in sorted(moves, key=lambda move: move[1].name not in _QUICK):
        if number not in wanted:
            continue
        step = walk(game, number, "")
        if not isinstance(step.domain, Options) or step.domain.open:
            if step.complete:
                text = _complete_text(say, game, choice, len(moves) > 1)
                spread_out[number] = [Entry(number, "", text, complete=True)]
            continue
        found = entries(say, step, verb=len(moves) > 1)
        if choice.name == "buy_lot" and not panel:
            found = _numbered_lots(say, game, step.domain, found)
        short = panel and number == main and choice.name in PLACES
        if banded(step):
            menu = number if panel and number == main else menu
        elif (short or len(found) - 1 <= room) and (not asks_tile(step) or len(found) <= PER_PAGE):
            room -= len(found) - 1
            spread_out[number] = found
        elif panel and number == main and not asks_tile(step):
            menu = number
    kinds: list[Entry] = []
    left = [(number, choice) for number, choice in moves if number not in spread_out and number != menu]
    count = sum(map(len, spread_out.values())) + len(left)
    for number, choice in left:
        text = choice_text(say, choice, company=_alike(alike, choice) > 1)
        # Which part of the map is a question of its own, unless it is answered with the same tap. Nothing else is
        # asked here: a choice of routes would be searched for. Beside the parts of another choice there is no room.
        places = choice.name in PLACES and menu is None
        parts = band_entries(say, walk(game, number, ""), f"{text}: ") if places else []
        if not parts or count + len(parts) - 1 > _MOST_PARTS:
            parts = [Entry(number, "", text)]
        count += len(parts) - 1
        kinds += parts
    flat = [entry for number, _ in moves for entry in spread_out.get(number, ())]
    return Spread(flat, kinds, menu, passing, tuple(spread_out))


def _alike(alike: Counter[tuple[str, bool]], choice: Choice[Any]) -> int:
    """How many choices there are of a kind."""
    return alike[choice.name, bool(choice.granted_by)]


def _complete_text(say: Say, game: Game, choice: Choice[Any], verb: bool) -> str:
    """A choice whose parameters have one value each, or that has none: then with what it tells of itself."""
    leaf = next(_leaves(choice, {}, (), {}, deep=True))
    if leaf.trail:
        return entry_text(say, game, choice, leaf.trail, verb=verb)
    own = say.of(game.definition.id)
    facts = ", ".join(words(own, "fact", name, value=value) for name, value in choice.tells.items())
    return f"{choice_text(say, choice)}: {facts}" if facts else choice_text(say, choice)


# ---------------------------------------------------------------------- texts


def entry_text(say: Say, game: Game, choice: Choice[Any], trail: Trail, *, verb: bool = False) -> str:
    """What a person needs to know of a pick; with the kind of move where several kinds stand side by side."""
    make = _TEXTS.get(choice.name)
    text = make(say, game, choice, trail) if make is not None else ""
    say = say.of(game.definition.id)
    if not text:
        text = _own_text(say, game, choice, trail) or _listed(say, game, trail)
    key = f"verb.{choice.name}"
    if verb and (say.known(key) or choice.name not in _PLAIN):
        lead = say(key) if say.known(key) else f"{choice_text(say, choice)}:"
        return f"{lead} {text}"
    return text


def _own_text(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    """A pick in a title's own sentence, as soon as everything is picked that the sentence tells."""
    key = f"pick.{choice.name}"
    if not any(map(say.known, (key, *(f"{key}.{name}" for name in trail)))):
        return ""
    values: dict[str, Any] = {}
    for name, option in trail.items():
        values |= {f"{name}_{fact}": value for fact, value in option.facts.items()} | dict(option.facts)
        if option.value in game.definition.corporations:
            values[f"{name}_name"] = game.definition.corporations[option.value].name
    values = {name: value for name, value in values.items() if value != ""}
    values |= {name: value_text(say, game, name, option.value) for name, option in trail.items() if option.value != ""}
    # What is not always there has a sentence of its own, and so has what is picked in part: the fullest is told.
    keys = [each for each in (key, *(f"{key}.{name}" for name in values)) if say.known(each)]
    fitting = [each for each in keys if say.asks(each) <= values.keys()]
    return say(max(fitting, key=lambda each: len(say.asks(each))), **values) if fitting else ""


#: Kinds of moves whose picks speak for themselves.
_PLAIN = ("answer", "dividend", "buy_train")


def _lot(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    """A lot with its price; where it has been picked already, only prices are left to tell."""
    lot = trail.get("lot")
    if lot is None:
        return ""
    if "price" in trail:
        return say("entry.price", what=value_text(say, game, "lot", lot.value), price=trail["price"].value)
    key = "entry.price" if "price" in lot.facts else "entry.least"
    price = lot.facts.get("price", lot.facts.get("least"))
    return say(key, what=value_text(say, game, "lot", lot.value), price=price)


def _found(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    parts = []
    if "company" in trail:
        company = game.definition.corporations[trail["company"].value]
        hexes = game.definition.map.hexes
        home = next((hexes[home.at].name for home in company.homes if home.at in hexes), "")
        place = home.partition(" (")[0].partition(" / ")[0]
        parts.append(say("entry.company" if place else "entry.nameless", id=company.id, name=company.name, home=place))
    if "par" in trail:
        par, price = trail["par"].value, trail["par"].facts.get("price")
        parts.append(say("entry.money", value=par) if price is None else say("entry.par", par=par, price=price))
    return ", ".join(parts)


def _share(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    if "company" not in trail:
        return _source(say, game, trail)
    company = trail["company"].value
    facts = next(trail[name].facts for name in ("percent", "source", "company") if name in trail)
    what = company
    if "percent" in trail and trail["percent"].value != shares.unit(game, company):
        what = f"{company} {trail['percent'].value} %"
    text = say("entry.price", what=what, price=facts["price"])
    if "source" in trail and trail["source"].value not in (OFFERING, company):
        text = f"{text}, {value_text(say, game, 'source', trail['source'].value)}"
    return text


def _source(say: Say, game: Game, trail: Trail) -> str:
    """Where a share of a company that is picked already comes from."""
    if "source" not in trail or "percent" not in trail:
        return ""
    what = f"{value_text(say, game, 'source', trail['source'].value)}, {trail['percent'].value} %"
    return say("entry.price", what=what, price=trail["percent"].facts["price"])


def _sale(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    if "percent" not in trail or "company" not in trail:
        return ""
    percent = trail["percent"]
    text = say("entry.sale", company=trail["company"].value, percent=percent.value, amount=percent.facts["amount"])
    director = percent.facts.get("director")
    if director and director != game.company(trail["company"].value).director:
        text = f"{text}, {words(say, 'fact', 'director', value=plain(director))}"
    return text


def _train(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    if "train" not in trail:
        return ""
    source, train = trail["source"].value if "source" in trail else BANK, trail["train"]
    if "source" not in trail and "price" not in train.facts:
        return ""
    name = vehicle(say, "the", train.value)
    if source not in (BANK, POOL):
        director = game.decider(source)
        own = director == choice.player
        return say("entry.own_train" if own else "entry.others_train", train=name, company=source, name=plain(director))
    text = say("entry.price", what=name, price=train.facts["price"])
    if source != BANK:
        text = f"{text}, {value_text(say, game, 'source', source)}"
    if "director_adds" in train.facts:
        text = f"{text}, {words(say, 'fact', 'director_adds', value=train.facts['director_adds'])}"
    return text


def _dividend(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    way = trail["kind"]
    return dividend_text(say, game, choice.company, way)


def dividend_text(say: Say, game: Game, company: str, way: Option) -> str:
    """A way of using a revenue, with what it pays and keeps; who owns a company alone is called by name."""
    revenue, share, kept = way.facts["revenue"], way.facts["share"], way.facts["kept"]
    if shares.unit(game, company) == 100 and kept != revenue:
        name = plain(game.company(company).director)
        key = "entry.split_owner" if kept else "entry.pay_owner"
        return say(key, paid=revenue - kept, name=name, kept=kept)
    if not kept:
        return say("entry.pay", paid=revenue, share=share)
    if kept == revenue:
        return say("entry.withhold", kept=kept)
    what = value_text(say, game, "kind", way.value)
    return say("entry.split", what=what, paid=revenue - kept, share=share, kept=kept)


def _answer(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    return words(say, "reply", str(trail["reply"].value))


def _place(say: Say, game: Game, choice: Choice[Any], trail: Trail) -> str:
    parts = [
        value_text(say, game, name, option.value)
        for name, option in trail.items()
        if name != "stop" or "hex" not in trail or len(_stops(choice, trail["hex"].value)) > 1
    ]
    cost = _cost(trail)
    return ", ".join([*parts, *([say("entry.money", value=cost)] if cost else [])])


def _place_texts(
    say: Say, game: Game, choice: Choice[Any], trails: Sequence[Trail], numbers: Mapping[str, int]
) -> list[str]:
    """Places with the numbers that they have on the picture, their names and costs."""
    texts = []
    for trail in trails:
        at = str(trail["hex"].value)
        parts = [f"{numbers[at]} {place_name(say, game, at)}" if at in numbers else place_name(say, game, at)]
        if "stop" in trail and len(_stops(choice, at)) > 1:
            parts.append(stop_letter(trail["stop"].value))
        cost = _cost(trail)
        texts.append(", ".join([*parts, *([say("entry.money", value=cost)] if cost else [])]))
    return texts


def place_name(say: Say, game: Game, at: str) -> str:
    """A place's short name; a hex without one is near one that has."""
    board = game.definition.map
    name = short(board.hexes[at].name)
    return name or say("entry.near", hex=at, name=nearest_name(board, [at]))


def _numbered_lots(say: Say, game: Game, domain: Options, found: list[Entry]) -> list[Entry]:
    """Lots on a card by their number on the board above and their price, if with their names they take too many lines.

    Where two of them have one number, or the price is still open, the name stays.
    """
    if _lines([entry.text for entry in found]) <= _LOT_LINES or len(found) != len(domain.options):
        return found
    numbers = [lot[0] if (lot := game.lot(option.value)) else 0 for option in domain.options]
    alone = Counter(numbers)
    return [
        replace(entry, text=say("entry.numbered", number=number, price=option.facts["price"]))
        if number and alone[number] == 1 and "price" in option.facts
        else entry
        for number, option, entry in zip(numbers, domain.options, found, strict=True)
    ]


def _lines(texts: Sequence[str]) -> int:
    return button_lines([texts[start : start + IN_ROW] for start in range(0, len(texts), IN_ROW)])


def _cost(trail: Trail) -> int:
    """What a place costs."""
    return next((option.facts["cost"] for option in trail.values() if option.facts.get("cost")), 0)


def _stops(choice: Choice[Any], at: str) -> list[int]:
    """The stops of a hex that are on offer."""
    domain = choice.asked({"hex": at})
    found = isinstance(domain, Options) and domain.name == "stop"
    return [option.value for option in domain.options] if found and isinstance(domain, Options) else []


def asked_stops(step: Walk) -> list[tuple[str, int]]:
    """Stops that a picture must tell apart: those of hexes on which several are on offer."""
    choice = step.choice
    if choice.name != "place_station":
        return []
    domain = choice.asked({})
    hexes = [option.value for option in domain.options] if isinstance(domain, Options) else []
    return [(at, stop) for at in hexes if len(found := _stops(choice, at)) > 1 for stop in found]


#: Kinds of moves that begin with a place on the map.
PLACES = ("lay_tile", "place_station")

_TEXTS: Mapping[str, Callable[[Say, Game, Choice[Any], Trail], str]] = {
    "buy_lot": _lot,
    "bid": _lot,
    "found": _found,
    "buy_share": _share,
    "sell_shares": _sale,
    "buy_train": _train,
    "dividend": _dividend,
    "answer": _answer,
    "lay_tile": _place,
    "place_station": _place,
}
