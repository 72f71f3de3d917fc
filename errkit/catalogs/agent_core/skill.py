"""Codes of skills: finding one by name, reading its Markdown file, and activating it by hand or from the
model.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["SkillError", "SkillNestingDetails"]


class SkillNestingDetails(Details):
    """How deep skills had called skills when the chain was cut."""

    depth: int
    """Depth that may not be exceeded."""

    skillName: str | None = None
    """Skill whose call was refused, where it has a name."""


class SkillError(AgentCoreError, domain="skill", title="Skills"):
    """A skill is a Markdown file with YAML frontmatter, found in project, user, extra and built-in folders. A
    file that cannot be used is skipped while folders are scanned, so its fault shows first as a skill that is
    missing.
    """

    SKILL_NOT_FOUND = code(
        "No skill of that name",
        code="skill.not_found",
        public=True,
        hint="Put the skill into `.kimi-code/skills/` of the project, then start a new session.",
    )
    """The session's catalogue has no skill under the name that was called. A launch with ``--skills-dir``
    replaces the user and project folders, so skills that are there on other days are absent then; a skill
    added while the session was running may not have been picked up.
    ``GET /api/v1/sessions/{session_id}/skills`` shows what this session really sees, and folders beyond the
    usual ones belong into ``extra_skill_dirs`` of ``config.toml``.
    """

    SKILL_TYPE_UNSUPPORTED = code(
        "Skill type cannot be used here",
        code="skill.type_unsupported",
        public=True,
        hint="Set `type` in the skill's frontmatter to `prompt`, `inline` or `flow`, or remove the line.",
    )
    """The skill's ``type`` is not one that the loader knows, or not one that a user may start. A value
    written for another tool is the usual reason, and a scan of the folders passes such a file over; a skill
    that did load but is not meant for users answers ``/skill:<name>`` like this. Where ``type`` is left out
    ``prompt`` applies and is nearly always right; ``flow`` keeps the model from starting the skill itself.
    """

    SKILL_NAME_EMPTY = code(
        "Skill name is blank",
        code="skill.name_empty",
        public=True,
        hint="Put the name directly after the colon, as in `/skill:code-style`.",
    )
    """An activation arrived that names nothing, for example ``/skill:`` followed by a space. The second
    engine declares the code without raising it; the server treats it like an unknown skill (envelope code
    40415), and clients written for the first engine may still test for it. Trim and check the field before
    calling ``POST /api/v1/sessions/{session_id}/skills/{skill_name}:activate``.
    """

    SKILL_PARSE_FAILED = code(
        "Skill file cannot be parsed",
        code="skill.parse_failed",
        public=True,
        hint="Open the file that the message names and repair the frontmatter between its two `---` lines.",
    )
    """The frontmatter of a skill file is missing or broken. A ``SKILL.md`` must begin with a line of three
    dashes, hold a YAML mapping up to the next such line, and state both ``name`` and ``description``; a colon
    inside an unquoted description is what most often spoils the YAML. The message gives the file and the
    missing field. Flat ``<name>.md`` skills are more lenient: they fall back on the file name and the first
    line of their body.
    """

    SKILL_NESTED_TOO_DEEP = code(
        "Skills call each other too deeply",
        SkillNestingDetails,
        code="skill.nested_too_deep",
        public=True,
        hint="Merge the inner skill into its caller, or remove the line that leads back to it.",
        example={"depth": 3, "skillName": "review-pr"},
    )
    """A skill invoked a skill, and so on, past the three levels that are allowed. Two skills whose texts
    recommend each other are the typical case, and without the cut the model would go round for ever. Follow
    the chain from ``details.skillName`` upwards; a skill that need not be reachable from others can say
    ``disableModelInvocation: true``, so that only ``/skill:<name>`` starts it.
    """
