"""The JavaScript client as an app installs it: Node processes that are killed between append and send, with wrong clocks,
two at a time on one folder; a full disk; a start without network; the first example of docs/javascript.md.

Counted in the daemon's telemetry: nothing that was stored is lost, and nothing is there twice. KILLS is the number of
kills, 20 by default; `.ci/long` runs 1,000.
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

from daemon import Daemon

ROOT = pathlib.Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("KILLS", "20"))
SEED = int(os.environ.get("KILLS_SEED", "1"))
APP = "/v1/apps/killed"
DAY = 86_400
MANIFEST = {"app_name": "killed", "default_locale": "en", "surfaces": ["home", "microsurvey"],
            "events": {"made": {"properties": {"n": "number"}}}}
NEWS = {"messages": {"news": {"surface": "home", "text": "Hello", "style": "NEWS"}},
        "styles": {"NEWS": {"priority": 50, "max-display-count": 5}}}


def moods(count):
    """A microsurvey for each kill: a client answers each of them once."""
    return {"messages": {f"mood{number}": {"surface": "microsurvey", "text": "How?", "trigger-if-all": ["NEVER"],
                                           "microsurveyConfig": {"options": ["Good", "Bad"]}} for number in range(count)}}


def install(folder):
    """Installs the package as npm does, beside the app."""
    package = folder / "node_modules/@bellwether/client"
    package.mkdir(parents=True)
    subprocess.run([ROOT / "Scripts/client-package", folder], check=True)
    [archive] = folder.glob("bellwether-client-*.tgz")
    subprocess.run(["tar", "--extract", "--gzip", "--file", archive, "--directory", package, "--strip-components=1"], check=True)
    shutil.copy(ROOT / "Conformance/clients/app.mjs", folder)


class JavaScriptClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        install(cls.folder)
        cls.settings = cls.folder / "bellwether.yaml"
        cls.settings.write_text("telemetry:\n  behavior: true\n")
        cls.daemon = cls.enterClassContext(Daemon("--config", str(cls.settings)))
        cls.daemon.json("PUT", f"{APP}/manifest", MANIFEST)
        cls.daemon.json("PUT", f"{APP}/recipes/news", NEWS)
        cls.daemon.json("PUT", f"{APP}/recipes/moods", moods(KILLS))

    @classmethod
    def tearDownClass(cls):
        cls.doClassCleanups()
        cls.temporary.cleanup()

    def start(self, storage, task, *arguments, app="killed", base=None, **environment):
        """Starts the app."""
        command = ["node", "app.mjs", base or self.daemon.url, app, storage, task, *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                env={**os.environ, **environment})

    def run_app(self, storage, task, *arguments, **options):
        """The lines of an app that ends."""
        with self.start(storage, task, *arguments, **options) as process:
            lines = process.communicate()[0].splitlines()
        self.assertEqual(process.returncode, 0)
        return lines

    def recorded(self, app="killed"):
        """How often each event and each answer is in the telemetry."""
        counts, after = collections.Counter(), ""
        while True:
            _, headers, body = self.daemon.request("GET", f"/v1/apps/{app}/telemetry?limit=10000&after={after}")
            if not body:
                return counts
            after = headers["Bellwether-Next"]
            for record in map(json.loads, body.splitlines()):
                if record["category"] == "behavior":
                    counts[f"event {record['extra']['properties']['n']:.0f}"] += 1
                elif record["name"] == "submit_button_tapped":
                    counts[f"answer {record['extra']['survey_id'].removeprefix('mood')}"] += 1

    def test_kills_between_append_and_send_lose_nothing_and_double_nothing(self):
        rng = random.Random(SEED)
        stored = []
        # Each folder has the posts of ten kills: above 1,000 posts the client drops behaviour events, as it should.
        folders = [f"kills{first}" for first in range(0, KILLS, 10)]
        for number in range(0, KILLS, 2):
            folder = folders[number // 10]
            # Two processes at a time on one folder. Half of them have no network, so what they append is sent later.
            pair = [self.start(folder, "append", one * 1000, CLOCK_OFFSET=str(rng.choice([0, 0, -400 * DAY, -DAY, DAY])),
                               NETWORK=rng.choice(["none", "all"])) for one in range(number, min(number + 2, KILLS))]
            for process in pair:
                for _ in range(rng.randint(1, 12)):
                    line = process.stdout.readline().strip()
                    self.assertTrue(line, "the app has ended")
                    stored.append(line)
            for process in pair:
                process.kill()
                # A line that was written before the kill is of something stored.
                stored += [line for line in process.communicate()[0].split("\n")[:-1]]
        for folder in folders:
            self.assertEqual(self.run_app(folder, "drain"), ["empty"])
        self.assertEqual([one for one in stored if one.startswith("refused")], [], "the storage works")
        recorded = self.recorded()
        print(f"{KILLS} kills, {len(stored)} stored, {sum(recorded.values())} recorded")
        self.assertEqual([one for one in stored if one not in recorded], [], "lost")
        self.assertEqual([one for one, count in recorded.items() if count > 1], [], "doubled")
        self.assertGreaterEqual(len(stored), KILLS)
        self.assertEqual(len([one for one in recorded if one.startswith("answer")]), KILLS)
        left = [path.name for folder in folders for path in (self.folder / folder).iterdir() if ".post." in path.name]
        self.assertEqual(left, [])

    @unittest.skipUnless(os.geteuid() == 0, "a small file system needs root")
    def test_a_full_disk_loses_nothing_while_the_app_runs(self):
        self.daemon.json("PUT", "/v1/apps/full/manifest", {**MANIFEST, "app_name": "full"})
        disk = self.folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=True)
        try:
            (disk / "filler").write_bytes(b"x" * 64 * 1024)
            with self.start("disk", "refuse", app="full") as process:
                lines = [process.stdout.readline().strip() for _ in range(20)]
                self.assertEqual(lines, ["false"] * 20)
                process.stdin.write("go\n")
                process.stdin.flush()
                self.assertEqual(process.stdout.readline().strip(), "empty")
        finally:
            subprocess.run(["umount", disk], check=True)
        recorded = self.recorded("full")
        self.assertEqual(recorded, collections.Counter({f"event {number}": 1 for number in range(20)}))

    def test_a_start_without_network_has_the_messages_of_the_last_answer(self):
        self.assertEqual(self.run_app("offline", "refresh"), ["true"])
        [line] = self.run_app("offline", "start", base="http://127.0.0.1:1")
        answer = json.loads(line)
        self.assertEqual([message["text"] for message in answer["messages"]], ["Hello"])
        self.assertGreaterEqual(answer["age"], 0)

    def test_the_first_example_of_the_page_runs_as_it_stands(self):
        page = (ROOT / "docs/javascript.md").read_text()
        example = re.search(r"```js\n(.*?)```", page, re.DOTALL)[1]
        self.assertLessEqual(len([line for line in example.splitlines() if line]), 10)
        # The samples of `make run`, on another port.
        samples = ["--apps", str(ROOT / "config/apps"), "--recipes", str(ROOT / "recipes"), "--config", str(self.settings)]
        with Daemon(*samples) as daemon:
            (self.folder / "example.mjs").write_text(example.replace("http://127.0.0.1:8080", daemon.url))
            run = lambda: subprocess.run(["node", "example.mjs"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
            first = run()
            self.assertIn("microsurvey How do you like this page?", first)
            self.assertIn("was_submitted: true", first)
            self.assertTrue(run().endswith("already_responded\n"))
            trips = "/v1/apps/trail-notes"
            [response] = daemon.json("GET", f"{trips}/questionnaires/first-trips/responses")["items"]
            self.assertEqual(response["answers"], {"recommend": 9, "use": "maps"})
            records = map(json.loads, daemon.request("GET", f"{trips}/telemetry?limit=10000")[2].splitlines())
            self.assertEqual([record["name"] for record in records if record["category"] == "behavior"], ["page_viewed"] * 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
