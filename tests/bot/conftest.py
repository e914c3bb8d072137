"""What the bot sends and the table answers in any test here is held against Discord's description of its API."""

from tests.table.witness import discord_agrees as discord_agrees
