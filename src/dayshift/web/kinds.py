"""Media types by the ending of a name: a table of our own, the same on every machine."""

TEXT = "text/plain; charset=utf-8"
BYTES = "application/octet-stream"

SHOWN: dict[str, str] = {
    "avif": "image/avif",
    "css": "text/css; charset=utf-8",
    "gif": "image/gif",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/vnd.microsoft.icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
}
"""Kinds that a browser may show as what they are, of a file an agent wrote, inside a sandbox."""

BUILT: dict[str, str] = {
    **SHOWN,
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "txt": TEXT,
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""Kinds that the built UI is made of."""


def ending(name: str) -> str:
    """The ending of a name in lower case; empty when there is none."""
    stem, dot, end = name.rpartition("/")[2].rpartition(".")
    return end.lower() if dot and stem else ""
