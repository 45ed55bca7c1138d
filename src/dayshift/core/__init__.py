"""Nouns: errors, views, ledger entries and the protocols every other room speaks. No I/O."""
