"""Numbers that stand for the option values of a rule set inside the kernel."""

#: Values of each option that is a choice, in the order of their numbers (docs/rules.md, options).
OPTION_VALUES = {
    "sealed_tie": ("auctioneer_first", "auctioneer_last"),
    "double_revenue": ("joiner", "split_odd_joiner", "split_odd_first"),
    "decline_penalty": ("none", "skip_turn"),
    "last_card": ("void", "auctioned"),
    "next_starter": ("after_ender", "after_first_seller"),
    "open_style": ("limit", "outcry"),
    "shill": ("none", "buyer", "auctioneer"),
}

AUCTIONEER_FIRST = OPTION_VALUES["sealed_tie"].index("auctioneer_first")
JOINER = OPTION_VALUES["double_revenue"].index("joiner")
SPLIT_ODD_JOINER = OPTION_VALUES["double_revenue"].index("split_odd_joiner")
SKIP_TURN = OPTION_VALUES["decline_penalty"].index("skip_turn")
VOID = OPTION_VALUES["last_card"].index("void")
AFTER_FIRST_SELLER = OPTION_VALUES["next_starter"].index("after_first_seller")
LIMIT_STYLE = OPTION_VALUES["open_style"].index("limit")
OUTCRY = OPTION_VALUES["open_style"].index("outcry")
NO_SHILL = OPTION_VALUES["shill"].index("none")
SHILL_BUYER = OPTION_VALUES["shill"].index("buyer")
