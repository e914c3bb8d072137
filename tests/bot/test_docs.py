"""What README.md and docs/hosting.md promise: commands, settings, permissions and pictures are those of the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.cli import COMMANDS
from bot.client import COGS, Kursbuch
from bot.settings import Settings
from table import permissions
from workshop.bench.__main__ import PARTS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def test_the_invite_link_asks_for_the_permissions_of_the_table_and_no_others() -> None:
    link = re.search(r"scope=(\S+)&permissions=(\d+)", HOSTING)
    assert link is not None
    assert link[1] == "bot+applications.commands"
    named = re.findall(r"^\| ([A-Z][a-z]+ [A-Za-z ]+) \|", HOSTING, re.MULTILINE)
    names = [name.lower().replace(" ", "_").replace("view_channels", "view_channel") for name in named]
    assert int(link[2]) == discord.Permissions(**dict.fromkeys(names, True)).value == int(permissions.BOT)
    assert set(names) == {
        "view_channel", "send_messages", "send_messages_in_threads", "create_public_threads", "embed_links",
        "attach_files", "read_message_history",
    }  # fmt: skip


def test_every_setting_is_in_the_table() -> None:
    program = (ROOT / "bot" / "settings.py").read_text("utf-8")
    known = set(re.findall(r'"((?:DISCORD|KURSBUCH)_[A-Z_]+)"', program))
    rows = [line for line in HOSTING.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`((?:DISCORD|KURSBUCH)_[A-Z_]+)`", row)} == known
    plain = Settings("t")
    assert (str(plain.data), plain.health_host, plain.health_port) == ("data", "127.0.0.1", None)
    assert (plain.log_level, plain.sync_commands) == ("INFO", False)


def test_every_subcommand_is_in_the_readme() -> None:
    listed = re.findall(r"^\| `kursbuch ([\w-]+)", README, re.MULTILINE)
    assert sorted(name.replace("-", "_") for name in listed) == sorted(
        module.__name__.rpartition(".")[2].rstrip("_") for module in COMMANDS
    )


async def with_commands() -> Kursbuch:
    """A client with its commands, none of which is used: what answers them is not there."""
    bot: Any = Kursbuch(Settings("t"))
    bot.services = bot.here = bot.turns = None
    for name in COGS:
        await bot.load_extension(f"bot.cogs.{name}")
    return bot  # type: ignore[no-any-return]


async def test_every_slash_command_that_is_named_exists() -> None:
    bot = await with_commands()
    known = {command.qualified_name for command in bot.tree.walk_commands()}
    for text in (README, HOSTING):
        named = set(re.findall(r"`/([a-z]+(?: [a-z]+)?)`", text)) - {"data", "health"}
        assert named <= known, named - known
    shown = {command.qualified_name for command in bot.tree.walk_commands() if not hasattr(command, "commands")}
    in_help = {"about", "server language"}  # said by /help, not worth a line on the front page
    assert shown - set(re.findall(r"`/([a-z]+(?: [a-z]+)?)`", README)) <= in_help


async def test_commands_of_games_say_that_they_belong_to_servers() -> None:
    bot = await with_commands()
    anywhere = {"about", "help", "me", "vacation", "game"}
    sent = {command.name: command.to_dict(bot.tree) for command in bot.tree.get_commands()}
    assert {name: data.get("contexts") for name, data in sent.items() if name not in anywhere} == {
        name: [0] for name in sent if name not in anywhere
    }


PAPERS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "workshop").glob("*.md")]
#: What a page makes, or what lies beside a database.
NOT_THERE = ("titles/tiny", "tests/titles/tiny", "docs/ledger/tiny", "titles/wup", "data/")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.relative_to(ROOT).as_posix())
def test_links_and_pictures_are_there(paper: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", paper.read_text("utf-8")):
        place = target.partition("#")[0]
        assert target.startswith(("http", "#")) or (paper.parent / place).exists(), target


@pytest.mark.parametrize(
    "paper",
    [paper for paper in PAPERS if paper.name != "CHANGELOG.md" and "ledger" not in paper.parts],
    ids=lambda paper: paper.relative_to(ROOT).as_posix(),
)
def test_files_and_folders_that_a_paper_names_are_there(paper: Path) -> None:
    rooms = "|".join(each.name for each in ROOT.iterdir() if each.is_dir() and not each.name.startswith("."))
    for named in re.findall(rf"`((?:{rooms})/[\w/.-]*)`", paper.read_text("utf-8")):
        # `engine/rounds/package.Auction` is a name in a module.
        module = (ROOT / named).with_suffix(".py")
        assert (ROOT / named).exists() or module.is_file() or named.startswith(NOT_THERE), named


def test_the_parts_of_the_code_that_papers_name_are_there() -> None:
    """`SqliteStore.append` and the like in the papers of how it is built: the class is there and has it."""
    source = "\n".join(
        path.read_text("utf-8")
        for room in ("engine", "titles", "bot", "storage", "renderers", "table", "workshop")
        for path in (ROOT / room).rglob("*.py")
    )
    for paper in (ROOT / "docs" / "design").glob("*.md"):
        for owner, part in re.findall(r"`([A-Z]\w+)\.(\w+)(?:\([^`]*\))?`", paper.read_text("utf-8")):
            assert re.search(rf"^class {owner}\b", source, re.MULTILINE), f"{paper.name}: {owner}"
            assert re.search(rf"\bdef {part}\b|\b{part}\b *[:=]", source), f"{paper.name}: {owner}.{part}"


def test_targets_of_make_are_there() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets


def test_every_part_of_the_bench_is_named() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    said = re.search(r"^\*\*Speed\*\*.*?They are\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    assert said is not None
    named = re.findall(r"`([a-z]+)`", said[1])
    assert named == PARTS
    assert [part for part in PARTS if not (ROOT / "workshop" / "bench" / f"{part}.py").is_file()] == []
