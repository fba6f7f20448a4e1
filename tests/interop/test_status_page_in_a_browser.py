"""The status page in a real browser: its script follows the node, and what others wrote stays text."""

from __future__ import annotations

from pathlib import Path

from kraftpy.node.status_page.page import page
from kraftpy.node.status_page.state import state_json
from tests.fakes.page_states import HOSTILE, hostile
from tests.fakes.processes import group, running
from tests.interop.browser import browsing, picture_size

WRITTEN = "<script>document.title='written'</script>"
SHOWN = "[...document.querySelectorAll('li, td, th, dd, p')].map((element) => element.textContent)"
WIDTH = 1_000
LAST_END = "[...document.querySelectorAll('section')].at(-1).getBoundingClientRect().bottom"
LOADED = "performance.getEntriesByType('resource').map((entry) => entry.name)"


async def test_the_page_follows_a_node(browser: str, tmp_path: Path) -> None:
    """A change shows up in an open page with its author, as text; the page says when its node is gone."""
    async with (
        running(tmp_path / "cluster", controllers=1) as cluster,
        browsing(browser, tmp_path / "profile") as chromium,
    ):
        node_id = await cluster.leader()
        url = f"http://{cluster.node(node_id).properties['metrics.listener']}/status"
        tab = await chromium.tab()
        await tab.open(url)
        await tab.until("document.getElementById('live').textContent.startsWith('Live.')")
        async with cluster.client() as client:
            await client.incremental_alter_configs(group(WRITTEN, "10000"))
        await tab.until("document.body.innerText.includes('User:ANONYMOUS')")
        assert any(WRITTEN in text for text in await tab.evaluate(SHOWN))
        assert await tab.evaluate("document.title") == f"kraftpy node {node_id}"
        assert set(await tab.evaluate(LOADED)) <= {f"{url}/events"}, "nothing else is loaded"
        width, height = picture_size(await tab.picture(WIDTH))
        assert width == WIDTH
        assert height >= await tab.evaluate(LAST_END) > 500, "the whole page is painted"
        await cluster.kill(node_id)
        await tab.until("document.getElementById('live').textContent.startsWith('Not connected')")


async def test_hostile_texts_run_nowhere(browser: str, tmp_path: Path) -> None:
    """A page in which each text that others choose is markup shows it as it is written."""
    file = tmp_path / "hostile.html"
    file.write_text(page(state_json(hostile())), encoding="utf-8")
    async with browsing(browser, tmp_path / "profile") as chromium:
        tab = await chromium.tab()
        await tab.open(file.as_uri())
        shown = await tab.evaluate(SHOWN)
        for text in HOSTILE:
            assert any(text in one for one in shown), text
        assert await tab.evaluate("document.title") == "kraftpy node 1"
        assert await tab.evaluate("document.images.length") == 0
