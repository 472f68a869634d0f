"""Processes of a cluster: PostgreSQL servers, daemons, the proxy in front. Each process ends with its test."""

import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = "/usr/lib/postgresql/15/bin"
ROOT = pathlib.Path(__file__).resolve().parent.parent
ADMINISTRATOR = "cluster-administrator"
HEADERS = {"Authorization": f"Bearer {ADMINISTRATOR}"}


def program():
    return os.environ.get("BELLWETHER") or str(ROOT / ".build/debug/bellwether")


def wait_until(what, condition, seconds=60, pause=0.02):
    """Polls until a condition holds, and returns the time that it took."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        if condition():
            return time.monotonic() - begin
        time.sleep(pause)
    raise TimeoutError(f"{what}: not within {seconds} s")


def free_port(address="127.0.0.1"):
    with socket.socket() as listener:
        listener.bind((address, 0))
        return listener.getsockname()[1]


def with_parent():
    """Makes the process end when its parent ends, for whatever reason."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def unprivileged():
    """PostgreSQL does not run as root. A change of user clears the setting of `with_parent`, so it is set
    afterwards."""
    if os.getuid() != 0:
        return []
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig", "SIGKILL", "--"]


def own_mounts():
    """Makes future mounts visible only to this process and its children. Returns false without permission to mount."""
    if os.getuid() != 0 or ctypes.CDLL(None).unshare(0x00020000) != 0:
        return False
    return subprocess.run(["mount", "--make-rprivate", "/"], stderr=subprocess.DEVNULL).returncode == 0


