"""The status page of the active controller in a browser, while a broker is away."""

from __future__ import annotations

import importlib
import io
import re
from importlib.resources import files
from pathlib import Path

from tests.fakes.processes import Cluster, eventually
from tests.interop.browser import browsing

WIDTH = 1_140
STYLE = files("kraftpy.node.status_page").joinpath("page.css")
SHADES = {"ink": (0.25, 0.5, 0.75), "muted": (0.35, 0.7), "error": (0.5,), "warning": (0.5,), "good": (0.5,)}
"""By colour of the style sheet, the shares of it in the shades at the edges of letters; with the colours, sixteen."""

SHOWN = ("Live.", "User:ANONYMOUS", "fenced", "Metadata log")
"""What has to be in the page: that it follows the node, authors, the broker that is away, rows of the disk."""

BYTES_MAX = 200_000


class PictureTooLargeError(Exception):
    """A picture is larger than a page in the documentation should load."""


async def take_status_page(cluster: Cluster, browser: str, root: Path, path: Path) -> Path:
    """Kill a broker, wait until it is fenced, and write what the active controller shows then.

    Args:
        cluster: one with brokers, under load.
        browser: the path of a browser.
        root: a directory that exists, for the browser's profile.
        path: of the picture.

    Raises:
        PictureTooLargeError: it has more than ``BYTES_MAX`` bytes; it is written all the same.
    """
    broker_id = max(await cluster.brokers())
    await cluster.kill(broker_id)
    await eventually(cluster.brokers, lambda found: found[broker_id], f"broker {broker_id} is fenced")
    listener = cluster.node(await cluster.leader()).properties["metrics.listener"]
    async with browsing(browser, root / "profile") as chromium:
        tab = await chromium.tab()
        await tab.open(f"http://{listener}/status")
        for text in SHOWN:
            await tab.until(f"document.body.innerText.includes('{text}')")
        picture = with_few_colours(await tab.picture(WIDTH))
    path.write_bytes(picture)  # noqa: ASYNC240 - nothing else runs in this loop by then
    if len(picture) > BYTES_MAX:
        raise PictureTooLargeError(f"{path} has {len(picture)} bytes; at most {BYTES_MAX} are meant")
    return path


def with_few_colours(picture: bytes) -> bytes:
    """Return a picture with a palette of the page's colours, a fraction of its size."""
    pillow, written = importlib.import_module("PIL.Image"), io.BytesIO()
    palette = pillow.new("P", (1, 1))
    palette.putpalette([part for colour in colours() for part in colour])
    with pillow.open(io.BytesIO(picture)) as whole:
        whole.convert("RGB").quantize(palette=palette, dither=pillow.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()


def colours() -> list[tuple[int, ...]]:
    """Return the colours of the style sheet for a light screen, and the shades of letters on a card."""
    light = STYLE.read_text(encoding="utf-8").partition("@media")[0]
    named = {name: tuple(bytes.fromhex(digits)) for name, digits in re.findall(r"--(\w+): #(\w{6})", light)}
    shades = [
        tuple(round(share * part + (1 - share) * below) for part, below in zip(named[name], named["card"], strict=True))
        for name, shares in SHADES.items()
        for share in shares
    ]
    return [*named.values(), *shades]
