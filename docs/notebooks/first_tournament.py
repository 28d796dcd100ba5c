# %% [markdown]
# # A first tournament
#
# Notebooks of this folder are scripts in percent format: Jupyter (with jupytext), VS Code and PyCharm open them cell by
# cell, and `python docs/notebooks/first_tournament.py` runs them as they stand.

# %%
import modernart as ma

result = ma.tournament(["predictive", "fair_share", "half_value", "random"], players=4, games=4000, seed=1)
result.ranking

# %% [markdown]
# Every strategy plays the same deals from every seat, so a difference in `win_share` is an effect of the strategy.
# `ci` is its 95 % interval, from deals; games of one deal are not independent. Is the first surely better than the
# second?

# %%
result.tables["differences"].head(3)

# %%
axes = result.plot("win_share")

# %% [markdown]
# Which tables are there, and what do their columns mean?

# %%
ma.describe()

# %%
ma.describe("auctions")

# %% [markdown]
# What a lot fetched by kind of auction. These numbers are observed: players chose what to put up, so a difference
# between rows is not the effect of the kind. `data_behind_a_claim.py` measures that effect.

# %%
result.tables["auctions"]

# %% [markdown]
# The whole report, with all figures, as one page to open in a browser; and what a paper should print.

# %%
report = result.report("my-first-run")
print(report.page)
print(result.cite())
