"""Dayshift runs a company of AI agents: an office with a clock, a ledger, and people in charge."""

__version__ = "0.1.0"
