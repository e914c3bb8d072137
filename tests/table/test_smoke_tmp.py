from tests.table import echo
from tests.table.house import house


async def test_echo(monkeypatch):
    async with house(monkeypatch, echo.build()) as home:
        outcome = await home.ann.slash("lobby", "echo", text="hello")
        assert outcome.text == "hello"
        outcome = await home.ann.slash("lobby", "card")
        print(outcome.text)
        assert "Stock round 1" in outcome.text
        outcome = await home.ann.slash("lobby", "slow")
        await outcome.settled()
        await home.ann.sees("and more", "lobby")
