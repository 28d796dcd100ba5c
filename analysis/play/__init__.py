"""Games with people in their seats, in a terminal or a browser; recorded games as pages; a quiz."""
