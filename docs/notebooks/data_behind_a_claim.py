# %% [markdown]
# # The data behind a claim
#
# Players say that a seller does best with an open or a once-around auction. A tournament shows what lots fetched:

# %%
import modernart as ma

FIELD = ["predictive", "fair_share", "half_value"]
result = ma.tournament(FIELD, players=3, games=6000, seed=2)
observed = result.tables["auctions"]
observed[observed["form"] == "single"]

# %% [markdown]
# That does not answer the question. Players choose which card to put up: whoever sells by sealed bids may have had
# another artist in mind, at another time. The study sells the same lot, in the same state of the game, by all four
# kinds, and plays each game on to its end:

# %%
study = ma.auctions(FIELD, players=3, games=300, repeats=1, seed=2)
print(study.heading)
study.tables["auctions_causal"][["kind", "price", "revenue_difference", "win_share_difference"]]

# %%
axes = study.plot()

# %% [markdown]
# Single decisions tell more. Records of games become one flat table: what the seat knew, what it answered, what it got.

# %%
records = [ma.play_game(FIELD, players=3, seed=2, game=number) for number in range(12)]
rows = ma.decisions(records)
put_up = rows[rows["phase"] == "CARD"]
put_up.groupby("card_kind", observed=True)["relative_money"].agg(["size", "mean"])

# %% [markdown]
# `modernart claims` tests every claim of docs/claims.md in this way, with intervals from deals.
