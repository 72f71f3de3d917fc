"""Ready-made domains: failures that every program has, each with the tables that translate foreign errors.

Import the one that you need: `core`, `os_fs`, `os_process`, `storage`, `wire`, `http`, `decode`,
`concurrent`. Importing it registers its codes in `errkit.REGISTRY`; this package itself loads nothing. How
the tables work is told in `errkit/boundary`.
"""
