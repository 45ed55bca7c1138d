"""Asks a server for its health fifty times a second, and tells how long each answer took.

``python prober.py URL``: ends with a line on its input; prints milliseconds as JSON.
"""

import http.client
import json
import select
import sys
import time

EVERY_S = 0.02


def main() -> None:
    """Ask until told to stop."""
    connection = http.client.HTTPConnection(sys.argv[1].partition("//")[2], timeout=60)
    waits: list[float] = []
    while not select.select([sys.stdin], [], [], EVERY_S)[0]:
        began = time.monotonic()
        connection.request("GET", "/api/health")
        connection.getresponse().read()
        waits.append((time.monotonic() - began) * 1000)
    print(json.dumps(waits))


if __name__ == "__main__":
    main()
