"""Search at the table: hidden cards dealt at random, rivals played by models of them, answers played on."""
