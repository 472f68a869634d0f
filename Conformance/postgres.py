"""A PostgreSQL server of a test."""

import os
import subprocess
import tempfile
from contextlib import contextmanager

PROGRAMS = "/usr/lib/postgresql/15/bin"


@contextmanager
def postgres():
    """A PostgreSQL server on a socket; the address of its database."""
    # PostgreSQL refuses to run as root.
    user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder:
        if user:
            subprocess.run(["chown", "nobody:nogroup", folder], check=True)

        def run(program, *arguments):
            command = [*user, f"{PROGRAMS}/{program}", "-D", f"{folder}/data", *arguments]
            subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)

        run("initdb", "-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        run("pg_ctl", "-w", "-l", f"{folder}/log", "-o", f"-k {folder} -c listen_addresses=", "start")
        try:
            yield f"postgresql:///postgres?host={folder}&user=tests"
        finally:
            run("pg_ctl", "-m", "immediate", "stop")
