"""The pool of workers. When one of them dies, the jobs of the pool fail, and a new pool
takes its place."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from . import work

if TYPE_CHECKING:
    from .work import Job

__all__ = ["Workers"]


class Workers:
    """Some processes that work on jobs.

    Parameters
    ----------
    count
        How many processes.
    """

    def __init__(self, count: int = 2) -> None:
        self._count = count
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self._count, mp_context=spawn, initializer=work.start
        )

    async def run(self, job: Job) -> float:
        """What the job gives.

        Raises
        ------
        JobError
            The job failed.
        BrokenProcessPool
            A worker died. The next job finds new ones.
        """
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.submit(work.run, job))
        except BrokenProcessPool:
            # Every job of the broken pool comes here; only the first replaces it.
            if pool is self._pool:
                self._pool = self._new_pool()
            raise

    def close(self) -> None:
        """End the workers, each after the job that it has, and wait for them.

        A signal ends the service right after this: who is left then is left for ever.
        """
        self._pool.shutdown(wait=True, cancel_futures=True)
