"""The virtual table: a camera that draws a die on a table, and buttons that press pretended pins."""
