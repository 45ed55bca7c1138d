"""Believable samples of everything that crosses the border, for the document and for `wire/`.

One story: Ada asks Iris, who leads the office acme, for a landing page; Juno writes it.
"""
