"""The page: Flask views over the table."""
