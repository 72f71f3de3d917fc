"""The process that serves the API: python -m examples.jobs [--port PORT]."""

from __future__ import annotations

import argparse
import logging

import uvicorn

from errkit.sinks import SqlSink
from errkit.sinks.log import ErrorFilter

from . import settings
from .api import make_app


def main() -> None:
    """Serve until somebody stops it."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.jobs", description="Serve the job service."
    )
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    port = parser.parse_args().port
    app = make_app(
        SqlSink(settings.database(), seconds=0.5), operator_key=settings.operator_key()
    )
    server = uvicorn.Server(uvicorn.Config(app, port=port, ws="none"))
    for handler in logging.getLogger("uvicorn").handlers:
        handler.addFilter(ErrorFilter())
    server.run()


if __name__ == "__main__":
    main()
