"""Codes of background tasks: commands, subagents and questions that outlive the call that started them.

The task service of one agent raises them when a task is started or asked about.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["TaskError", "TaskLimitDetails"]


class TaskLimitDetails(Details):
    """How full the background is."""

    running: int
    """How many background tasks are running."""
    max: int
    """How many may run at once: the value of ``max_running_tasks``."""


class TaskError(AgentCoreError, domain="task", title="Background tasks"):
    """A background task could not be started, or not be addressed.

    A task that fails, times out or is stopped is no error of this domain: that is its status.
    """

    TASK_ID_EMPTY = code(
        "Background task id is blank",
        code="task.task_id_empty",
        public=True,
        hint="Take the `task_id` from `TaskList`, or from `GET /api/v1/sessions/{session_id}/tasks`.",
    )
    """A client wanted the output of a task, or to stop one, and named none. A foreground command returns no
    task id, and a script that passes the missing value on ends up here. The check belongs to client
    libraries; the service itself answers an unknown id with no task at all.
    """

    TASK_LIMIT_EXCEEDED = code(
        "Too many background tasks",
        TaskLimitDetails,
        code="task.limit_exceeded",
        kind="transient",
        public=True,
        hint="Stop a task with `TaskStop`, or raise `[background] max_running_tasks` in `config.toml`.",
        example={"running": 4, "max": 4},
    )
    """One more background command or subagent would exceed ``max_running_tasks``. Only tasks that were
    started in the background count; a foreground command that was moved there after its timeout does not.
    ``/tasks`` shows what runs, ``KIMI_CODE_BACKGROUND_MAX_RUNNING_TASKS`` overrides the file, and with
    neither set there is no cap.
    """
