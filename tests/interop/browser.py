"""A headless Chromium, driven by its DevTools protocol over a pair of pipes: no driver, and no port of its own."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.fakes.processes import PATIENCE_S, eventually

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
"""Its names in distributions' packages."""

MESSAGE_BYTES_MAX = 32 * 1024 * 1024
"""A screenshot is the longest answer."""

REDIRECTED = 'exec "$@" 3<&{commands} 4>&{answers}'
"""A browser reads commands from descriptor 3 and writes answers to 4."""


def picture_size(picture: bytes) -> tuple[int, int]:
    """Return the width and the height of a picture in pixels."""
    assert picture.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


class NoBrowserError(Exception):
    """There is no browser to be had, and why."""


def find_browser() -> str:
    """Return the path of a browser that starts: in some distributions the program only says how to get one.

    Raises:
        NoBrowserError: there is none on this machine.
    """
    found = [*filter(None, map(shutil.which, PROGRAMS))]
    if not found:
        raise NoBrowserError(f"none of {', '.join(PROGRAMS)} is on the PATH (Debian's package is called chromium)")
    for program in found:
        try:
            subprocess.run(
                [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=PATIENCE_S
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return program
    raise NoBrowserError(f"{', '.join(found)} --version failed")


class Tab:
    """One page in a browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    async def open(self, url: str) -> None:
        """Load a page."""
        await self._call("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'")

    async def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page, as JSON has it."""
        answer = await self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def until(self, expression: str) -> Any:
        """Wait until an expression is true in the page, and return its value."""
        return await eventually(lambda: self.evaluate(expression), bool, f"in the page: {expression}")

    async def picture(self, width: int) -> bytes:
        """Have the whole page painted, as wide as given and as tall as it is; returns the file's bytes."""
        await self._view(width, 1)  # no taller than needed: a page is as tall as what shows it at least
        height = (await self._call("Page.getLayoutMetrics"))["cssContentSize"]["height"]
        await self._view(width, height)
        answer = await self._call("Page.captureScreenshot", format="png")
        return base64.b64decode(answer["data"])

    async def _view(self, width: int, height: int) -> None:
        await self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    async def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return await self._browser.call(method, session=self._session, **parameters)


class Browser:
    """A browser that runs; one call at a time."""

    def __init__(self, commands: int, answers: asyncio.StreamReader) -> None:
        self._commands = commands
        self._answers = answers
        self._ids = itertools.count(1)

    async def tab(self) -> Tab:
        """Open an empty tab."""
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        return Tab(self, attached["sessionId"])

    async def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol, and pass over the events before its answer."""
        number = next(self._ids)
        command = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        async with asyncio.timeout(PATIENCE_S):
            while True:
                answer = json.loads((await self._answers.readuntil(b"\0"))[:-1])
                if answer.get("id") == number:
                    assert "error" not in answer, answer
                    return answer["result"]


@asynccontextmanager
async def browsing(program: str, profile: Path) -> AsyncIterator[Browser]:
    """Run a browser with a profile directory of its own."""
    from_us, commands = os.pipe()
    answers, to_us = os.pipe()
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"]
    # Text in shades of its own colour alone, and not in those of a screen's subpixels: pictures have a palette.
    arguments = [program, *options, "--disable-lcd-text", f"--user-data-dir={profile}"]
    reader = asyncio.StreamReader(limit=MESSAGE_BYTES_MAX)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(answers, "rb", buffering=0)
    )
    with profile.with_suffix(".log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            "/bin/bash", "-c", REDIRECTED.format(commands=from_us, answers=to_us), "browser", *arguments,
            pass_fds=(from_us, to_us), stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    os.close(from_us)
    os.close(to_us)
    try:
        yield Browser(commands, reader)
    finally:
        os.close(commands)  # at its end of the pipe it ends
        try:
            async with asyncio.timeout(PATIENCE_S):
                await process.wait()
        except TimeoutError:
            print(f"{program} did not end by itself", file=sys.stderr)
            os.killpg(process.pid, 9)
            await process.wait()
        transport.close()
