import os
import pathlib

import pytest
from hypothesis import HealthCheck, settings

# A slow shared machine must not turn a passing property into a failing one.
settings.register_profile("companion", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("companion")

SHARED = pathlib.Path(os.environ.get("COMPANION_SHARED", pathlib.Path(__file__).parents[2] / "shared"))


def pytest_addoption(parser):
    parser.addoption(
        "--golden-dir",
        type=pathlib.Path,
        default=pathlib.Path(__file__).parent / "data" / "golden",
        help="play the golden scripts of this folder instead of the project's own",
    )


@pytest.fixture(scope="session")
def shared():
    """The folder of rendered pictures and photographs beside the checkout, where there is one."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder {SHARED.name} with pictures beside the checkout")
    return SHARED
