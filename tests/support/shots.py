"""Screenshots, kept in a folder that git ignores."""

from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error

SHOTS = Path(__file__).parents[1] / "screenshots"
SIZES = {360: 780, 768: 1024, 1440: 900}
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


def shoot_sizes(page, name, **more):
    """Keep the page as it looks at three widths, light and dark."""
    before = page.viewport_size
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            shoot(page, f"{name}-{width}-{scheme}", **more)
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
