"""At the table: positions, advice, a look back at a game, and games written down as they are played."""
