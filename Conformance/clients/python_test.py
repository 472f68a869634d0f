"""The Python client under faults: kills, a full disk, a wrong clock, several processes and forks. Each record whose call
has returned is in the daemon exactly once.

KILLS in the environment is the number of kills (20). A small tmpfs needs root; without it a limit of the file's size
stands for the full disk. The unit tests of Clients/python/tests run, too.
"""

import collections
import contextlib
import http.client
import http.server
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Clients/python/tests"))

from daemon import Daemon  # noqa: E402
from support import Gateway, behaviour, daemon_with_app, microsurveys, records, respondents  # noqa: E402

import python_program  # noqa: E402
from bellwether_client import Client  # noqa: E402

KILLS = int(os.environ.get("KILLS", 20))
# A port of this host on which nothing listens.
NOWHERE = "http://127.0.0.1:9"


class Program:
    """A process of python_program.py. `returned` has the numbers of the records whose calls have returned."""

    def __init__(self, address, folder, *clock, **options):
        self.process = subprocess.Popen(
            [sys.executable, "-B", python_program.__file__, address, str(folder), *map(str, clock)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT / "Clients/python")}, **options)
        self.returned = []

    def ask(self, first, count):
        self.process.stdin.write(f"{first} {count}\n")
        self.process.stdin.flush()

    def read(self, count):
        for _ in range(count):
            self.returned.append(int(self.process.stdout.readline()))

    def put(self, first, count):
        self.ask(first, count)
        self.read(count)

    def close(self):
        self.process.stdin.write("close\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        self.wait()
        return line.strip()

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        """Reads what the killed process has said."""
        # The last line may be cut.
        self.returned += [int(line) for line in self.process.stdout.read().splitlines(True) if line.endswith("\n")]
        self.wait()

    def wait(self):
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class ForkedProgram(Program):
    """The same, but forked from this process: a thousand of them do not load a thousand interpreters."""

    class Process:
        def __init__(self, pid, stdin, stdout):
            self.pid, self.stdin, self.stdout = pid, stdin, stdout

        def kill(self):
            os.kill(self.pid, signal.SIGKILL)

        def wait(self):
            os.waitpid(self.pid, 0)

    def __init__(self, address, folder):
        lines, to_child = os.pipe()
        from_child, answers = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(lines, 0)
            os.dup2(answers, 1)
            os.closerange(3, 256)
            sys.stdin, sys.stdout, sys.argv = open(0), open(1, "w"), ["", address, str(folder)]
            try:
                python_program.main()
            finally:
                os._exit(1)
        os.close(lines)
        os.close(answers)
        self.process = self.Process(pid, open(to_child, "w"), open(from_child))
        self.returned = []


def drain(address, folder):
    """Sends what ended processes have left."""
    client = Client(address, "trails", folder=folder, token="phone-text", interval=0)
    while not client.flush(60):
        pass
    client.close()
    return client.counts


class Faults(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(daemon_with_app())
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def expect(self, returned):
        """Checks that each of these records is there once, and no record twice. Returns how many there are."""
        events, answers, marks = (
            behaviour(self.daemon), respondents(self.daemon, "questionnaires", "nps"), microsurveys(self.daemon))
        self.assertEqual(len(returned), len(set(returned)))
        lost = [number for number in returned if 1 != (
            events[f"event_{number}"] if number % 3 == 0 else
            answers[f"client-{number}"] if number % 3 == 1 else marks[f"client-{number}"])]
        self.assertEqual(lost, [], "these are not there once")
        doubled = [name for counts in (events, answers, marks) for name, count in counts.items() if count != 1]
        self.assertEqual(doubled, [], "these are there twice")
        left = list(self.folder.rglob("queue-*"))
        self.assertEqual(left, [], "everything was sent, and the folder still has a queue")
        return sum(map(len, (events, answers, marks)))

    def test_kills(self):
        """Each program is killed after some calls, in a request, or between the daemon's commit and its answer."""
        choice, returned, moments = random.Random(51), [], collections.Counter()
        with Gateway(self.daemon) as gateway:
            for kill in range(KILLS):
                moment = choice.choice(["call", "cut", "lose"])
                program = ForkedProgram(gateway.url, self.folder)
                gateway.on_loss = program.process.kill
                # The gateway kills in the request after some that it passes on. Six records are six requests.
                gateway.faults = [] if moment == "call" else [None] * choice.randint(0, 5) + [moment]
                program.ask(kill * 6, 6)
                program.read(choice.randint(1, 6) if moment == "call" else 0)
                if moment == "call":
                    program.process.kill()
                program.end()
                returned += program.returned
                moments[moment] += 1
        counts = drain(self.daemon.url, self.folder)
        count = self.expect(returned)
        self.assertGreater(min(moments.values()), 0)
        print(f"ok: {KILLS} kills ({moments['call']} after a call, {moments['cut']} in a request, {moments['lose']} after "
              f"the daemon's commit): {len(returned)} calls had returned, {count} records are there, 0 lost, 0 doubled; "
              f"{counts['accepted']} were sent at the end")

    def test_full_disk(self):
        with contextlib.ExitStack() as stack:
            disk, limit = self.folder, None
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True)
            if mounted.returncode == 0:
                stack.callback(subprocess.run, ["umount", "--lazy", disk], check=True)
            else:
                limit = 16_384
            offline = Program(NOWHERE, disk)
            offline.put(0, 30)
            if limit:
                resource.prlimit(offline.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            else:
                ballast = disk / "ballast"
                with open(ballast, "ab", buffering=0) as file, contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(4096))
            # The file has room for some of these; the others are in memory.
            offline.put(30, 300)
            if limit:
                resource.prlimit(offline.process.pid, resource.RLIMIT_FSIZE,
                                 (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            else:
                ballast.unlink()
            offline.put(330, 1)
            offline.kill()
            drain(self.daemon.url, disk)
            self.assertEqual(self.expect(offline.returned), 331)
            if limit is None:
                with open(ballast, "ab", buffering=0) as file, contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(4096))
                online = Program(self.daemon.url, disk)
                online.put(331, 60)
                self.assertEqual(online.close(), "closed")
                self.assertEqual(self.expect(offline.returned + online.returned), 391)
            print(f"ok: full disk ({'tmpfs' if limit is None else 'limit of the file'}): 0 lost, 0 doubled")

    def test_wrong_clocks(self):
        returned = []
        for index, seconds in enumerate((0, -2 * 86_400, -15_000 * 86_400, 86_400, -3600)):
            offline = Program(NOWHERE, self.folder, seconds)
            offline.put(index * 30, 30)
            offline.kill()
            returned += offline.returned
        online = Program(self.daemon.url, self.folder, -86_400)
        online.put(300, 30)
        self.assertEqual(online.close(), "closed")
        drain(self.daemon.url, self.folder)
        self.assertEqual(self.expect(returned + online.returned), 180)
        print("ok: clocks set back and ahead: 0 lost, 0 doubled")

    def test_processes_that_share_a_folder(self):
        programs = [Program(self.daemon.url, self.folder) for _ in range(3)]
        for index, program in enumerate(programs):
            program.ask(index * 200, 200)
        programs[2].read(100)
        programs[2].kill()
        for program in programs[:2]:
            program.read(200)
            self.assertEqual(program.close(), "closed")
        drain(self.daemon.url, self.folder)
        self.expect([number for program in programs for number in program.returned])
        print("ok: two processes, and a third that was killed, in one folder: 0 lost, 0 doubled")

    def test_forks_of_multiprocessing(self):
        client = Client(self.daemon.url, "trails", folder=self.folder, token="phone-text", interval=0)
        python_program.write(client, 0)
        forked = multiprocessing.get_context("fork")
        spawned = multiprocessing.get_context("spawn")
        workers = [forked.Process(target=write_all, args=(client, first)) for first in (100, 200, 300)]
        workers += [spawned.Process(target=write_alone, args=(self.daemon.url, str(self.folder), first))
                    for first in (400, 500)]
        for worker in workers:
            worker.start()
        for number in range(1, 100):
            python_program.write(client, number)
        for worker in workers:
            worker.join()
            self.assertEqual(worker.exitcode, 0)
        self.assertTrue(client.close(60))
        drain(self.daemon.url, self.folder)
        self.assertEqual(self.expect(list(range(600))), 600)
        print("ok: three forked and two spawned processes beside their parent: 0 lost, 0 doubled")

    def test_a_server_that_forks_workers(self):
        """Like gunicorn: a parent that loads the program, workers that share its socket, one that is killed and replaced."""
        client = Client(self.daemon.url, "trails", folder=self.folder, token="phone-text", interval=0)
        python_program.write(client, 0)
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        workers = [fork_worker(listener, client) for _ in range(3)]
        returned = [0]
        for number in range(1, 121):
            if number == 60:
                os.kill(workers[0], signal.SIGKILL)
                os.waitpid(workers[0], 0)
                workers[0] = fork_worker(listener, client)
            if visit(listener.getsockname()[1], number):
                returned.append(number)
        self.assertGreater(len(returned), 100)
        for worker in workers:
            os.kill(worker, signal.SIGTERM)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]), 0)
        listener.close()
        self.assertTrue(client.close(60))
        drain(self.daemon.url, self.folder)
        self.expect(returned)
        print(f"ok: a server with forked workers, one killed and replaced: {len(returned)} visits, 0 lost, 0 doubled")


