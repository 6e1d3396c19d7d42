#!/usr/bin/env python3
"""Packages the last commit twice, in two folders, and compares what was made.

    .ci/reproduce.py [PART…]

The parts are those of `.ci/package.py`. The folders, the homes, the rights of new files and the zones of time
differ, and the times do. Exit 1: a package differs, and a line says where.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import archives
import rehearse

PLACES = (("one", 0o022, "UTC"), ("a-folder-of-another-length", 0o077, "Asia/Kolkata"))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="packord-twice-") as temporary:
        made = []
        try:
            for name, mask, zone in PLACES:
                folder = Path(temporary, name)
                folder.mkdir()
                before = os.umask(mask)
                made.append(rehearse.Rehearsal(folder, sys.argv[1:], TZ=zone).package("package"))
                os.umask(before)
        except subprocess.CalledProcessError as error:
            print(f"reproduce: {error}", file=sys.stderr)
            return 1
        found = archives.differences(*made)
        print("\n".join(found) or f"reproduce: {len(archives.files(made[0]))} files are the same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
