"""A process of the bot's own that is asked things one after the other, over its input and output, at low priority."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from typing import IO, Any, Self

from bot.games import snapshots

_LENGTH = struct.Struct("!I")
_CODE = "import sys; sys.path[:] = {path!r}; from {module} import work; work(*sys.argv[1:])"


class WorkerDied(Exception):
    """The process has ended, does not answer, or is another program."""


# ---------------------------------------------------------------------- the worker's side


def serve(answer: Callable[[Any], Any]) -> None:
    """Answer what comes in, until there is no more or whoever asks has ended."""
    # The terminal's Ctrl-C is for the bot, which ends this process by closing its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(10)
    logging.basicConfig(level=logging.ERROR)
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # Whatever prints must not spoil the answers.
    os.dup2(2, 1)
    _say(outgoing, snapshots.program())
    with contextlib.suppress(BrokenPipeError):
        while len(head := incoming.read(_LENGTH.size)) == _LENGTH.size:
            _say(outgoing, answer(pickle.loads(incoming.read(_LENGTH.unpack(head)[0]))))
    # At once: what was not heard any more would be tried again at the interpreter's end.
    os._exit(0)


def _say(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


# ---------------------------------------------------------------------- the bot's side


class Worker:
    """Such a process, as the bot sees it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def begin(cls, module: str, *arguments: str, patience: float) -> Self:
        """Start the `work` of a module. WorkerDied if what runs is another program: its files have changed."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _CODE.format(path=sys.path, module=module), *arguments,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
        except OSError as problem:
            raise WorkerDied(str(problem)) from None
        worker = cls(process)
        try:
            if await worker._answer(patience) != snapshots.program():
                raise WorkerDied("the program's files have changed since it was started")
        except BaseException:
            await worker.close()
            raise
        return worker

    async def ask(self, question: Any, patience: float) -> Any:
        """Its answer to a question; WorkerDied if there is none within so many seconds."""
        data = pickle.dumps(question)
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(_LENGTH.pack(len(data)) + data)
            await self._process.stdin.drain()
        except OSError as problem:
            raise WorkerDied(str(problem)) from None
        return await self._answer(patience)

    async def _answer(self, patience: float) -> Any:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(patience):
                head = await self._process.stdout.readexactly(_LENGTH.size)
                return pickle.loads(await self._process.stdout.readexactly(_LENGTH.unpack(head)[0]))
        except TimeoutError:
            raise WorkerDied(f"no answer within {patience:.0f} seconds") from None
        except (OSError, asyncio.IncompleteReadError):
            raise WorkerDied("the process has ended") from None

    async def close(self) -> None:
        """End it at once: it changes nothing."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
