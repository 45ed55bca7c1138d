"""Limits everyone must know, in one place."""

MESSAGE_BYTES_MAX = 65_536
TURNS_MAX = 128
TURN_LIMIT_S = 180.0
PARALLEL_CALLS = 3
BATCH_LIMIT_S = 60.0
RESULT_CHARS_MAX = 16_000
OUTPUT_BYTES_MAX = 8 * 1024 * 1024
IDENTICAL_FAILURES_MAX = 5
SELF_WAKES_MAX = 5
"""Times in a row an agent may wake itself with nobody else in between."""
UNCHANGED_RUNS_MAX = 5
"""Runs in a row on one task that may end without having changed anything."""
TAKE_OVERS_MAX = 3
"""Times in a row a run may be taken over after a crash without having come further."""
HOPS_MAX = 5
DELTA_INTERVAL_S = 0.05
