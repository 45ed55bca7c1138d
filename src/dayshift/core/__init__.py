"""Nouns: events, ids, errors, and the protocols Tool, Model, Computer, Gateway, Clock.

It does no I/O and imports nothing of ours.
"""
