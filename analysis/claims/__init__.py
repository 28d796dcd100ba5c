"""What people say about the game, put to the test."""
