"""The manifest of the golden vectors: their version, a digest of each file, and every identifier ever given.

``python -m rkde.vectors.manifest VERSION`` writes it, in a checkout.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from rkde.conformance import WITHDRAWN, VectorsError, load_vectors, shipped_vectors
from rkde.files import write_atomically

FORMAT: Final = "rkde-vectors-manifest"
# Raised when a request is to be read otherwise than before.
PROTOCOL: Final = 1
LICENCE: Final = "BSD-3-Clause"
_CALENDAR: Final = re.compile(r"[0-9]{4}\.[0-9]{2}(\.[0-9]+)?")


def manifest_file(folder: Path) -> Path:
    """Return the path of the manifest of a folder of vectors: it stands beside the folder."""
    return folder.parent / "manifest.json"


def manifest(folder: Path, version: str) -> dict[str, Any]:
    """Compute the manifest of a folder of vectors."""
    if not _CALENDAR.fullmatch(version):
        raise VectorsError(
            f"the version must be a year and a month, got {version!r}; write for example 2026.11"
        )
    cases = load_vectors(folder, withdrawn=True)
    path = manifest_file(folder)
    given = json.loads(path.read_text(encoding="utf-8"))["identifiers"] if path.exists() else {}
    gone = sorted(given.keys() - {case.id for case in cases})
    if gone:
        raise VectorsError(f"{folder}: the case {gone[0]} is missing; put it back with the flag {WITHDRAWN}")
    return {
        "format": FORMAT,
        "version": version,
        "protocol": PROTOCOL,
        "licence": LICENCE,
        "cases": sum(WITHDRAWN not in case.flags for case in cases),
        "withdrawn": sorted(case.id for case in cases if WITHDRAWN in case.flags),
        "files": {
            file.name: "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(folder.glob("*.json"))
        },
        "identifiers": {case.id: given.get(case.id, version) for case in cases},
    }


def spelled_manifest(content: dict[str, Any]) -> str:
    """Lay a manifest out with one line for each entry."""
    return json.dumps(content, indent=1) + "\n"


def main(version: str) -> int:
    """Write the manifest of the shipped vectors."""
    folder = shipped_vectors()
    write_atomically(manifest_file(folder), spelled_manifest(manifest(folder, version)).encode("ascii"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
