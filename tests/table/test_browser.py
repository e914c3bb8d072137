"""The page in a real Chromium: two people sit down and do everything that Discord lets them do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from table.composing import Upload
from table.model import User
from workshop.evening import echo
from workshop.evening.browser import CHROMIUM, PATIENCE_MS, PHONE, Browsers, chromium
from workshop.evening.house import Running, eventually, house

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian: apt-get install -y chromium"),
]
expect.set_options(timeout=PATIENCE_MS)


# The browser is started once for the module, so everything here lives on the module's event loop.
@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all tests."""
    async with chromium() as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def home(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    """A fresh table with the echo bot at it."""
    async with house(monkeypatch, echo.build()) as running:
        # Browser, server and bot share the machine: only how fast they are is relaxed here.
        running.table.interactions.first_answer_seconds = 20
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def room(home: Running, browser: Browser) -> AsyncIterator[Browsers]:
    """Windows at the echo bot's table; the page must not have complained."""
    made = Browsers(browser, home.table)
    yield made
    await made.leave()
    assert made.complaints == []


async def slash(page: Page, name: str) -> None:
    """Choose a command in the message box."""
    await page.locator("#box").press_sequentially(f"/{name} ")
    await expect(page.locator(".slash-name")).to_have_text(f"/{name}")


async def command(page: Page, name: str, **options: str) -> None:
    """Type a command with its options and send it."""
    await slash(page, name)
    for option, value in options.items():
        await page.get_by_label(option, exact=True).fill(value)
    if not options:
        await page.locator(".slash-row").focus()
    await page.keyboard.press("Enter")


async def test_two_people_write_to_each_other(room: Browsers) -> None:
    ann, bo = await room.sit_down("ann"), await room.sit_down("bo")
    await ann.fill("#box", "Shall we, @Bo?")
    await ann.press("#box", "Enter")
    message = bo.locator(".message").last
    await expect(message).to_contain_text("Shall we, @Bo?")
    await expect(message).to_have_class(re.compile("mentions-me"))
    await expect(ann.locator(".message").last).not_to_have_class(re.compile("mentions-me"))
    await message.hover()
    await bo.get_by_role("button", name="Antworten").last.click()
    await bo.fill("#box", "gladly")
    await bo.press("#box", "Enter")
    await expect(ann.locator(".message").last).to_contain_text("gladly")
    await expect(ann.locator(".context").last).to_contain_text("Shall we")


async def test_slash_command_with_autocomplete_by_keyboard_alone(room: Browsers) -> None:
    page = await room.sit_down("ann")
    box = page.locator("#box")
    await box.press_sequentially("/tra")
    await expect(page.get_by_role("option", name="/travel")).to_be_visible()
    await box.press("Enter")
    await expect(page.get_by_role("option", name="Town 0 (station)")).to_be_visible()
    await page.keyboard.type("town 4")
    await expect(page.get_by_role("option")).to_have_count(11)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(".option.active")).to_have_text("Town 41 (station)")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="+ when").click()
    await expect(page.get_by_role("option", name="later")).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message").last).to_contain_text("1 to Town 41 later")
    await expect(page.locator(".context").last).to_have_text("AAnn used /travel")


