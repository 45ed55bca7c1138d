"""LLM providers: two dialects on our own wire, a rehearsal, and what is known of each model.

A vendor module knows no other; what they share is the wire, the pairing, the schemas and the
quirks.
"""

VENDORS = ["anthropic_messages", "breadth", "openai_chat", "rehearsal"]
