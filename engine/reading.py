"""Reads a title's plain tables and checks them on the way.

The notation: a stop is `kind revenue xSLOTS WORDS` ("city 30 x2", "offboard yellow:40 brown:60"), a piece of
track is `END-END`, an end is an edge (a compass point on the map, 0 to 5 on a tile) or a stop's letter.
The word `open` says that a stop's stations never block ("city 30 x2 open"); every other word reserves one of
its spaces, the last ones, for a company or a kind of token ("city 20 x2 harbour"; `[title] token_kinds` lists
the kinds). Pieces of track that are ferries stand in `ferry` as well: between the two parts of a city, or
from an edge to a stop; `ferry_value` is the income of the stop for a train that uses one.
"""

from __future__ import annotations

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
from engine.definition import Corporation, Definition, Hex, Home, Map, Market, Phase, Private, Table, TrainType
from engine.errors import BadData
from engine.state import BLANK, MARKER


class Reader:
    """Reads one title's tables and says where a fault is."""

    def __init__(self, file: str, tables: Table) -> None:
        self.file = file
        self.tables = tables
        self.where = ""

    def fault(self, reason: str) -> BadData:
        return BadData(f"{self.file}: {self.where}: {reason}")

    def need(self, table: Table, key: str, kind: type | tuple[type, ...]) -> Any:
        if key not in table:
            raise self.fault(f"{key!r} is missing")
        value = table[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise self.fault(f"{key!r} should not be {value!r}")
        return value

    def definition(self) -> Definition:
        """The whole title, or BadData with file, table and reason."""
        self.where = "[title]"
        title = self.need(self.tables, "title", dict)
        layout_name = self.need(title, "layout", str)
        if layout_name not in LAYOUTS:
            raise self.fault(f"layout {layout_name!r} is neither flat nor pointy")
        corporations = self.corporations()
        definition = Definition(
            id=self.need(title, "id", str),
            name=self.need(title, "name", str),
            players=self.player_range(title),
            bank=self.need(title, "bank", int),
            starting_cash=self.by_players(title, "starting_cash"),
            cert_limit=self.by_players(title, "cert_limit"),
            pool_limit=title.get("pool_limit", 50),
            map=self.map(LAYOUTS[layout_name]),
            tiles=self.tiles(),
            market=self.market(),
            corporations=corporations,
            privates=self.privates(),
            trains=self.trains(),
            phases=self.phases(),
            reconstructed=tuple(title.get("reconstructed", ())),
            tables=self.tables,
        )
        self.cross_check(definition)
        return definition

    def player_range(self, title: Table) -> tuple[int, int]:
        self.where = "[title]"
        low, high = self.need(title, "players", list)
        return int(low), int(high)

    def by_players(self, title: Table, key: str) -> Mapping[int, int]:
        self.where = f"[title] {key}"
        return {int(count): int(value) for count, value in self.need(title, key, dict).items()}

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
                elif word[0].isalpha() and ":" not in word and revenue:
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

    def face(self, table: Table, edges: tuple[str, ...], colours: tuple[str, ...]) -> Face:
        colour = self.need(table, "color", str)
        if colour not in colours:
            raise self.fault(f"colour {colour!r} is not known here")
        stops = tuple(self.stop(text) for text in table.get("stops", ()))
        ferry = frozenset(self.track(table.get("ferry", ()), len(stops), edges))
        track = self.track(table.get("track", ()), len(stops), edges)
        self.ferries(table, ferry, track, stops)
        label = table.get("label", "")
        return Face(
            colour=colour,
            stops=stops,
            track=track,
            labels=tuple(label.split("/")) if label else (),
            cost=table.get("cost", 0),
            icons=tuple(table.get("icons", ())),
            ferry=ferry,
            ferry_value=table.get("ferry_value", 0),
        )

    def ferries(self, table: Table, ferry: frozenset[Track], track: tuple[Track, ...], stops: tuple[Stop, ...]) -> None:
        """Refuse what the search for routes cannot do with ferries and with track between stops."""
        if not ferry <= set(track):
            raise self.fault("a ferry that is no track")
        if sum(one >= FIRST_STOP for one, _ in track) > MOST_LINKS:
            raise self.fault(f"more than {MOST_LINKS} pieces of track join two stops")
        across = [(one, other) for one, other in ferry if one >= FIRST_STOP]
        if any(other < FIRST_STOP for _, other in ferry):
            raise self.fault("a ferry leads to no stop")
        if across and len(ferry) > 1:
            raise self.fault("a ferry inside a city is the only one of its hex")
        if any(stops[end - FIRST_STOP].kind != CITY for ends in across for end in ends):
            raise self.fault("a ferry between two stops joins parts of a city")
        value = table.get("ferry_value", 0)
        for stop in {end - FIRST_STOP for ends in ferry for end in ends if end >= FIRST_STOP}:
            if value > min(amount for _, amount in stops[stop].revenue):
                raise self.fault(f"'ferry_value' {value} is more than the income of the stop")

    def map(self, layout: Layout) -> Map:
        hexes: dict[str, Hex] = {}
        for table in self.need(self.tables, "hex", list):
            self.where = f"[[hex]] {'/'.join(table.get('at', ['?']))}"
            for spot in self.hexes(table, layout):
                if spot.at in hexes:
                    raise self.fault(f"{spot.at} stands twice")
                hexes[spot.at] = spot
        parities = {sum(parse(at)) % 2 for at in hexes}
        if len(parities) != 1:
            raise self.fault("the map mixes coordinates of both parities")
        return Map.of(layout, dict(sorted(hexes.items(), key=lambda item: parse(item[0]))))

    def hexes(self, table: Table, layout: Layout) -> Iterable[Hex]:
        face = self.face(table, layout.edges, (*COLOURS, "red"))

        def edges(key: str) -> list[int]:
            try:
                return [layout.edge(compass) for compass in table.get(key, ())]
            except ValueError:
                raise self.fault(f"{key!r} names an edge that this layout has not") from None

        groups: list[tuple[str, tuple[int, ...]]] = []
        if "group" in table:
            groups.append((table["group"], tuple(range(len(face.stops)))))
        for at in self.need(table, "at", list):
            try:
                parse(at)
            except ValueError as error:
                raise self.fault(str(error)) from None
            own = list(groups)
            for bank, letters in table.get("banks", {}).items():
                own.append((f"{at} {bank}", tuple(ord(letter) - ord("a") for letter in letters)))
            yield Hex(
                at=at,
                face=face,
                name=table.get("name", ""),
                category=table.get("category", category(face)),
                terrain=table.get("terrain", ""),
                impassable=frozenset(edges("impassable")),
                stubs=sum(1 << edge for edge in edges("stubs")),
                icons=tuple(table.get("icons", ())),
                stop_icons=tuple(
                    (ord(letter) - ord("a"), icon) for letter, icon in table.get("stop_icons", {}).items()
                ),
                icons_after=table.get("after", ""),
                groups=tuple(own),
                location_space=tuple(table.get("location_space", ())),
                label_from=table.get("label_from", ""),
                note=table.get("note", ""),
                source=table.get("source", ""),
            )

    def tiles(self) -> Mapping[str, Tile]:
        edges = tuple("012345")
        result: dict[str, Tile] = {}
        for number, table in self.need(self.tables, "tile", dict).items():
            self.where = f"[tile.{number}]"
            face = self.face(table, edges, (*COLOURS[1:], "orange"))
            result[number] = Tile(
                id=number,
                face=face,
                count=self.need(table, "count", int),
                category=table.get("category", category(face)),
                becomes=table.get("becomes", ""),
                level=table.get("level", ""),
                hexes=frozenset(table.get("hexes", ())),
                rotations=tuple(table.get("rotations", range(6))),
                special=table.get("special", False),
                source=table.get("source", ""),
                note=table.get("note", ""),
            )
        return result

    # ------------------------------------------------------------------ the rest

    def market(self) -> Market:
        self.where = "[market]"
        table = self.need(self.tables, "market", dict)
        kind = self.need(table, "kind", str)
        if kind not in ("grid", "line", "lines"):
            raise self.fault(f"kind {kind!r} is none of grid, line and lines")
        legend = table.get("legend", {})
        gaps: set[tuple[int, int]] = set()
        rows: list[tuple[int, ...]] = []
        marks: list[tuple[str, ...]] = []
        for cells in self.need(table, "rows", list):
            values: list[int] = []
            row_marks: list[str] = []
            for cell in cells:
                if not cell:
                    gaps.add((len(rows), len(values)))
                    cell = "0"
                digits = cell.rstrip("".join(legend))
                if not digits.isdecimal():
                    raise self.fault(f"cell {cell!r} has a mark that the legend does not explain")
                values.append(int(digits))
                row_marks.append(cell[len(digits) :])
            rows.append(tuple(values))
            marks.append(tuple(row_marks))
        arrows = table.get("arrows", {})
        for marks_of in arrows.values():
            if set(marks_of) - set(legend):
                raise self.fault("an arrow's mark is not in the legend")
        kinds = tuple(table.get("kinds", ()))
        if kind != "grid":
            self.lines(kind, rows, kinds, gaps, arrows)
        return Market(kind, tuple(rows), tuple(marks), legend, frozenset(gaps), arrows, kinds)

    def lines(
        self, kind: str, rows: list[tuple[int, ...]], kinds: tuple[str, ...], gaps: set[tuple[int, int]], arrows: Table
    ) -> None:
        """What a line must be: one row without gaps and arrows; several may be named by the kind of company."""
        if kind == "line" and len(rows) != 1:
            raise self.fault(f"a line has one row, not {len(rows)}; several are 'lines'")
        if gaps or arrows:
            raise self.fault("a line has neither gaps nor arrows")
        if kinds and (len(kinds) != len(rows) or len(set(kinds)) != len(kinds)):
            raise self.fault(f"'kinds' names {len(set(kinds))} kinds of company for {len(rows)} rows")

    def corporations(self) -> Mapping[str, Corporation]:
        result: dict[str, Corporation] = {}
        for table in self.need(self.tables, "corporation", list):
            self.where = f"[[corporation]] {table.get('id', '?')}"
            shares = tuple(self.need(table, "shares", list))
            if sum(shares) != 100:
                raise self.fault(f"the certificates sum to {sum(shares)} per cent")
            homes = []
            for text in self.need(table, "home", list):
                at, _, letter = text.partition(":")
                homes.append(Home(at, ord(letter or "a") - ord("a")))
            result[table["id"]] = Corporation(
                id=self.need(table, "id", str),
                name=self.need(table, "name", str),
                shares=shares,
                tokens=tuple(self.need(table, "tokens", list)),
                homes=tuple(homes),
                colour=self.need(table, "color", str),
                float_percent=self.need(table, "float", int),
                special=table.get("special", ""),
                source=table.get("source", ""),
                kind=table.get("kind", "railway"),
            )
        return result

    def privates(self) -> Mapping[str, Private]:
        known = {"id", "number", "name", "price", "revenue", "hexes", "ability", "closes"}
        result: dict[str, Private] = {}
        for table in self.tables.get("private", ()):
            self.where = f"[[private]] {table.get('id', '?')}"
            result[table["id"]] = Private(
                id=self.need(table, "id", str),
                number=self.need(table, "number", int),
                name=self.need(table, "name", str),
                price=self.need(table, "price", int),
                revenue=self.need(table, "revenue", int),
                hexes=tuple(table.get("hexes", ())),
                ability=table.get("ability", ""),
                closes=table.get("closes", ""),
                extra={key: value for key, value in table.items() if key not in known},
            )
        return result

    def trains(self) -> tuple[TrainType, ...]:
        result = []
        for table in self.need(self.tables, "train", list):
            self.where = f"[[train]] {table.get('name', '?')}"
            name = self.need(table, "name", str)
            result.append(
                TrainType(
                    name=name,
                    count=self.need(table, "count", int),
                    price=self.need(table, "price", int),
                    reach=table.get("reach", int(name) if name.isdecimal() else 0),
                    kind=table.get("kind", "train"),
                    rusts_on=self.names(table, "rusts_on"),
                    available_on=self.names(table, "available_on"),
                    optional=table.get("optional", 0),
                )
            )
        return tuple(result)

    def reservations(self, definition: Definition) -> None:
        """Spaces are reserved for companies and kinds of tokens that exist; rows of prices are for kinds that exist."""
        kinds = set(self.tables["title"].get("token_kinds", ()))
        self.where = "[title] token_kinds"
        if both := (kinds | {BLANK, MARKER}) & set(definition.corporations):
            raise self.fault(f"{sorted(both)[0]!r} is a kind of token and a corporation")
        places = [(f"[[hex]] {at}", spot.face) for at, spot in definition.map.hexes.items()]
        places += [(f"[tile.{tile.id}]", tile.face) for tile in definition.tiles.values()]
        for self.where, face in places:
            for whose in {whose for stop in face.stops for whose in stop.reserved if whose}:
                if whose not in kinds and whose not in definition.corporations:
                    raise self.fault(f"a space is reserved for {whose!r}, neither a corporation nor a kind of token")
        if definition.market.kinds:
            for corporation in definition.corporations.values():
                self.where = f"[[corporation]] {corporation.id}"
                if corporation.kind not in definition.market.kinds:
                    raise self.fault(f"the market has no row for the kind {corporation.kind!r}")

    def names(self, table: Table, key: str) -> tuple[str, ...]:
        """A list of names; a single one may stand alone."""
        value = table.get(key, ())
        return (value,) if isinstance(value, str) else tuple(value)

    def phases(self) -> tuple[Phase, ...]:
        result = []
        for table in self.need(self.tables, "phase", list):
            self.where = f"[[phase]] {table.get('name', '?')}"
            result.append(
                Phase(
                    name=self.need(table, "name", str),
                    colour=self.need(table, "color", str),
                    on=self.names({"on": self.need(table, "on", (str, list))}, "on"),
                    tiles=tuple(self.need(table, "tiles", list)),
                    train_limit=self.need(table, "train_limit", int),
                    operating_rounds=self.need(table, "operating_rounds", int),
                )
            )
        return tuple(result)

    def cross_check(self, definition: Definition) -> None:
        """Names that one table uses and another should hold."""
        self.reservations(definition)
        for corporation in definition.corporations.values():
            self.where = f"[[corporation]] {corporation.id}"
            for home in corporation.homes:
                spot = definition.map.hexes.get(home.at)
                if spot is None or home.stop >= len(spot.face.stops):
                    raise self.fault(f"home {home.at} stop {home.stop} is not on the map")
        names = {train.name for train in definition.trains}
        for train in definition.trains:
            self.where = f"[[train]] {train.name}"
            for other in (*train.rusts_on, *train.available_on):
                if other.removeprefix("all ") not in names and not other.startswith("phase "):
                    raise self.fault(f"names the train {other!r}, which does not exist")
        for tile in definition.tiles.values():
            self.where = f"[tile.{tile.id}]"
            for at in tile.hexes:
                if at not in definition.map.hexes:
                    raise self.fault(f"may lie on {at}, which is not on the map")
