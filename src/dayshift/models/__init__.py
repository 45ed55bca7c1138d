"""LLM vendors, one file each; nobody else speaks vendor JSON."""