async def test_missing_option_is_marked_and_not_sent(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")
    await slash(page, "echo")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_have_text("text: this option is required.")
    await page.keyboard.press("Escape")
    await expect(page.locator("#box")).to_be_visible()
    assert home.ann.messages("lobby") == []


async def test_card_with_picture_button_and_menu(room: Browsers) -> None:
    page = await room.sit_down("ann")
    await command(page, "card")
    card = page.locator(".container")
    await expect(card).to_contain_text("Stock round 1")
    board = card.get_by_alt_text("The board")
    await expect(board).to_be_visible()
    await eventually_width(page, "The board", 1000)
    await card.get_by_role("button", name="Next").click()
    await expect(card).to_contain_text("Stock round 2")
    await expect(card.get_by_role("button", name="Run trains")).to_be_disabled()
    await page.get_by_role("button", name="Buy a share…").click()
    await page.get_by_role("option", name="CME 10 %").click()
    await expect(page.locator(".message.ephemeral").last).to_contain_text("bought CME")


async def test_a_tall_picture_stands_in_no_bars_on_a_desktop(room: Browsers) -> None:
    """The picture is as wide as its frame: nothing of the frame shows beside it."""
    page = await room.sit_down("ann")
    await command(page, "tall")
    await eventually_width(page, "The board", 700)
    board = await page.get_by_alt_text("The board").bounding_box()
    frame = await page.locator(".container .gallery").bounding_box()
    assert board is not None
    assert frame is not None
    assert board["width"] / board["height"] == pytest.approx(0.7, abs=0.01)
    assert frame["width"] == pytest.approx(board["width"], abs=1)


async def eventually_width(page: Page, alt: str, width: int) -> None:
    """Wait until a picture has really been loaded and decoded."""
    await page.wait_for_function(
        "([alt, width]) => [...document.images].some((i) => i.alt === alt && i.naturalWidth === width)",
        arg=[alt, width],
    )


async def test_menus_with_several_choices_and_with_people(room: Browsers) -> None:
    page = await room.sit_down("ann")
    await command(page, "pick")
    await page.get_by_role("button", name="A colour").click()
    await page.get_by_role("option", name="Red").click()
    await page.get_by_role("option", name="Blue").click()
    await page.keyboard.press("Escape")
    await expect(page.locator(".message").last).to_contain_text("you picked red, blue")
    await page.get_by_role("button", name="A person").click()
    await page.keyboard.type("dor")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message").last).to_contain_text("you picked Dora")


async def test_form_is_filled_and_sent(room: Browsers) -> None:
    page = await room.sit_down("ann")
    await command(page, "bid")
    form = page.get_by_role("dialog", name="Your bid")
    await form.get_by_role("button", name="Submit").click()
    await expect(form.get_by_role("alert")).to_have_text("Amount: this field is required.")
    await form.get_by_label("Amount").fill("75")
    await form.get_by_role("button", name="Company").click()
    await form.get_by_role("option", name="Cologne").click()
    await form.get_by_label("At once").check()
    await form.get_by_label("Remind me").check()
    await form.get_by_label("I am sure").check()
    await form.get_by_role("button", name="Submit").click()
    await expect(page.locator(".message").last).to_contain_text("bid 75 CME now remind True")
    await expect(form).to_have_count(0)


async def test_ephemeral_message_only_for_its_reader(room: Browsers) -> None:
    ann, bo = await room.sit_down("ann"), await room.sit_down("bo")
    await command(ann, "whisper", text="hush")
    await expect(ann.locator(".message.ephemeral")).to_contain_text("Only you can see this")
    await command(ann, "echo", text="aloud")
    await expect(bo.get_by_text("aloud")).to_be_visible()
    await expect(bo.get_by_text("hush")).to_have_count(0)
    await ann.get_by_role("button", name="Become Bo").click()
    await expect(ann.locator(".own-name")).to_contain_text("Bo")
    await expect(ann.get_by_text("aloud")).to_be_visible()
    await expect(ann.get_by_text("hush")).to_have_count(0)
    await ann.get_by_role("button", name="Ann werden").click()
    await expect(ann.get_by_text("hush")).to_be_visible()
    await ann.get_by_role("button", name="Dismiss message").click()
    await expect(ann.get_by_text("hush")).to_have_count(0)


async def test_reload_finds_everything(room: Browsers) -> None:
    page = await room.sit_down("bo")
    await command(page, "card")
    await command(page, "whisper", text="still mine")
    await page.fill("#box", "a line of text")
    await page.press("#box", "Enter")
    await expect(page.locator(".message")).to_have_count(3)
    before = await page.locator(".message article").all_inner_texts()
    await page.reload()
    await expect(page.locator(".message")).to_have_count(3)
    assert await page.locator(".message article").all_inner_texts() == before
    await expect(page.locator(".own-name")).to_contain_text("Bo")
    await eventually_width(page, "The board", 1000)
    await page.locator(".container").get_by_role("button", name="Next").click()
    await expect(page.locator(".container")).to_contain_text("Stock round 2")


async def test_unread_badge_and_title_say_that_it_is_your_turn(room: Browsers, home: Running) -> None:
    world = home.table.world
    world.add_channel(next(iter(world.guilds.values())), "game")
    page = await room.sit_down("ann")
    await expect(page).to_have_title(re.compile("^#lobby"))
    await home.bo.say("game", "just talk")
    channel = page.locator(".channel", has_text="game")
    await expect(channel).to_have_class(re.compile("unread"))
    await home.bo.say("game", f"{home.ann.mention}, your turn, and {home.table.person('cy').mention} next")
    await expect(channel.locator(".badge")).to_have_text("1")
    await expect(page).to_have_title(re.compile(r"^\(1\) #lobby"))
    await expect(page.get_by_role("button", name="Become Cy").locator(".badge")).to_have_text("1")
    await channel.click()
    await expect(page).to_have_title(re.compile("^#game"))
    await expect(page.get_by_role("separator", name="New messages")).to_be_visible()
    await expect(page.locator(".badge:visible", has_text="1")).to_have_count(1)


async def test_picture_is_enlarged_and_zoomed(room: Browsers) -> None:
    page = await room.sit_down("ann")
    await command(page, "show")
    await page.get_by_role("button", name="Enlarge: A green board that says map").click()
    box = page.get_by_role("dialog", name="Picture")
    image = box.get_by_alt_text("A green board that says map")
    await expect(image).to_be_visible()
    before = await image.bounding_box()
    assert before is not None
    await page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    await page.mouse.wheel(0, -400)
    await expect(box.locator(".stage")).to_have_class(re.compile("zoomed"))
    after = await image.bounding_box()
    assert after is not None
    assert after["width"] > before["width"] * 1.5
    await page.keyboard.press("Escape")
    await expect(box).to_have_count(0)


async def test_picture_is_pinched_on_a_phone(room: Browsers) -> None:
    page = await room.sit_down("ann", PHONE, has_touch=True, is_mobile=True)
    await command(page, "show")
    await page.get_by_role("button", name="Enlarge: A green board that says map").tap()
    stage = page.get_by_role("dialog", name="Picture").locator(".stage")
    await expect(stage).to_be_visible()
    fingers = await page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 120), ("touchEnd", None)):
        points = [] if apart is None else [{"x": 195 - apart, "y": 400}, {"x": 195 + apart, "y": 400}]
        await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await expect(stage).to_have_class(re.compile("zoomed"))
    await page.get_by_role("button", name="Close").tap()


