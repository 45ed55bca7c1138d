"""The ledger told outward: snapshot, cursor, live tail."""
