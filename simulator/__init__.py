"""The rules of Modern Art and the machine that plays them; knows no strategy and no report."""