async def test_an_open_menu_stays_open_while_others_talk(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")
    await command(page, "pick")
    await page.get_by_role("button", name="A person").click()
    await page.keyboard.type("do")
    await home.bo.say("lobby", "meanwhile")
    await expect(page.get_by_text("meanwhile")).to_be_visible()
    await page.keyboard.type("ra")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message").last).to_contain_text("you picked Dora")


async def test_threads_and_direct_messages(room: Browsers) -> None:
    page = await room.sit_down("ann")
    await page.fill("#box", "a topic")
    await page.press("#box", "Enter")
    await page.locator(".message").last.hover()
    await page.get_by_role("button", name="Create thread").last.click()
    await page.get_by_label("Thread name").fill("Side track")
    await page.keyboard.press("Enter")
    await expect(page.locator("#top h2")).to_have_text("Side track")
    await command(page, "echo", text="inside")
    await expect(page.locator(".message").last).to_contain_text("inside")
    await page.locator("#top .crumb").click()
    await expect(page.locator(".thread-card")).to_contain_text("Side track")
    await page.get_by_role("button", name="Direct Messages").click()
    await expect(page.locator("#top h2")).to_have_text("Bot")
    await command(page, "echo", text="between us")
    await expect(page.locator(".message").last).to_contain_text("between us")


async def test_interaction_that_fails_is_told(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")
    await command(page, "press")
    button = page.get_by_role("button", name="Pressed 0")
    await expect(button).to_be_visible()
    home.table.interactions.first_answer_seconds = 0.0
    await button.click()
    await expect(page.get_by_role("alert")).to_have_text("This interaction failed")


async def test_markdown_looks_as_on_discord(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")
    await home.bo.say(
        "lobby",
        "# Big\n**bold** *slanted* __line__ ~~gone~~ `code` ||hidden|| snake_case_name 2*3*4\n> quoted\n"
        "- one\n  - inner\n1. first\n```py\nx = '<b>'\n```\n<t:0:R> [here](https://example.org) "
        "https://discord.com/channels/1/2 <script>alert(1)</script>",
    )
    message = page.locator(".message").last
    for selector, text in {
        "h3": "Big", "strong": "bold", "em": "slanted", "u": "line", "s": "gone", "blockquote": "quoted",
        "ul ul li": "inner", "ol li": "first", "pre code": "x = '<b>'", "a": "here",
    }.items():  # fmt: skip
        await expect(message.locator(selector).first).to_have_text(text)
    await expect(message.locator("em")).to_have_count(2)
    await expect(message.locator(".content")).to_contain_text("snake_case_name")
    await expect(message.locator(".content")).to_contain_text("<script>alert(1)</script>")
    await expect(message.locator("time[data-style=R]")).to_contain_text("years ago")
    spoiler = message.get_by_role("button", name="Spoiler, press to show")
    await spoiler.focus()
    await page.keyboard.press("Enter")
    await expect(message.locator(".spoiler.shown")).to_have_text("hidden")


async def test_phone_has_room_for_everything(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann", PHONE, has_touch=True, is_mobile=True)
    await command(page, "card")
    await expect(page.locator(".container")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert await page.evaluate("document.getElementById('scroller').scrollWidth") <= PHONE[0]
    await expect(page.locator("#channels")).not_to_be_in_viewport()
    await page.get_by_role("button", name="Channels", exact=True).tap()
    await expect(page.locator("#channels")).to_be_in_viewport()
    await page.locator(".channel", has_text="lobby").tap()
    await expect(page.locator("#channels")).not_to_be_in_viewport()
    await page.get_by_role("button", name="People at the table").tap()
    await page.get_by_role("button", name="Become Dora").tap()
    await expect(page.locator(".own-name")).to_contain_text("Dora")
    await page.locator("#box").fill("from the phone")
    await page.get_by_role("button", name="Send").tap()
    await home.ann.sees("from the phone", "lobby")


async def test_everything_one_can_press_or_see_has_a_name(room: Browsers) -> None:
    page = await room.sit_down("ann")
    for name in ("card", "pick", "show"):
        await command(page, name)
        await expect(page.locator(".context").last).to_contain_text(f"/{name}")
    nameless = await page.evaluate(
        """() => [...document.querySelectorAll("button, input, textarea, a[href], img")].filter((each) =>
            each.checkVisibility() && !(each.getAttribute("aria-label") || each.alt || each.textContent.trim()
            || each.labels?.length)).map((each) => each.outerHTML)"""
    )
    assert nameless == []


async def test_page_comes_back_after_the_table_restarts(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")
    await expect(page.locator("#people")).to_contain_text("online")
    await home.table.restart()
    await home.bo.say("lobby", "said in between")
    await home.table.bot_is_here()
    await expect(page.get_by_text("said in between")).to_be_visible()
    await command(page, "echo", text="and on it goes")
    await expect(page.locator(".message").last).to_contain_text("and on it goes")
    room.complaints.clear()  # the browser itself notes the lost connection


async def test_older_messages_come_when_scrolled_to(room: Browsers, home: Running) -> None:
    for number in range(120):
        await home.bo.say("lobby", f"line {number}", files=[Upload("a.txt", b"a")] if number == 0 else ())
    page = await room.sit_down("ann")
    await expect(page.get_by_text("line 119", exact=True)).to_be_in_viewport()
    first = page.get_by_text("line 0", exact=True)
    async with asyncio.timeout(PATIENCE_MS / 1000):
        while not await first.count():
            await page.evaluate("document.getElementById('scroller').scrollTop = 0")
            await page.wait_for_timeout(50)
    await expect(page.get_by_text("This is the start of the #lobby channel.")).to_be_attached()
    await expect(page.locator(".message")).to_have_count(120)


async def test_a_late_answer_does_not_bring_the_last_person_back(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")

    async def dawdle(route: Route) -> None:
        if f"as={home.ann.id}" in route.request.url:
            await asyncio.sleep(0.5)
        await route.continue_()

    await page.route("**/table/state?*", dawdle)
    home.table.world.save_user(home.bo.user)  # news at which Ann's page asks for its state
    await page.get_by_role("button", name="Become Bo").click()
    await expect(page.locator(".own-name")).to_contain_text("Bo")
    await page.wait_for_timeout(1000)
    await expect(page.locator(".own-name")).to_contain_text("Bo")
    await page.unroute_all(behavior="wait")


async def test_what_is_said_while_the_channel_loads_is_not_lost(room: Browsers, home: Running) -> None:
    world = home.table.world
    world.add_channel(next(iter(world.guilds.values())), "game")
    page = await room.sit_down("ann")

    answered = asyncio.Event()

    async def fetch_then_dawdle(route: Route) -> None:
        answer = await route.fetch()
        await home.bo.say("game", "quickly said")
        await expect(page.get_by_text("quickly said")).to_be_visible()
        await route.fulfill(response=answer)  # which does not know of it
        answered.set()

    await page.route("**/table/messages?*", fetch_then_dawdle)
    await page.locator(".channel", has_text="game").click()
    await asyncio.wait_for(answered.wait(), PATIENCE_MS / 1000)
    await page.wait_for_timeout(500)  # the late page is drawn, and must not have taken the message away
    await expect(page.get_by_text("quickly said")).to_be_visible()
    await page.unroute_all(behavior="wait")


async def test_somebody_new_sits_down(room: Browsers) -> None:
    page = await room.sit_down("ann")
    await page.get_by_role("button", name="Somebody else…").click()
    await page.get_by_label("Name").fill("Eva Maria")
    await page.keyboard.press("Enter")
    await expect(page.locator(".own-name")).to_contain_text("eva_maria")
    await command(page, "echo", text="hello")
    await expect(page.locator(".context").last).to_contain_text("Eva Maria used /echo")


async def test_deleting_a_message_on_the_page(room: Browsers, home: Running) -> None:
    ann, bo = await room.sit_down("ann"), await room.sit_down("bo")
    await command(bo, "card")
    card = ann.locator(".message", has=ann.locator(".container")).last
    await card.hover()
    await card.get_by_role("button", name="Delete message").click()
    await ann.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(card).to_be_visible()
    theirs = bo.locator(".message", has=bo.locator(".container")).last
    await expect(theirs.get_by_role("button", name="Delete message")).to_have_count(0)
    await card.hover()
    await card.get_by_role("button", name="Delete message").click()
    await ann.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    await expect(ann.locator(".message .container")).to_have_count(0)
    await expect(bo.locator(".message .container")).to_have_count(0)


async def test_making_and_deleting_a_channel_on_the_page(room: Browsers, home: Running) -> None:
    ann, bo = await room.sit_down("ann"), await room.sit_down("bo")
    await expect(bo.get_by_role("button", name="Create channel")).to_have_count(0)
    await ann.get_by_role("button", name="Create channel").click()
    await ann.get_by_label("Channel name").fill("Second room")
    await ann.keyboard.press("Enter")
    await expect(ann.locator("#top h2")).to_have_text("second-room")
    await bo.get_by_role("button", name="second-room").click()
    await expect(bo.locator("#top h2")).to_have_text("second-room")
    await expect(bo.get_by_role("button", name="Delete channel")).to_have_count(0)
    await ann.get_by_role("button", name="Delete channel").click()
    await ann.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    for page in (ann, bo):
        await expect(page.locator("#top h2")).to_have_text("lobby")
        await expect(page.get_by_role("button", name="second-room")).to_have_count(0)


async def test_a_menu_tells_only_what_is_new(room: Browsers, home: Running) -> None:
    page = await room.sit_down("ann")
    await command(page, "pick")
    menu = page.get_by_role("button", name="A person").last
    await expect(menu).to_be_visible()

    async def choose(name: str) -> None:
        await menu.click()
        await page.get_by_role("option", name=name).first.click()

    def chosen() -> int:
        return sum("/callback" in each for each in home.table.requests)

    before = chosen()
    await choose("Dora")
    await eventually(lambda: chosen() == before + 1)
    await choose("Dora")
    await choose("Cy")
    await eventually(lambda: chosen() == before + 2)
    await asyncio.sleep(0.2)
    assert chosen() == before + 2


async def test_the_avatar_of_a_name_with_emoji(room: Browsers, home: Running) -> None:
    world = home.table.world
    guild = next(iter(world.guilds.values()))
    for name, shown in (("engineer", "👩‍🚀 Zoë Q"), ("flag", "🇩🇪")):
        world.join(guild, world.add_user(name, shown))
    page = await room.sit_down("ann")
    faces = {}
    for each in await page.locator("#people .person").all():
        faces[await each.inner_text()] = await each.locator(".avatar").first.inner_text()
    assert {"👩‍🚀Z", "🇩🇪"} <= set(faces.values())


async def test_a_channel_that_becomes_known_later_gets_its_name(room: Browsers, home: Running) -> None:
    """A message may mention a thread before the page has heard of it."""
    page = await room.sit_down("ann")
    known = asyncio.Event()

    async def dawdle(route: Route) -> None:
        await known.wait()
        await route.continue_()

    await page.route("**/table/state?*", dawdle)
    thread = await home.bo.open_thread("lobby", "18Rhl of Bo")
    await home.bo.say("lobby", f"The lobby is open in <#{thread.id}>.")
    await expect(page.get_by_text("The lobby is open in")).to_contain_text("#a channel you cannot see")
    known.set()
    await expect(page.get_by_text("The lobby is open in")).to_contain_text("#18Rhl of Bo")
    await page.unroute_all(behavior="wait")
    await page.get_by_text("The lobby is open in").get_by_role("button", name="#18Rhl of Bo").click()
    await expect(page.locator("#box")).to_have_attribute("placeholder", "Message 18Rhl of Bo")
    thread.name = "SR 1 · Ann"
    home.table.world.save_channel(thread)
    await expect(page.locator("#box")).to_have_attribute("placeholder", "Message SR 1 · Ann")


async def test_the_newest_message_stays_in_sight_however_it_grows(room: Browsers, home: Running) -> None:
    """Growth that comes between our own scrolling and its event is no wish to stay behind."""
    for number in range(40):
        await home.bo.say("lobby", f"line {number}")
    page = await room.sit_down("ann", PHONE, has_touch=True, is_mobile=True)
    newest = page.locator(".message").last
    below = """() => { const s = document.getElementById("scroller");
        return s.scrollHeight - s.scrollTop - s.clientHeight; }"""
    for height in (200, 500, 900):
        # At once after a scroll, so that its event finds the log longer than it was.
        await newest.evaluate(
            """(item, height) => { const s = document.getElementById("scroller");
            s.scrollTop -= 1; s.scrollTop = s.scrollHeight; item.style.minHeight = `${height}px`; }""",
            height,
        )
        await page.wait_for_timeout(200)
        assert await page.evaluate(below) < 2, height
    await page.evaluate("document.getElementById('scroller').scrollTop -= 300")
    await page.wait_for_timeout(100)
    await newest.evaluate("item => { item.style.minHeight = '1200px' }")
    await page.wait_for_timeout(200)
    assert await page.evaluate(below) > 300  # whoever reads further up is left there


async def test_the_page_is_german_for_germans(room: Browsers, home: Running) -> None:
    page = await room.sit_down("bo")
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(page.locator("#box")).to_have_attribute("placeholder", "Nachricht an #lobby")
    await slash(page, "echo")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_have_text("text: Das fehlt noch.")
    await page.keyboard.press("Escape")
    await command(page, "whisper", text="leise")
    await expect(page.locator(".message.ephemeral")).to_contain_text("Nur du siehst das · Nachricht ausblenden")
    await command(page, "bid")
    form = page.get_by_role("dialog", name="Your bid")
    await expect(form).to_contain_text("Dieses Formular geht an")
    await form.get_by_role("button", name="Abschicken").click()
    await expect(form.get_by_role("alert")).to_have_text("Amount: Das fehlt noch.")
    await form.get_by_role("button", name="Abbrechen").click()
    await expect(form).to_have_count(0)
    await page.locator("#box").click()
    await command(page, "echo", text="laut")
    await expect(page.locator(".context").last).to_contain_text("Bo hat /echo benutzt")
    await page.get_by_role("button", name="Ann werden").click()
    await expect(page.locator("#box")).to_have_attribute("placeholder", "Message #lobby")
    await expect(page.locator(".context").last).to_contain_text("Bo used /echo")
    await expect(page.locator("html")).to_have_attribute("lang", "en")


async def test_a_german_browser_sits_a_german_down(room: Browsers, home: Running) -> None:
    """Discord's locale is `de`, whatever a browser calls its own: the names of commands depend on it."""
    page = await room.sit_down("ann", locale="de-AT")
    await page.get_by_role("button", name="Somebody else…").click()
    await page.get_by_label("Name").fill("Jürgen")
    await page.keyboard.press("Enter")
    await expect(page.locator(".own-name")).to_contain_text("Jürgen")
    assert home.table.person("jrgen").user.locale == "de"
    await expect(page.locator("#box")).to_have_attribute("placeholder", "Nachricht an #lobby")


@pytest.mark.parametrize("given", ["de-DE", "de-AT", "de"])
async def test_who_sat_down_with_a_browsers_language_has_discords(given: str) -> None:
    assert User.from_doc(vars(User("1", "jo", "Jo", locale=given))).locale == "de"


def words_of_the_page() -> tuple[set[str], set[str]]:
    """The sentences that the page's scripts say, and those that are there in German."""
    scripts = Path(str(resources.files("table") / "page" / "js"))
    known = set(re.findall(r'^  "?([^"\n]+?)"?:(?: "|$)', (scripts / "words.js").read_text("utf-8"), re.MULTILINE))
    asked = {
        text
        for script in scripts.glob("*.js")
        if script.name != "words.js"
        for call in re.findall(r"\b(?:t|parts)\(([^;]*?)[,)]", script.read_text("utf-8"))
        for text in re.findall(r'"([^"]+)"', call)
    }
    return asked, known


async def test_every_word_of_the_page_is_there_in_german() -> None:
    asked, known = words_of_the_page()
    assert len(asked) > 60
    assert asked - known == set()
