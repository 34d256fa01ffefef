import pytest
from web_table import Site


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path)
    yield site
    site.close()
