"""The other process of the check `process`: what came in as a pickle goes out as a payload and a pickle.

It runs as `python -m errkit.checks.child` with JSON on standard input, imports no module that declares codes,
and answers with JSON on standard output.
"""

from __future__ import annotations

import base64
import json
import pickle
import sys
from typing import Any

from errkit.payload import to_payload


def answer(blob: str) -> dict[str, Any]:
    """What this process makes of one pickled error."""
    if not blob:
        return {"problem": "the error can't be pickled"}
    try:
        error = pickle.loads(base64.b64decode(blob))  # noqa: S301 (from the parent process)
        again = pickle.dumps(error)
    except Exception as failure:
        return {"problem": f"the other process can't read the error: {type(failure).__name__}: {failure}"}
    return {"payload": to_payload(error), "pickle": base64.b64encode(again).decode("ascii")}


if __name__ == "__main__":
    json.dump({code: answer(blob) for code, blob in json.load(sys.stdin).items()}, sys.stdout)
