"""`publish(event)`: append to the ledger, then tell subscribers; the only door in."""
