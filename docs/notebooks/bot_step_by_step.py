# %% [markdown]
# # A bot, step by step
#
# A strategy is one function of what everybody sees (`table`) and what only its seat knows (`hand`). The first version
# leaves the cards to the library and bids a fixed share of what the lot would pay if the round ended now.

# %%
import modernart as ma
from modernart.simulator.decisions import Phase
from modernart.strategies.bidding import bid_by_value
from modernart.strategies.card_choice import choose_addition, choose_card
from modernart.strategies.forecast import expected_value
from modernart.strategies.valuation import value_now


@ma.strategy(params={"share": ma.Param(0.6, low=0.0, high=1.0, doc="share of the worth that it pays")})
def first_version(table, hand):
    """Pays a share of what the lot pays now."""
    if table.phase == Phase.CARD:
        return choose_card(table, hand)
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return choose_addition(table, hand)
    return bid_by_value(table, hand, value_now(table), hand.params[0])


# %% [markdown]
# What does it do in a game? `Game` stops at every decision.

# %%
game = ma.Game("classic", players=3, seed=5)
print(game)

# %%
game.play("half_value", decisions=6)
print(game.decision)
print("first_version would answer", game.answer(first_version))
print("predictive would answer", game.answer("predictive"))

# %% [markdown]
# How good is it? A duel puts two strategies into the same seat, on the same deals.

# %%
duel = ma.duel(first_version, "half_value", players=3, fixed=900)
print(duel.verdict, round(duel.difference, 3), duel.difference_ci)

# %% [markdown]
# Early in a round the value now says little. `expected_value` looks ahead, from the cards out and in hand.


# %%
@ma.strategy(params={"share": ma.Param(0.7, low=0.0, high=1.0, doc="share of the worth that it pays")})
def second_version(table, hand):
    """Pays a share of what the lot is expected to pay."""
    if table.phase == Phase.CARD:
        return choose_card(table, hand)
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return choose_addition(table, hand)
    return bid_by_value(table, hand, expected_value(table, hand, True), hand.params[0])


again = ma.duel(second_version, first_version, players=3, fixed=900)
print(again.verdict, round(again.difference, 3), again.difference_ci)

# %% [markdown]
# Which share is best? Try some; `ma.tune(second_version, budget=50_000)` searches for it.

# %%
field = [second_version(share=share) for share in (0.5, 0.6, 0.7, 0.8, 0.9)]
ma.tournament(field, players=3, games=3000).ranking[["strategy", "win_share", "ci"]]

# %% [markdown]
# Put the function into a file (`modernart new-bot mybot.py` writes one to start from) to check it in all editions with
# `modernart check-bot mybot.py:second_version`, and to play it in every command.
