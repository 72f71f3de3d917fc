"""`python -m errkit`: the same as the console script `errkit`."""

from __future__ import annotations

import sys

from errkit.cli import main

if __name__ == "__main__":
    sys.exit(main())
