"""The words of the page, each explained in a sentence."""

#: Terms and their meanings, in the order in which a reader meets them.
TERMS = (
    ("win share", "share of the games that a seat of the strategy wins; a tie is shared"),
    ("points", "percentage points: the difference between 25% and 28% is 3 points"),
    ("95% interval", "the range that holds the true value in 95 of 100 such runs; written in brackets or as a bar"),
    ("p, corrected", "how often chance alone would show such a difference, corrected for the number of comparisons"),
    ("rating", "strength fitted to who won at which tables; 400 points are ten times the strength"),
    ("deal", "the cards of a game and its first seat; every line-up plays a deal once from every seat"),
    ("seat", "a place at the table, counted clockwise; the player on the left acts next"),
    ("lot", "what is on sale: one card, or two of one artist"),
    ("auctioneer", "the player who sells a lot"),
    ("price", "what the buyer pays, to the auctioneer or, for a lot of the auctioneer's own, to the bank"),
    ("realised value", "what the paintings of a lot paid at the end of the round"),
    ("profit of buying", "realised values less prices"),
    ("open", "auction in which all bid freely until nobody raises"),
    ("once around", "auction in which each player bids once, in turn, the auctioneer last"),
    ("sealed", "auction of secret bids, shown together"),
    ("fixed price", "sale at a price that the auctioneer names and the others take or leave in turn"),
    ("own double", "a double sold with a second card of its first seller"),
    ("own pair", "the same, or two cards of one artist and kind where the rules allow that"),
    ("joined double", "a double to which another player added the second card, and became the auctioneer"),
    ("lone double", "a double that nobody joined: its seller keeps it free"),
    ("cards out", "cards of an artist put up in the round so far, those of the lot included"),
    ("ending card", "the card that completes the number that ends a round; it is not sold"),
    ("observed", "rests on what players chose to do: a difference between rows is not the effect of a choice"),
    (
        "measured effect",
        "a decision point played on in several ways with the same cards and random numbers: a difference is caused",
    ),
)
