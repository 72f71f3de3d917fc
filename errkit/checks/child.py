"""The other process of the check `process`: what comes in as a pickle goes out as a payload and a pickle.

It runs as `python -m errkit.checks.child`, imports no module that declares codes, and answers each line,
pickles in base64 with spaces between, with a line of JSON, a list. `other_process.py` is the other end.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
from typing import Any

from errkit.payload import to_payload


def answer(blob: str) -> dict[str, Any]:
    """What this process makes of one pickled error."""
    try:
        error = pickle.loads(base64.b64decode(blob))  # noqa: S301 (from the parent process)
        again = pickle.dumps(error)
    except Exception as failure:
        return {"problem": f"the other process can't read the error: {type(failure).__name__}: {failure}"}
    return {"payload": to_payload(error), "pickle": base64.b64encode(again).decode("ascii")}


def main() -> None:
    """Answer until there are no more lines."""
    # What an import prints must not stand among the answers.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        for line in sys.stdin:
            answers.write(json.dumps([answer(blob) for blob in line.split()]) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
