import pathlib


def pytest_addoption(parser):
    parser.addoption("--pi-roots", type=pathlib.Path, help="the Debian roots that tests/pi/run made")
