"""A small model served from this machine, as a program of its own.

Started by ``local.py``: a crash in the native engine ends this process and not the office. It
reads one JSON line (file, key, threads, context_tokens), prints one (url, or error), and goes on
until its input ends, which is when the office does.
"""

import json
import sys
from typing import Any


def serve(line: str) -> str:
    """Start the engine as the line says; returns the line that answers."""
    try:
        import xllamacpp  # pyright: ignore[reportMissingTypeStubs]  it has none
    except ImportError as error:
        return json.dumps({"error": f"The engine is not installed: {error}"})
    asked: dict[str, Any] = json.loads(line)
    engine: Any = xllamacpp
    params = engine.CommonParams()
    params.model.path = asked["file"]
    params.n_ctx = asked["context_tokens"]
    params.n_parallel = 1
    params.verbosity = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = asked["threads"]
    # Its own defaults are no key and any origin.
    params.api_keys = [asked["key"]]
    params.cors_origins = "http://127.0.0.1"
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    params.endpoint_slots = False
    try:
        server = engine.Server(params)
    except (RuntimeError, ValueError) as error:
        return json.dumps({"error": f"The model could not be loaded: {error}"})
    _running.append(server)
    return json.dumps({"url": server.listening_address})


_running: list[Any] = []


def main() -> None:
    """Serve until the input ends."""
    print(serve(sys.stdin.readline()), flush=True)  # noqa: T201  the answer goes to who started us
    sys.stdin.read()


if __name__ == "__main__":
    main()
