"""Writes the pages of docs/reference from the code, so that they cannot drift from it.

`python -m docs.generate` writes them; tests/docs/test_reference.py compares their bytes.
"""
