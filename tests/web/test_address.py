import pytest
from web_table import Site


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path)
    yield site
    site.close()


def test_the_address_is_told_as_it_is_now_for_the_wifi_may_come_after_the_start(site):
    host = site.browser("host")
    code = host.get("/qr.svg").data
    site.address = "http://198.51.100.9:8000"
    assert "198.51.100.9:8000" in host.get("/host").text
    assert host.get("/qr.svg").data != code


def test_a_local_name_is_told_only_while_it_works(site):
    host = site.browser("host")
    site.app.extensions["local_name"] = lambda: "companion.local"
    assert "companion.local:8000" in host.get("/host").text
    site.app.extensions["local_name"] = lambda: None
    page = host.get("/host").text
    assert ".local" not in page
    assert "192.0.2.7:8000" in page
