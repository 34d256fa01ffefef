"""Screenshots, kept in a folder that git ignores."""

from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error

SHOTS = Path(__file__).parents[1] / "screenshots"
TRIES = 3


def shoot(page, name, **more):
    """Keep what a page shows; a browser on a busy machine now and then has no picture ready, and is asked again."""
    SHOTS.mkdir(exist_ok=True)
    for _ in range(TRIES - 1):
        with suppress(Error):
            page.screenshot(path=SHOTS / f"{name}.png", **more)
            return
        page.wait_for_timeout(500)
    page.screenshot(path=SHOTS / f"{name}.png", **more)
