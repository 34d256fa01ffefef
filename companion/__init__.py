"""The companion's core: rules, table and journal; everything but `cli` uses the standard library alone."""
