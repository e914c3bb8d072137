"""Reads a title's plain tables and checks them on the way.

The notation: a stop is `kind revenue xSLOTS WORDS` ("city 30 x2", "offboard yellow:40 brown:60"), a piece of
track is `END-END`, an end is an edge (a compass point on the map, 0 to 5 on a tile) or a stop's letter.
The word `open` says that a stop's stations never block ("city 30 x2 open"); every other word reserves one of
its spaces, the last ones, for a company or a kind of token ("city 20 x2 harbour"; `[title] token_kinds` lists
the kinds). Pieces of track that are ferries stand in `ferry` as well: between the two parts of a city, or
from an edge to a stop; `ferry_value` is the income of the stop for a train that uses one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from engine.board.faces import (
    CITY,
    COLOURS,
    FIRST_STOP,
    MOST_LINKS,
    OFFBOARD,
    TOWN,
    Face,
    Stop,
    Tile,
    Track,
    category,
    piece,
)
from engine.board.hexes import LAYOUTS, Layout, parse
from engine.board.hexes import name as hex_name
from engine.definition import Corporation, Definition, Hex, Home, Map, Market, Phase, Private, TrainType
from engine.errors import BadData
from engine.rows import (
    CorporationRow,
    FaceRow,
    HexRow,
    MarketRow,
    PhaseRow,
    PrivateRow,
    TileRow,
    TitleRow,
    TrainRow,
)  # fmt: skip
from engine.state import BLANK, MARKER
from engine.tables import Files, value

#: Colours of companies by name; any other is written #rrggbb.
COMPANY_COLOURS = (
    "black", "white", "grey", "gray", "red", "blue", "green", "yellow", "brown", "purple", "violet", "orange", "pink",
    "turquoise",
)  # fmt: skip
COLOUR_CODE = re.compile("#[0-9a-fA-F]{6}")


def no_colour(text: str) -> str:
    """What is wrong with the colour of a company, if anything is."""
    if text in COMPANY_COLOURS or COLOUR_CODE.fullmatch(text):
        return ""
    return f"a colour's name or #rrggbb is expected, not {text!r}"


#: A drawing has no more stops than this, of each kind and in all.
MOST_STOPS = 4


class Reader:
    """Reads one title's files and says where a fault is: file, table and key."""

    def __init__(self, files: Mapping[str, Mapping[str, Any]]) -> None:
        self.files = Files(files)
        #: Where the table at hand stands, and which of its keys is being read.
        self.where = ""
        self.key = ""
        self._places: dict[tuple[str, str], str] = {}

    def fault(self, reason: str, key: str = "") -> BadData:
        key = key or self.key
        return BadData(f"{self.where}{'.' if key else ''}{key}: {reason}")

    def at(self, table: str, name: str, where: str = "") -> None:
        """Turn to a table, by name if it was read before."""
        if where:
            if (table, name) in self._places:
                self.where = where
                raise self.fault(
                    f"{name} stands twice", {"hex": "at", "train": "name", "phase": "name"}.get(table, "id")
                )
            self._places[table, name] = where
        self.where, self.key = self._places.get((table, name), f"{self.files.where(table)} {name}"), ""

    def definition(self) -> Definition:
        """The whole title, or BadData with file, table and reason."""
        title = self.title()
        low, high = title.players
        definition = Definition(
            id=title.id,
            name=title.name,
            players=(low, high),
            bank=title.bank,
            starting_cash=title.starting_cash,
            cert_limit=title.cert_limit,
            pool_limit=title.pool_limit,
            map=self.map(LAYOUTS[title.layout]),
            tiles=self.tiles(),
            market=self.market(),
            corporations=self.corporations(),
            privates=self.privates(),
            trains=self.trains(),
            phases=self.phases(),
            reconstructed=title.reconstructed,
            token_kinds=title.token_kinds,
            clauses=self.texts("clauses"),
        )
        self.cross_check(definition)
        return definition

    def title(self) -> TitleRow:
        title = self.files.table(TitleRow, "title")
        self.where, self.key = self.files.where("title"), ""
        low, high = title.players
        if low > high:
            raise self.fault(f"the least is expected first, not {low} and {high}", "players")
        for key, by_players in (("starting_cash", title.starting_cash), ("cert_limit", title.cert_limit)):
            for count in {*range(low, high + 1)} ^ by_players.keys():
                raise self.fault(f"a number for each from {low} to {high} players is expected", f"{key}.{count}")
        if any(cash * count > title.bank for count, cash in title.starting_cash.items()):
            raise self.fault("the players have more than the bank", "starting_cash")
        return title

    def texts(self, key: str) -> Mapping[str, str]:
        found: Mapping[str, str] = value(Mapping[str, str], self.files.get(key, dict), self.files.where(key))
        return found

    # ------------------------------------------------------------------ faces

    def stop(self, text: str) -> Stop:
        words = text.split()
        kind = words[0] if words else ""
        if kind not in (CITY, TOWN, OFFBOARD) or len(words) < 2:
            raise self.fault(f"stop {text!r} is not 'city|town|offboard revenue [xSLOTS] [open] [reserved for …]'")
        slots = 1 if kind == CITY else 0
        revenue: list[tuple[str, int]] = []
        reserved: list[str] = []
        never_blocks = False
        try:
            for word in words[1:]:
                if word[0] == "x" and word[1:].isdecimal():
                    slots = int(word[1:])
                elif word == "open":
                    never_blocks = True
                elif word.isidentifier() and revenue:
                    reserved.append(word)
                elif ":" in word:
                    colour, amount = word.split(":")
                    if colour not in COLOURS:
                        raise self.fault(f"stop {text!r}: {colour!r} is no phase colour")
                    revenue.append((colour, int(amount)))
                else:
                    revenue.append(("plain", int(word)))
        except ValueError:
            raise self.fault(f"stop {text!r} holds something that is no number") from None
        if kind == TOWN and never_blocks:
            raise self.fault(f"stop {text!r}: a town is always open")
        if len(reserved) > slots:
            raise self.fault(f"stop {text!r} reserves {len(reserved)} of {slots} spaces")
        if reserved:
            reserved = [""] * (slots - len(reserved)) + reserved
        return Stop(kind, tuple(revenue), slots, tuple(reserved), never_blocks)

    def track(self, texts: Iterable[str], stops: int, edges: tuple[str, ...]) -> tuple[Track, ...]:
        def end(word: str) -> int:
            if word in edges:
                return edges.index(word)
            if len(word) == 1 and word.islower() and ord(word) - ord("a") < stops:
                return FIRST_STOP + ord(word) - ord("a")
            raise self.fault(f"track end {word!r} is neither an edge nor a stop")

        result: list[Track] = []
        for text in texts:
            words = text.split("-")
            if len(words) != 2:
                raise self.fault(f"track {text!r} is not END-END")
            result.append(piece(end(words[0]), end(words[1])))
        if len(set(result)) != len(result):
            raise self.fault("a piece of track stands twice")
        return tuple(result)

    def face(self, row: FaceRow, edges: tuple[str, ...]) -> Face:
        self.key = "stops"
        stops = tuple(self.stop(text) for text in row.stops)
        for stop in stops:
            if not all(0 <= amount <= 999 for _, amount in stop.revenue) or not 0 <= stop.slots <= 9:
                raise self.fault("a stop's revenue is from 0 to 999, its spaces are at most 9")
        if len(stops) > MOST_STOPS:
            raise self.fault(f"there are at most {MOST_STOPS} stops, not {len(stops)}")
        self.key = "ferry"
        ferry = frozenset(self.track(row.ferry, len(stops), edges))
        self.key = "track"
        track = self.track(row.track, len(stops), edges)
        if any(one == other for one, other in track):
            raise self.fault("a piece of track leads from an end to itself")
        self.ferries(row.ferry_value, ferry, track, stops)
        return Face(
            colour=row.color,
            stops=stops,
            track=track,
            labels=tuple(row.label.split("/")) if row.label else (),
            cost=row.cost,
            icons=row.icons,
            ferry=ferry,
            ferry_value=row.ferry_value,
        )

    def ferries(self, income: int, ferry: frozenset[Track], track: tuple[Track, ...], stops: tuple[Stop, ...]) -> None:
        """Refuse what the search for routes cannot do with ferries and with track between stops."""
        if sum(one >= FIRST_STOP for one, _ in track) > MOST_LINKS:
            raise self.fault(f"at most {MOST_LINKS} pieces of track join two stops", "track")
        self.key = "ferry"
        if not ferry <= set(track):
            raise self.fault("a ferry that is no track")
        across = [(one, other) for one, other in ferry if one >= FIRST_STOP]
        if any(other < FIRST_STOP for _, other in ferry):
            raise self.fault("a ferry leads to no stop")
        if across and len(ferry) > 1:
            raise self.fault("a ferry inside a city is the only one of its hex")
        if any(stops[end - FIRST_STOP].kind != CITY for ends in across for end in ends):
            raise self.fault("a ferry between two stops joins parts of a city")
        for stop in {end - FIRST_STOP for ends in ferry for end in ends if end >= FIRST_STOP}:
            if income > min(amount for _, amount in stops[stop].revenue):
                raise self.fault(f"{income} is more than the income of the stop", "ferry_value")

    def map(self, layout: Layout) -> Map:
        hexes = self.map_hexes(layout)
        for at in hexes:
            if len(hexes) > 1 and not any(layout.neighbour(at, edge) in hexes for edge in range(6)):
                self.at("hex", at)
                raise self.fault(f"{at} adjoins no other hex of the map", "at")
        return Map.of(layout, dict(sorted(hexes.items(), key=lambda item: parse(item[0]))))

    def map_hexes(self, layout: Layout) -> dict[str, Hex]:
        hexes: dict[str, Hex] = {}
        for where, row in self.files.rows(HexRow, "hex"):
            self.where = where
            for spot in self.hexes(row, layout):
                self.at("hex", spot.at, where)
                if hexes and sum(parse(spot.at)) % 2 != sum(parse(next(iter(hexes)))) % 2:
                    raise self.fault(
                        f"{spot.at} lies between the hexes of the map, its row and column do not fit", "at"
                    )
                hexes[spot.at] = spot
        return hexes

    def hexes(self, row: HexRow, layout: Layout) -> Iterable[Hex]:
        face = self.face(row, layout.edges)

        def edges(key: str, names: tuple[str, ...]) -> list[int]:
            for compass in names:
                if compass not in layout.edges:
                    raise self.fault(f"one of {', '.join(layout.edges)} is expected, not {compass!r}", key)
            return [layout.edge(compass) for compass in names]

        def stops(key: str, letters: Iterable[str]) -> tuple[int, ...]:
            found = tuple(ord(letter) - ord("a") for letter in letters)
            if any(stop >= len(face.stops) for stop in found):
                raise self.fault(f"there are {len(face.stops)} stops, of which it names another", key)
            return found

        if not row.at:
            raise self.fault("a hex is expected", "at")
        if row.tiles_from and row.color != "plain":
            raise self.fault("a hex for a first tile is expected", "tiles_from")
        groups: list[tuple[str, tuple[int, ...]]] = []
        if row.group:
            groups.append((row.group, tuple(range(len(face.stops)))))
        for at in row.at:
            try:
                place = parse(at)
            except ValueError as error:
                raise self.fault(str(error), "at") from None
            if not 1 <= place[1] <= 99 or not at.isascii() or at != hex_name(*place):
                raise self.fault(f"{at!r} is no hex coordinate", "at")
            yield Hex(
                at=at,
                face=face,
                name=row.name,
                category=row.category or category(face),
                terrain=row.terrain or "",
                impassable=frozenset(edges("impassable", row.impassable)),
                stubs=sum(1 << edge for edge in edges("stubs", row.stubs)),
                icons=row.icons,
                stop_icons=tuple(zip(stops("stop_icons", row.stop_icons), row.stop_icons.values(), strict=True)),
                icons_after=row.after or "",
                groups=(*groups, *((f"{at} {bank}", stops("banks", found)) for bank, found in row.banks.items())),
                location_space=row.location_space,
                label_from=row.label_from or "",
                tiles_from=row.tiles_from or "",
                note=row.note,
                source=row.source,
            )

    def tiles(self) -> Mapping[str, Tile]:
        edges = tuple("012345")
        result: dict[str, Tile] = {}
        for number, where, row in self.files.named(TileRow, "tile"):
            self.at("tile", number, where)
            if not row.track:
                raise self.fault("a tile has track", "track")
            face = self.face(row, edges)
            if not row.rotations:
                raise self.fault("a rotation is expected", "rotations")
            result[number] = Tile(
                id=number,
                face=face,
                count=row.count,
                category=row.category or category(face),
                becomes=row.becomes,
                level=row.level or "",
                hexes=frozenset(row.hexes),
                rotations=tuple(sorted(row.rotations)),
                tokens=self.token_stops(row.tokens, len(face.stops)),
                special=row.special,
                source=row.source,
                note=row.note,
            )
        return result

    def token_stops(self, letters: tuple[str, ...], stops: int) -> tuple[int, ...]:
        found = tuple(ord(letter) - ord("a") for letter in letters)
        if any(stop >= stops for stop in found):
            raise self.fault(f"there are {stops} stops, of which it names another", "tokens")
        return found

    # ------------------------------------------------------------------ the rest

    def market(self) -> Market:
        table = self.files.table(MarketRow, "market")
        self.where, self.key = self.files.where("market"), "rows"
        for mark in table.legend:
            if len(mark) != 1 or mark.isdecimal():
                raise self.fault("a mark is one letter", f"legend.{mark}")
        gaps: set[tuple[int, int]] = set()
        rows: list[tuple[int, ...]] = []
        marks: list[tuple[str, ...]] = []
        for cells in table.rows:
            values: list[int] = []
            row_marks: list[str] = []
            for cell in cells:
                if not cell:
                    gaps.add((len(rows), len(values)))
                digits = cell.rstrip("".join(table.legend)) if cell else "0"
                if not digits.isascii() or not digits.isdecimal() or len(digits) > 4:
                    where = "rows" if table.legend else "legend"
                    raise self.fault(f"{cell!r} is not a price below 10000 with marks that the legend explains", where)
                values.append(int(digits))
                row_marks.append(cell[len(digits) :] if cell else "")
            rows.append(tuple(values))
            marks.append(tuple(row_marks))
        if bool(rows) == (table.kind == "none") or not all(map(any, rows)):
            raise self.fault("a price in each row is expected" if table.kind != "none" else "no prices are expected")
        for direction, marks_of in table.arrows.items():
            for mark in marks_of.keys() - table.legend.keys():
                raise self.fault("an arrow's mark is not in the legend", f"arrows.{direction}.{mark}")
        arrows = {str(direction): dict[str, str](marks_of) for direction, marks_of in table.arrows.items()}
        if table.kind in ("line", "lines"):
            self.lines(table, gaps)
        spaces = tuple(rows), tuple(marks), table.legend, frozenset(gaps)
        return Market(table.kind, *spaces, arrows, table.kinds)

    def lines(self, table: MarketRow, gaps: set[tuple[int, int]]) -> None:
        """What a line must be: one row without gaps and arrows; several may be named by the kind of company."""
        if table.kind == "line" and len(table.rows) != 1:
            raise self.fault(f"a line has one row, not {len(table.rows)}; several are 'lines'", "rows")
        if gaps or table.arrows:
            raise self.fault("a line has neither gaps nor arrows", "arrows" if table.arrows else "rows")
        if table.kinds and (len(table.kinds) != len(table.rows) or len(set(table.kinds)) != len(table.kinds)):
            raise self.fault(f"a kind of company for each of {len(table.rows)} rows is expected", "kinds")

    def corporations(self) -> Mapping[str, Corporation]:
        result: dict[str, Corporation] = {}
        for where, row in self.files.rows(CorporationRow, "corporation"):
            self.at("corporation", row.id, where)
            if sum(row.shares) != 100:
                raise self.fault(f"the certificates sum to {sum(row.shares)} per cent", "shares")
            if any(share % row.unit for share in row.shares):
                raise self.fault(f"certificates of whole shares of {row.unit} per cent are expected", "unit")
            homes = []
            for text in row.home:
                at, _, letter = text.partition(":")
                if len(letter or "a") != 1:
                    raise self.fault(f"a hex and a stop's letter are expected, not {text!r}", "home")
                homes.append(Home(at, ord(letter or "a") - ord("a")))
            if row.tokens and not homes:
                raise self.fault("a hex and a stop's letter are expected", "home")
            if len(row.tokens) < len(homes):
                raise self.fault(f"a token for each of {len(homes)} homes is expected", "tokens")
            if reason := no_colour(row.color):
                raise self.fault(reason, "color")
            result[row.id] = Corporation(
                id=row.id,
                name=row.name,
                shares=row.shares,
                tokens=row.tokens,
                homes=tuple(homes),
                colour=row.color,
                float_percent=row.float,
                kind=row.kind,
                unit=row.unit,
                special=in_languages(row.special, row.special_de),
                source=row.source,
            )
        return result

    def privates(self) -> Mapping[str, Private]:
        result: dict[str, Private] = {}
        if "private" not in self.files.tables:
            return result
        for where, row in self.files.rows(PrivateRow, "private"):
            self.at("private", row.id, where)
            if row.number in {other.number for other in result.values()}:
                raise self.fault(f"{row.number} stands twice", "number")
            result[row.id] = Private(
                id=row.id,
                number=row.number,
                name=row.name,
                price=row.price,
                revenue=row.revenue,
                hexes=row.hexes,
                ability=row.ability,
                closes=row.closes,
            )
        return result

    def trains(self) -> tuple[TrainType, ...]:
        result = []
        for where, row in self.files.rows(TrainRow, "train"):
            self.at("train", row.name, where)
            number = int(row.name[:2]) if row.name.isascii() and row.name.isdecimal() else 0
            result.append(
                TrainType(
                    name=row.name,
                    count=row.count,
                    price=row.price,
                    reach=number if row.reach is None else row.reach,
                    kind=row.kind,
                    rusts_on=names(row.rusts_on),
                    available_on=names(row.available_on),
                    optional=row.optional,
                )
            )
        return tuple(result)

    def phases(self) -> tuple[Phase, ...]:
        result = []
        for where, row in self.files.rows(PhaseRow, "phase"):
            self.at("phase", row.name, where)
            result.append(
                Phase(
                    name=row.name,
                    colour=row.color,
                    on=names(row.on),
                    tiles=row.tiles,
                    train_limit=row.train_limit,
                    operating_rounds=row.operating_rounds,
                    event=in_languages(row.event, row.event_de),
                )
            )
        return tuple(result)

    def reservations(self, definition: Definition) -> None:
        """Spaces are reserved for companies and kinds of tokens that exist; rows of prices are for kinds that exist."""
        kinds = set(definition.token_kinds)
        self.where = self.files.where("title")
        if both := (kinds | {BLANK, MARKER}) & set(definition.corporations):
            raise self.fault(f"{sorted(both)[0]!r} is a kind of token and a corporation", "token_kinds")
        places = [("hex", at, spot.face) for at, spot in definition.map.hexes.items()]
        places += [("tile", tile.id, tile.face) for tile in definition.tiles.values()]
        for table, name, face in places:
            for whose in {whose for stop in face.stops for whose in stop.reserved if whose}:
                if whose not in kinds and whose not in definition.corporations:
                    self.at(table, name)
                    raise self.fault(f"there is neither a corporation nor a kind of token {whose!r}", "stops")
        if definition.market.kinds:
            for corporation in definition.corporations.values():
                # A company of one owner has no price.
                if len(corporation.shares) > 1 and corporation.kind not in definition.market.kinds:
                    self.at("corporation", corporation.id)
                    raise self.fault(f"the market has no row for the kind {corporation.kind!r}", "kind")

    def cross_check(self, definition: Definition) -> None:
        """Names that one table uses and another should hold."""
        self.reservations(definition)
        for corporation in definition.corporations.values():
            self.at("corporation", corporation.id)
            for home in corporation.homes:
                spot = definition.map.hexes.get(home.at)
                if spot is None:
                    raise self.fault(f"there is no hex {home.at!r}", "home")
                stop = spot.face.stops[home.stop] if 0 <= home.stop < len(spot.face.stops) else None
                if stop is None or not (stop.slots or stop.kind == OFFBOARD):
                    raise self.fault(f"a stop of {home.at} with a space for a station is expected", "home")
        trains = {train.name for train in definition.trains}
        for train in definition.trains:
            self.at("train", train.name)
            for other in train.rusts_on:
                if other not in trains:
                    raise self.fault(f"there is no train {other!r}", "rusts_on")
            for other in train.available_on:
                word, _, what = other.rpartition(" ")
                known = COLOURS[1:] if word == "phase" else trains
                if what not in known or not (word in ("", "all", "phase") or word.isdecimal()):
                    raise self.fault(
                        f"a train, a number and a train, 'all …' or 'phase …' is expected, not {other!r}",
                        "available_on",
                    )
        self.check_phases(definition, trains)
        self.check_kinds(definition)
        for tile in definition.tiles.values():
            self.at("tile", tile.id)
            for at in tile.hexes:
                if at not in definition.map.hexes:
                    raise self.fault(f"there is no hex {at!r}", "hexes")
        for private in definition.privates.values():
            self.at("private", private.id)
            for at in private.hexes:
                if at not in definition.map.hexes:
                    raise self.fault(f"there is no hex {at!r}", "hexes")

    def check_kinds(self, definition: Definition) -> None:
        """Every label and every kind of hex has tiles, and every tile has hexes."""
        tiles, spots = definition.tiles.values(), definition.map.hexes.values()
        taken = {tile.category for tile in tiles}
        kinds = {spot.category for spot in spots} | {tile.becomes for tile in tiles}
        for spot in spots:
            self.at("hex", spot.at)
            if spot.category not in taken and spot.category != category(spot.face):
                raise self.fault(f"there is no tile for {spot.category!r}", "category")
            for label in spot.face.labels if spot.buildable else ():
                if not any(label in tile.face.labels for tile in tiles):
                    raise self.fault(f"there is no tile with the label {label!r}", "label")
        for tile in tiles:
            self.at("tile", tile.id)
            if tile.becomes and tile.becomes not in taken:
                raise self.fault(f"there is no tile for {tile.becomes!r}", "becomes")
            if tile.category not in kinds and tile.category != category(tile.face):
                raise self.fault(f"there is no hex for {tile.category!r}", "category")
            for label in tile.face.labels if not tile.special else ():
                if not any(label in spot.face.labels for spot in spots):
                    raise self.fault(f"there is no hex with the label {label!r}", "label")

    def check_phases(self, definition: Definition, trains: set[str]) -> None:
        """The first phase holds from the start, each later one from a train that begins no other."""
        seen: set[str] = set()
        for number, phase in enumerate(definition.phases):
            self.at("phase", phase.name)
            if (phase.on == ("start",)) != (number == 0):
                raise self.fault("the first phase, and no other, begins on 'start'", "on")
            for train in phase.on:
                if number and (train not in trains or train in seen):
                    raise self.fault(f"a train that begins no other phase is expected, not {train!r}", "on")
            if not phase.tiles or not phase.on:
                raise self.fault("a list that is not empty is expected", "on" if phase.tiles else "tiles")
            seen |= set(phase.on)


def names(found: str | tuple[str, ...]) -> tuple[str, ...]:
    """A list of names; a single one may stand alone."""
    return (found,) if isinstance(found, str) else found


def in_languages(english: str, german: str) -> Mapping[str, str]:
    """A text by language; without a translation the English one stands for both."""
    return {"en": english, "de": german or english} if english else {}
