"""`kursbuch new-title ID`: the files of a new title, as docs/adding-a-title.md has them, in a clone of the project."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import titles
from engine.errors import KursbuchError

#: The page whose files are written.
PAGE = Path("docs", "adding-a-title.md")
_FILE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ID = re.compile(r" file=titles/(\w+)/")
#: The chapters of the page that make a title which plays; the others change it.
_LAST = "\n## 6. "


class NotMade(KursbuchError):
    """Nothing was written, and why."""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("new-title", help="write the files of a new title into this clone of the project")
    parser.add_argument("id", help="its short name: two to twelve small letters")
    parser.add_argument("--name", default="", help="its name as people say it; the id if left out")
    parser.set_defaults(func=run)


def files(page: str, title: str, name: str) -> dict[str, str]:
    """The files of a new title by their paths in the project: those of the page's own title, under other names."""
    found = _ID.search(page)
    assert found is not None
    told = found[1]
    names = {told: title, told.capitalize(): name, told.upper(): title.upper()}
    words = re.compile(rf"(?<![A-Za-z])({'|'.join(names)})(?![A-Za-z])")

    def renamed(text: str) -> str:
        return words.sub(lambda word: names[word[1]], text)

    return {renamed(path): renamed(text) for path, text in _FILE.findall(page.partition(_LAST)[0])}


def run(arguments: argparse.Namespace) -> int:
    root, title = Path(titles.__file__).parents[1], arguments.id
    name = arguments.name or title.capitalize()
    if not (root / PAGE).is_file():
        raise NotMade(f"{PAGE.as_posix()} is not there: a title is made in a clone of the project")
    if not re.fullmatch(r"[a-z]{2,12}", title):
        raise NotMade(f"{title!r} is no id: two to twelve small letters")
    if re.search(r'[\\"\n]', name):
        raise NotMade(f"{name!r} is no name: no quotes, backslashes or new lines")
    written = files((root / PAGE).read_text("utf-8"), title, name)
    taken = [path for path in written if (root / path).exists()]
    if taken or (root / "titles" / f"{title}.py").exists() or title in {box.id for box in titles.known()}:
        raise NotMade(f"{title} is taken: {taken[0] if taken else 'titles'} is there already")
    for path, text in written.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
        print(path)
    print(f"Play it: kursbuch simulate --title {title} --players 3 --games 5; then {PAGE.as_posix()}, chapter 2.")
    return 0
