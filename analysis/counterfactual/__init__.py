"""Counterfactual playouts: the same decision point played on in several ways."""
