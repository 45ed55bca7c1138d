"""What the web asks of an open office, noun by noun: thin hands on the office's rooms."""
