"""Shipped fakes and harness: scripted model, in-memory computer, jumping clock, `OfficeHarness`."""