class Postgres:
    """One server, on a socket in `folder` and on a TCP address. Its settings are those for production: fsync is on."""

    def __init__(self, folder, name, address="127.0.0.1"):
        self.folder, self.name, self.address = pathlib.Path(folder), name, address
        self.port = free_port(address)
        self.data = self.folder / name
        self.process = None
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")

    def run(self, *command, **more):
        return subprocess.run([*unprivileged(), *map(str, command)], check=True, cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def make(self, *settings):
        self.run(f"{PROGRAMS}/initdb", "-D", self.data, "-U", "bellwether", "-A", "trust", "-E", "UTF8", "--locale=C")
        self.configure("max_connections = 200", "shared_buffers = 64MB", "wal_keep_size = 256MB", *settings)
        with open(self.data / "pg_hba.conf", "a") as rules:
            rules.write("host all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n")
        self.start()

    def configure(self, *settings):
        with open(self.data / "postgresql.conf", "a") as file:
            file.write("".join(f"{setting}\n" for setting in settings))

    def start(self):
        log = open(self.folder / f"{self.name}.log", "a")
        # A killed server may leave processes that end soon.
        for _ in range(100):
            self.process = subprocess.Popen(
                [*unprivileged(), f"{PROGRAMS}/postgres", "-D", self.data, "-k", str(self.folder), "-p", str(self.port),
                 "-c", f"listen_addresses={self.address}"],
                stdout=log, stderr=log, cwd=self.folder, preexec_fn=with_parent)
            if self.answers():
                return
            self.process.wait()
        raise RuntimeError(f"{self.name} does not start: see {self.folder}/{self.name}.log")

    def answers(self):
        """Whether the server answers, instead of ending."""
        while self.process.poll() is None:
            if self.is_up():
                return True
            time.sleep(0.02)
        return False

    def is_up(self):
        command = [f"{PROGRAMS}/pg_isready", "-q", "-h", str(self.folder), "-p", str(self.port), "-U", "bellwether",
                   "-d", "postgres"]
        return subprocess.run(command).returncode == 0

    def seconds(self):
        """The processor time of all its processes that run or were waited for."""
        total = 0
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if self.process.pid in (int(status.parent.name), int(fields[1])):
                total += int(fields[11]) + int(fields[12])
            if int(status.parent.name) == self.process.pid:
                total += int(fields[13]) + int(fields[14])
        return total / os.sysconf("SC_CLK_TCK")

    def kill(self):
        """Kills only the first process; the other processes end soon after it."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def stop(self, how="fast"):
        if self.process and self.process.poll() is None:
            self.process.send_signal({"fast": signal.SIGINT, "immediate": signal.SIGQUIT}[how])
            self.process.wait(60)
        self.process = None

    def sql(self, text, database="bellwether"):
        """The lines of the result."""
        result = self.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", self.port,
                          "-U", "bellwether", database, "-c", text)
        return result.stdout.decode().split("\n")[:-1]

    def standby(self, name, port=None):
        """Starts another server that follows this one. A commit is acknowledged when both have it."""
        other = Postgres(self.folder, name, self.address)
        other.port = port or other.port
        shutil.rmtree(other.data, ignore_errors=True)
        self.run(f"{PROGRAMS}/pg_basebackup", "-D", other.data, "-R", "-X", "stream", "-c", "fast", "--no-sync",
                 "-h", self.folder, "-p", self.port, "-U", "bellwether")
        # After its promotion the server waits for no standby until it has one.
        other.configure("synchronous_standby_names = ''", "wal_retrieve_retry_interval = 200ms")
        (other.data / "postgresql.auto.conf").write_text(
            f"primary_conninfo = 'host={self.folder} port={self.port} user=bellwether application_name={name}'\n")
        other.start()
        self.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        self.sql("SELECT pg_reload_conf()")
        wait_until("a synchronous standby", lambda: self.sql(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == ["1"])
        return other

    def signal(self, number):
        """Sends a signal to all its processes."""
        pids = [self.process.pid]
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                if int(status.read_text().rpartition(")")[2].split()[1]) == self.process.pid:
                    pids.append(int(status.parent.name))
            except OSError:
                continue
        for pid in pids:
            os.kill(pid, number)

    def promote(self):
        self.run(f"{PROGRAMS}/pg_ctl", "promote", "-D", self.data, "-w", "-t", "60")


def url(servers, local=True):
    hosts = ",".join(str(server.folder) if local else server.address for server in servers)
    ports = ",".join(str(server.port) for server in servers)
    return f"postgresql:///bellwether?host={hosts}&port={ports}&user=bellwether"


class Node:
    """A daemon over the database at an address, or over a file of its own without an address. `inside` is the command
    that starts it in another network."""

    def __init__(self, folder, number, store="", host="127.0.0.1", inside=(), arguments=(), durability="local"):
        self.folder, self.number, self.host, self.inside = pathlib.Path(folder), number, host, list(inside)
        self.port = free_port() if not inside else 8080
        self.arguments = list(arguments)
        self.process = None
        self.data = self.folder / f"data-{number}"
        digest = hashlib.sha256(ADMINISTRATOR.encode()).hexdigest()
        self.settings = self.folder / f"node-{number}.yaml"
        self.settings.write_text(
            f"http:\n  host: {host}\n  port: {self.port}\n  workers: 1\n"
            f"store:\n  url: \"{store}\"\n  durability: {durability}\napps: \"\"\nrecipes: \"\"\n"
            f"data: {self.data}\nwebhooks:\n  allow_networks: [127.0.0.0/8]\n"
            f"tokens:\n  - root:admin:*:{digest}\n")

    def start(self, wait=True):
        self.log = open(self.folder / f"node-{self.number}.log", "a")
        self.process = subprocess.Popen(
            [*self.inside, program(), "serve", "--config", str(self.settings), *self.arguments],
            stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=with_parent)
        if wait:
            self.wait()

    def wait(self):
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"node {self.number} did not start: see {self.log.name}")

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def restart(self):
        """Ends the process, waits for its end, and starts a new one."""
        self.kill(signal.SIGTERM)
        self.process.wait(60)
        self.start()


class Proxy:
    """HAProxy with the sample of deploy/, with these daemons instead of the daemons in the sample."""

    def __init__(self, folder, nodes):
        self.port = free_port()
        sample = (ROOT / "deploy/haproxy.cfg").read_text()
        lines = [line for line in sample.split("\n") if not line.startswith("    server ")]
        text = "\n".join(lines).replace("bind :8080", f"bind 127.0.0.1:{self.port}")
        text += "".join(f"    server node{node.number} {node.host}:{node.port}\n" for node in nodes)
        self.file = pathlib.Path(folder) / "haproxy.cfg"
        self.file.write_text(text)
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f", str(self.file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=with_parent)

    def end(self):
        self.process.kill()
        self.process.wait()


def load_samples(address, memory):
    """Pushes this project's samples, like an owner. `memory` is the path where `push` stores what it has pushed."""
    environment = {**os.environ, "BELLWETHER_TOKEN": ADMINISTRATOR, "XDG_STATE_HOME": str(memory)}
    for app in sorted(path.name for path in (ROOT / "config/apps").iterdir()):
        paths = [str(ROOT / "config/apps" / app), str(ROOT / "recipes" / app)]
        result = subprocess.run([program(), "push", "--url", address, "--app", app, *paths], env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # 1: a recipe of the samples has ended by its date.
        if result.returncode not in (0, 1):
            raise RuntimeError(f"push: {result.stderr}")


def as_json(value):
    return json.dumps(value).encode()