def write_all(client, first):
    for number in range(first, first + 100):
        python_program.write(client, number)
    sys.exit(0 if client.close(60) else 1)


def write_alone(address, folder, first):
    write_all(Client(address, "trails", folder=folder, token="phone-text", interval=0), first)


def visit(port, number):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("POST", f"/{number}")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        # The worker was killed.
        return False
    finally:
        connection.close()


def fork_worker(listener, client):
    """Forks a process that answers requests, each after its record was written, until SIGTERM."""
    if pid := os.fork():
        return pid

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            python_program.write(client, int(self.path[1:]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            """Prints nothing."""

    def end(*_):
        raise SystemExit

    signal.signal(signal.SIGTERM, end)
    server = http.server.HTTPServer(listener.getsockname(), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    status = 1
    try:
        server.serve_forever()
    except SystemExit:
        status = 0 if client.close(60) else 1
    finally:
        os._exit(status)


class Documents(unittest.TestCase):
    """The code of docs/python.md and the application of Examples run as they are, beside a daemon with the samples."""

    def setUp(self):
        self.daemon = self.enterContext(Daemon(
            "--apps", str(ROOT / "config/apps"), "--recipes", str(ROOT / "recipes")))
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT / "Clients/python")}

    def blocks(self):
        return re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/python.md").read_text(), re.MULTILINE | re.DOTALL)

    def test_the_first_example(self):
        block = self.blocks()[0]
        self.assertLessEqual(len(block.splitlines()), 10)
        # The page names port 8080. The daemon's own port stands as the proxy, so that the code runs as it is.
        proxy = {"http_proxy": self.daemon.url, "no_proxy": "", "NO_PROXY": ""}
        subprocess.run([sys.executable, "-c", block], cwd=self.folder, env={**self.environment, **proxy}, check=True)
        export = self.daemon.json("GET", "/v1/apps/trail-notes/clients/me/export")
        self.assertIn("trip_saved", json.dumps(export))
        self.assertEqual([run["answers"] for run in export["responses"]], [{"recommend": 9, "use": "maps"}])
        names = [one["name"] for one in records(self.daemon, "trail-notes")]
        self.assertEqual(names.count("submit_button_tapped"), 1)

    def test_the_other_examples(self):
        self.assertEqual(len(self.blocks()), 2)
        subprocess.run([sys.executable, "-c", self.blocks()[1]], cwd=self.folder, env=self.environment, check=True)

    def test_the_application(self):
        program = subprocess.Popen(
            [sys.executable, "-B", ROOT / "Examples/python/trails.py", self.daemon.url, "0"], cwd=self.folder, text=True,
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(program.stdout.close)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        url = program.stdout.readline().split()[-1]
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.assertIn("0 trips", opener.open(url).read().decode())
        self.assertIn("12 km", opener.open(f"{url}/trips", b"distance=12").read().decode())
        self.assertIn("Thank you", opener.open(f"{url}/feedback", b"recommend=9").read().decode())
        program.send_signal(signal.SIGTERM)
        self.assertEqual(program.wait(), 0)
        results = self.daemon.json("GET", "/v1/apps/trail-notes/results/first-trips")
        self.assertEqual(results["submitted_count"], 1)
        page = self.daemon.json("GET", "/v1/apps/trail-notes/questionnaires/first-trips/responses")
        visitor = page["items"][0]["client_id"]
        export = self.daemon.json("GET", f"/v1/apps/trail-notes/clients/{visitor}/export")
        self.assertIn("trip_saved", json.dumps(export))


class Package(unittest.TestCase):
    def test_a_program_that_installs_the_package_is_checked(self):
        """The package has its types: mypy accepts right calls, and names wrong ones."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "source")
            subprocess.run(["cp", "-r", ROOT / "Clients/python", source], check=True)
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                            "--target", f"{folder}/site", source], check=True)
            pathlib.Path(folder, "program.py").write_text(
                "import bellwether_client\n"
                "client = bellwether_client.Client('http://127.0.0.1', 'trails', folder='queue')\n"
                "client.track('saved', {'distance': 1})\n"
                "client.track(5)\n"
                "client.user_id.upper()\n")
            told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "program.py"], cwd=folder, text=True,
                                  capture_output=True, env={**os.environ, "MYPYPATH": "site"})
            faults = [line for line in told.stdout.splitlines() if "error:" in line]
            self.assertEqual(len(faults), 2, told.stdout)
            self.assertIn("program.py:4", faults[0])
            self.assertIn("program.py:5", faults[1])

    def test_the_module_and_its_tests_have_right_types(self):
        told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull,
                               ROOT / "Clients/python/bellwether_client/__init__.py"], text=True, capture_output=True)
        self.assertEqual(told.returncode, 0, told.stdout)


def load_tests(loader, tests, pattern):
    tests.addTests(loader.discover(ROOT / "Clients/python/tests", "*_test.py"))
    return tests


if __name__ == "__main__":
    unittest.main()
