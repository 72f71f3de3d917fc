"""A small job service: it adds up a column of a CSV feed, and has a code for failures.

=============== ====================================================================
`errors.py`     the codes, and the table from foreign errors to them; begin here
`work.py`       what a worker does, in a process of its own
`workers.py`    the pool of workers, which survives the death of one
`api.py`        the HTTP API: answers each failure as a problem, and keeps a record
`__main__.py`   the process that serves the API
`settings.py`   what the environment says
`client.py`     the command line, which knows the service from the wire alone
=============== ====================================================================
"""
