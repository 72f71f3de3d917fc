"""Error catalogues of three real systems, declared with errkit.

``agent_core`` holds a coding agent's per-domain codes, ``agent_device`` a device-automation tool's codes with
their reasons, ``harness`` an agent runtime's numbered codes. Each exports a ``REGISTRY`` of its own and an
``ErrorCodes`` facade; none registers anything in errkit's default registry, so importing one never adds codes
to a program. Only facts were taken from the three systems (codes, constants, flags, field names); every
title, hint and explanation is errkit's own. ``NOTICE`` names the sources.
"""
