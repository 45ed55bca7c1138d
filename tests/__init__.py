"""The tests: a package, so that no other `tests` on the path can stand in its place."""
