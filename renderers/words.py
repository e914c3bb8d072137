"""The words on pictures and in alt texts, English and German."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Game

LANGUAGES = ("en", "de")

_EN: Mapping[str, str] = {
    "package": "Starting package", "stock": "Stock round {n}", "operating": "Operating round {n}.{m}",
    "phase": "phase {name}", "move": "move {n}", "finished": "Game over", "bank": "Bank",
    "coal": "coal mine", "steel": "steel mill", "harbour": "harbour", "anchor": "anchorage",
    "brewery": "brewery", "lime": "lime quarry", "rheingold": "end of the Rheingold-Express",
    "iron_rhine": "end of the Iron Rhine", "mountain": "mountain", "river": "river", "water": "water",
    "urban": "built-up area",
    "legend_border": "no track across", "legend_home": "reserved home", "legend_valid": "value valid now",
    "legend_new": "new since move {n}", "legend_marked": "possible now", "legend_marker": "{what} (marker)",
    "legend_cost": "{what}: building cost", "legend_ferry": "ferry",
    "company": "Company", "director": "Director", "price": "Price", "treasury": "Treasury", "trains": "Trains",
    "stations": "Stations left", "last_run": "Last run", "state": "State", "player": "Player", "cash": "Cash",
    "certificates": "Certs", "worth": "Worth", "privates": "Privates", "shares": "Shares in %",
    "offering": "Offering", "pool": "Pool", "own": "Treas.", "aside": "aside",
    "operating_state": "operating", "floated": "floated", "founded": "founded, {n} % sold",
    "unfounded": "not founded", "priority": "priority deal", "depot": "Trains in the depot",
    "left": "left", "in_pool": "In the pool", "next_train": "The first {train}-train brings",
    "tiles": "{colours} tiles", "limit": "train limit {n}", "rounds": "{n} operating rounds",
    "rounds_1": "1 operating round", "rusts": "{trains} obsolete", "no_more": "No further phase",
    "free": "free", "none": "none", "nobody": "–", "par": "Par", "home": "Home", "float": "Floats at",
    "share_of": "Certificates", "placed": "Stations on the map", "income": "Income",
    "worth_chart": "Worth of the players", "dividend_chart": "Dividends paid in all", "round": "Round",
    "market": "Share prices", "left_n": "{n} left", "unlimited": "no limit", "costs": "costs {n}",
    "no_cost": "no cost", "page": "page {n} of {of}", "train": "train", "choose_tile": "Tile for {at}",
    "rotation": "turn {n}", "yellow": "yellow", "green": "green", "brown": "brown", "grey": "grey",
    "credit": "credit", "start": "Start", "total": "total", "stock_short": "SR{n}", "operating_short": "OR{n}.{m}",
    "no_dividends": "No dividend has been paid yet.", "sold_out": "all sold", "value": "value",
    "alt_map": "Map of {title}, {when}.", "alt_crop": "Part of the map around {places}, {when}.",
    "alt_tiles": "New tiles: {list}.", "alt_stations": "New stations: {list}.", "alt_same": "Nothing changed since move {n}.",
    "alt_since": "Since move {n}:", "alt_routes": "Routes: {list}. Total {total}.", "alt_marked": "Marked: {list}.",
    "alt_board": "{tiles} tiles; stations: {stations}.", "alt_market": "Share prices of {title}, {when}: {list}.",
    "alt_moved": "Moved: {list}.", "alt_sheet": "Overview of {title}, {when}. {players}. {companies}.",
    "alt_charter": "Charter of {name} ({code}): {facts}.", "alt_finances": "Worth of the players over {n} rounds: {players}. Dividends: {dividends}.",
    "alt_chooser": "{count} possible tiles for {at}, page {n} of {of}: {list}.", "alt_contact": "All tiles.",
}  # fmt: skip

_DE: Mapping[str, str] = {
    "package": "Startpaket", "stock": "Aktienrunde {n}", "operating": "Betriebsrunde {n}.{m}",
    "phase": "Phase {name}", "move": "Zug {n}", "finished": "Spiel beendet", "bank": "Bank",
    "coal": "Zeche", "steel": "Stahlwerk", "harbour": "Hafen", "anchor": "Ankerplatz",
    "brewery": "Brauerei", "lime": "Kalksteinbruch", "rheingold": "Ende des Rheingold-Express",
    "iron_rhine": "Ende des Eisernen Rheins", "mountain": "Berge", "river": "Fluss", "water": "Wasser",
    "urban": "bebautes Gebiet",
    "legend_border": "kein Gleis hinüber", "legend_home": "reservierter Heimatbahnhof",
    "legend_valid": "jetzt gültiger Wert", "legend_new": "neu seit Zug {n}", "legend_marked": "jetzt möglich",
    "legend_marker": "{what} (Marker)", "legend_cost": "{what}: Baukosten", "legend_ferry": "Fähre",
    "company": "Gesellschaft", "director": "Direktor", "price": "Kurs", "treasury": "Kasse", "trains": "Züge",
    "stations": "Bahnhöfe übrig", "last_run": "Letzte Fahrt", "state": "Stand", "player": "Spieler", "cash": "Geld",
    "certificates": "Papiere", "worth": "Wert", "privates": "Privatbahnen", "shares": "Anteile in %",
    "offering": "Angebot", "pool": "Pool", "own": "Kasse", "aside": "beiseite",
    "operating_state": "in Betrieb", "floated": "eröffnet", "founded": "gegründet, {n} % verkauft",
    "unfounded": "nicht gegründet", "priority": "Vorrang", "depot": "Züge im Depot",
    "left": "übrig", "in_pool": "Im Pool", "next_train": "Der erste {train}er-Zug bringt",
    "tiles": "{colours} Plättchen", "limit": "Zuglimit {n}", "rounds": "{n} Betriebsrunden",
    "rounds_1": "1 Betriebsrunde", "rusts": "{trains} veraltet", "no_more": "Keine weitere Phase",
    "free": "frei", "none": "keine", "nobody": "–", "par": "Startkurs", "home": "Heimat", "float": "Eröffnet bei",
    "share_of": "Anteilscheine", "placed": "Bahnhöfe auf der Karte", "income": "Einkommen",
    "worth_chart": "Wert der Spieler", "dividend_chart": "Dividenden insgesamt", "round": "Runde",
    "market": "Aktienkurse", "left_n": "{n} übrig", "unlimited": "unbegrenzt", "costs": "kostet {n}",
    "no_cost": "kostenlos", "page": "Seite {n} von {of}", "train": "Zug", "choose_tile": "Plättchen für {at}",
    "rotation": "Drehung {n}", "yellow": "gelbe", "green": "grüne", "brown": "braune", "grey": "graue",
    "credit": "Kredit", "start": "Start", "total": "gesamt", "stock_short": "AR{n}", "operating_short": "BR{n}.{m}",
    "no_dividends": "Noch keine Dividende gezahlt.", "sold_out": "alle verkauft", "value": "Wert",
    "alt_map": "Karte von {title}, {when}.", "alt_crop": "Kartenausschnitt um {places}, {when}.",
    "alt_tiles": "Neue Plättchen: {list}.", "alt_stations": "Neue Bahnhöfe: {list}.", "alt_same": "Seit Zug {n} nichts geändert.",
    "alt_since": "Seit Zug {n}:", "alt_routes": "Strecken: {list}. Summe {total}.", "alt_marked": "Markiert: {list}.",
    "alt_board": "{tiles} Plättchen; Bahnhöfe: {stations}.", "alt_market": "Aktienkurse von {title}, {when}: {list}.",
    "alt_moved": "Bewegt: {list}.", "alt_sheet": "Übersicht von {title}, {when}. {players}. {companies}.",
    "alt_charter": "Gesellschaft {name} ({code}): {facts}.", "alt_finances": "Wert der Spieler über {n} Runden: {players}. Dividenden: {dividends}.",
    "alt_chooser": "{count} mögliche Plättchen für {at}, Seite {n} von {of}: {list}.", "alt_contact": "Alle Plättchen.",
}  # fmt: skip

CATALOGUES: Mapping[str, Mapping[str, str]] = {"en": _EN, "de": _DE}


class Words:
    """The words of one language; an unknown word (a title's own sign, say) stands for itself."""

    def __init__(self, language: str) -> None:
        if language not in CATALOGUES:
            raise ValueError(f"there are no words in {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self.words = CATALOGUES[language]

    def __call__(self, key: str, **facts: object) -> str:
        return self.words.get(key, key.replace("_", " ")).format(**facts)

    def when(self, game: Game) -> str:
        """Where the game is: round, phase and move."""
        round_ = game.state.round
        if game.finished:
            where = self("finished")
        else:
            where = self(round_.kind, n=round_.stock_number, m=round_.operating_number)
        return f"{where} · {self('phase', name=game.phase.name)} · {self('move', n=len(game.moves))}"

    def round_short(self, kind: str, stock: int, operating: int) -> str:
        if f"{kind}_short" in self.words:
            return self(f"{kind}_short", n=stock, m=operating)
        return self("start") if kind == "package" else kind
