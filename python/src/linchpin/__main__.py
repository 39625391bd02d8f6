"""The command linchpin: runs the binary with the arguments of this process."""

from __future__ import annotations

import os
import subprocess
import sys

from ._binary import binary, environment
from ._errors import BinaryMissingError


def main() -> int:
    """Become the binary. Windows cannot do that: there it is a child."""
    try:
        path = binary()
    except BinaryMissingError as error:
        print(f"linchpin: {error.message}\nhint: {error.hint}", file=sys.stderr)
        return 1
    arguments = [path, *sys.argv[1:]]
    if sys.platform != "win32":
        os.execve(path, arguments, environment())
    return subprocess.call(arguments, env=environment())


if __name__ == "__main__":
    sys.exit(main())
