"""The hands: cameras, buttons, lamp and the virtual table. They take callbacks and know no game."""
