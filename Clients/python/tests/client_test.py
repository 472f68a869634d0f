"""Tests the client against a real daemon, partly behind a gateway that fails on purpose."""

import asyncio
import contextlib
import json
import os
import pathlib
import tempfile
import threading
import unittest
from unittest import mock

import support
from support import APP, ROOT_HEADERS, Gateway, behaviour, daemon_with_app, microsurveys, records, respondents

import bellwether_client
from bellwether_client import Client, TestClient

# A port of this host on which nothing listens.
NOWHERE = "http://127.0.0.1:9"
PROBLEM = {"Content-Type": "application/problem+json"}


class PatientClient(Client):
    """A client that waits as long as a slow machine may take."""

    def flush(self, timeout=600.0):
        return super().flush(timeout)

    def close(self, timeout=600.0):
        return super().close(timeout)


class ClientTest(unittest.TestCase):
    """One daemon for all tests of a class; each test has its own folder."""

    settings = support.SETTINGS

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(daemon_with_app(cls.settings))

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def client(self, address=None, **options):
        options = {"folder": self.folder, "token": "phone-text", "interval": 0, **options}
        return PatientClient(address or self.daemon.url, "trails", **options)

    @contextlib.contextmanager
    def offline(self, **options):
        """A client that reaches no daemon. Its end does not wait for one."""
        client = self.client(NOWHERE, **options)
        try:
            yield client
        finally:
            client.close(0)

    def files(self):
        return sorted((self.folder / "trails").glob("queue-*"))

    def waiting(self):
        """The bodies of the records in the folder's files."""
        lines = [json.loads(line) for file in self.files() for line in file.read_bytes().split(b"\n") if line]
        done = {settled for line in lines for settled in line.get("done", [])}
        return [line["body"] for line in lines if "id" in line and line["id"] not in done]


class SendingTests(ClientTest):
    def test_each_kind_of_record_arrives_once(self):
        with self.client() as client:
            client.track("kinds_tracked", {"distance": 12}, count=2, client_id="kinds")
            client.record("message", action="displayed", message="mood", client_id="kinds")
            client.answer("mood", "0", client_id="kinds")
            client.submit("questionnaire", "nps", {"score": 9}, client_id="kinds")
            client.submit("survey", "habits", {"snack": "Bread"}, client_id="kinds")
            client.identify("kinds-user", client_id="kinds")
        self.assertEqual(client.counts, {"accepted": 6, "duplicate": 0, "dropped": 0})
        mine = [one for one in records(self.daemon) if one["client_id"] == "kinds"]
        names = [f"{one['category']}.{one['name']}" for one in mine]
        for name in ("behavior.kinds_tracked", "messaging.shown", "microsurvey.submit_button_tapped",
                     "questionnaire.submitted", "survey.submitted"):
            self.assertEqual(names.count(name), 1, names)
        self.assertEqual(mine[0]["extra"]["count"], 2)
        page = self.daemon.json("GET", f"{APP}/questionnaires/nps/responses?user_id=kinds-user", headers=ROOT_HEADERS)
        self.assertEqual([(item["client_id"], item["sdk_name"]) for item in page["items"]],
                         [("kinds", "bellwether-python")])
        self.assertEqual(self.files(), [], "an empty queue leaves no file")

    def test_a_draft_is_continued(self):
        with self.client() as client:
            client.submit("questionnaire", "nps", {"score": 3}, is_complete=False, client_id="draft")
            client.submit("questionnaire", "nps", {"score": 4}, client_id="draft")
        self.assertEqual(client.counts["accepted"], 2)
        self.assertEqual(respondents(self.daemon, "questionnaires", "nps")["draft"], 1)

    def test_events_of_many_clients_are_one_request(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
            gateway.faults = ["hold"]
            client.track("batch_first")
            gateway.is_held.wait()
            for number in range(bellwether_client.BATCH_EVENTS):
                client.track(f"batch_{number}", client_id=f"batch-{number % 7}")
            gateway.release.set()
            self.assertTrue(client.flush())
        self.assertEqual(len(gateway.requests), 2)
        counts = behaviour(self.daemon)
        self.assertEqual([counts[f"batch_{number}"] for number in range(bellwether_client.BATCH_EVENTS)],
                         [1] * bellwether_client.BATCH_EVENTS)

    def test_requests_keep_the_order_of_calls(self):
        with Gateway(self.daemon) as gateway, self.offline() as offline:
            offline.track("order_first", client_id="order")
            offline.identify("order-user", client_id="order")
            offline.track("order_last", client_id="order")
            offline.close(0)
            with self.client(gateway.url) as client:
                self.assertTrue(client.flush())
        self.assertEqual([path.rsplit("/", 1)[1] for path, _, _ in gateway.requests], ["events", "identify", "events"])

    def test_an_answer_that_was_lost_leaves_one_record(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
            for name in ("track", "questionnaire", "microsurvey"):
                gateway.faults = ["lose", "lose", "cut"]
                if name == "track":
                    client.track("lost_answer", client_id="lost")
                elif name == "questionnaire":
                    client.submit("questionnaire", "nps", {"score": 1}, client_id="lost")
                else:
                    client.answer("mood", "1", client_id="lost")
                while gateway.faults:
                    client.flush(0.05)
                self.assertTrue(client.flush())
        self.assertEqual(client.counts, {"accepted": 2, "duplicate": 1, "dropped": 0})
        self.assertEqual(behaviour(self.daemon)["lost_answer"], 1)
        self.assertEqual(respondents(self.daemon, "questionnaires", "nps")["lost"], 1)
        self.assertEqual(microsurveys(self.daemon)["lost"], 1)

    def test_a_record_stays_until_the_daemon_answers(self):
        page = ({"Content-Type": "text/html"}, b"<p>Sign in</p>")
        faults = {
            "500": (500, PROBLEM, b"{}"), "503": (503, PROBLEM, b"{}"), "429": (429, PROBLEM, b"{}"),
            "408": (408, PROBLEM, b"{}"), "401": (401, PROBLEM, b"{}"),
            "a redirect": (302, {"Location": "/elsewhere"}, b""), "a page": (200, *page), "a page of errors": (404, *page),
            "another JSON": (200, {}, b"[]"), "no answer": "cut",
        }
        for title, fault in faults.items():
            with self.subTest(title), Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
                gateway.faults = [fault]
                name = f"stays_{title.replace(' ', '_')}"
                client.track(name)
                while gateway.faults:
                    client.flush(0.05)
                self.assertTrue(client.flush())
                self.assertEqual(behaviour(self.daemon)[name], 1)
                self.assertNotIn("/elsewhere", [path for path, _, _ in gateway.requests])

    def test_a_final_refusal_removes_the_record_and_is_told(self):
        refused = []
        with self.client(on_refused=lambda *what: refused.append(what)) as client:
            client.submit("questionnaire", "nps", {"score": 99}, client_id="refused")
            client.submit("questionnaire", "nothing", {"score": 9}, client_id="refused")
            client.answer("mood", "0", client_id="refused")
            client.answer("mood", "1", client_id="refused")
            client.track("", client_id="refused")
            self.assertTrue(client.flush())
        self.assertEqual([(path, status) for path, _, status, _ in refused], [
            ("questionnaires/nps/responses", 422), ("questionnaires/nothing/responses", 404), ("responses", 409),
            ("events", 200)])
        self.assertEqual(refused[0][1]["answers"], {"score": 99})
        self.assertEqual(refused[0][3]["errors"][0]["code"], "range")
        self.assertEqual(client.counts, {"accepted": 1, "refused": 4, "dropped": 0, "duplicate": 0})
        self.assertEqual(self.files(), [])

    def test_an_event_that_refuses_its_request_takes_no_other_with_it(self):
        with self.offline() as offline:
            for number in range(9):
                offline.track(f"beside_{number}", client_id="x" * 200 if number == 4 else "beside")
        with self.client() as client:
            self.assertTrue(client.flush())
        counts = behaviour(self.daemon)
        self.assertEqual([counts[f"beside_{number}"] for number in range(9)], [1, 1, 1, 1, 0, 1, 1, 1, 1])
        self.assertEqual((client.counts["accepted"], client.counts["refused"]), (8, 1))

    def test_a_wrong_clock_loses_no_event(self):
        with self.client() as client:
            for name, at in (("clock_back", "1970-01-02T00:00:00Z"), ("clock_ahead", "2099-01-01T00:00:00Z")):
                client.record("behavior", name=name, at=at)
            self.assertTrue(client.flush())
        self.assertEqual(client.counts["accepted"], 2)
        counts = behaviour(self.daemon)
        self.assertEqual((counts["clock_back"], counts["clock_ahead"]), (1, 1))

    def test_an_event_above_a_rate_limit_is_sent_again(self):
        with Gateway(self.daemon) as gateway, self.offline() as offline:
            gateway.faults = [(200, {}, json.dumps({"accepted": 1, "duplicates": 0, "rejected": [
                {"index": 0, "code": "rate_limited", "message": "too many"}]}).encode())]
            offline.track("limited_first")
            offline.track("limited_second")
            offline.close(0)
            with self.client(gateway.url) as client:
                while gateway.faults:
                    client.flush(0.05)
                self.assertTrue(client.flush())
        self.assertEqual(client.counts["refused"], 0)
        self.assertEqual([[json.loads(line)["name"] for line in body.splitlines()] for _, _, body in gateway.requests],
                         [["limited_first", "limited_second"], ["limited_first"]])

    def test_one_request_is_in_flight(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
            def work(thread):
                for number in range(20):
                    client.track(f"flight_{thread}_{number}")
                    client.submit("questionnaire", "nps", {"score": 5}, client_id=f"flight-{thread}-{number}")
            threads = [threading.Thread(target=work, args=(thread,)) for thread in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertTrue(client.flush())
        self.assertEqual(gateway.most_open, 1)
        self.assertEqual(sum(count for name, count in behaviour(self.daemon).items() if "flight" in name), 80)
        self.assertEqual(client.counts["accepted"], 160)


class CallTests(ClientTest):
    def test_calls_do_not_wait_for_the_network(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
            gateway.faults = ["hold"]
            client.track("held_first")
            gateway.is_held.wait()
            # The request is held until all calls have returned.
            for number in range(100):
                client.track(f"held_{number}")
            client.submit("questionnaire", "nps", {"score": 5}, client_id="held")
            self.assertEqual(len(self.waiting()), 102)
            gateway.release.set()
            self.assertTrue(client.flush())
        self.assertEqual(sum(count for name, count in behaviour(self.daemon).items() if "held_" in name), 101)

    def test_calls_raise_no_error(self):
        def fail(path, body):
            raise ValueError("a fault of the program")

        with self.client(before_send=fail) as client, self.assertLogs("bellwether_client", "WARNING"):
            client.track("raising")
            self.assertIsNone(client.answer("mood", "0"))
        with self.client() as client, self.assertLogs("bellwether_client", "WARNING"):
            client.track("raising", {"not": object()})
            client.track("raising", {"number": float("nan")})
            client.submit("questionnaire", "nps", 5 + 5j)
        self.assertEqual(client.counts["dropped"], 3)
        self.assertEqual(behaviour(self.daemon)["raising"], 0)

    def test_a_folder_that_cannot_be_written_loses_nothing_while_the_program_runs(self):
        file = self.folder / "file"
        file.write_text("")
        with self.client(folder=file) as client, self.assertLogs("bellwether_client", "WARNING"):
            client.track("unwritten", client_id="unwritten")
            client.submit("questionnaire", "nps", {"score": 5}, client_id="unwritten")
            self.assertTrue(client.client_id)
        self.assertEqual(client.counts["accepted"], 2)
        self.assertEqual(behaviour(self.daemon)["unwritten"], 1)

    def test_records_are_stored_before_a_call_returns(self):
        with self.offline() as client:
            client.track("stored", client_id="a")
            identity = client.answer("mood", "0", client_id="a")
            self.assertEqual([body.get("name", body.get("message")) for body in self.waiting()], ["stored", "mood"])
            self.assertEqual(self.waiting()[1]["id"], identity)
            self.assertEqual(os.stat(self.folder / "trails").st_mode & 0o077, 0, "others may read the folder")
            self.assertEqual(os.stat(self.files()[0]).st_mode & 0o077, 0, "others may read the queue")
        self.assertEqual(len(self.waiting()), 2, "a close keeps what was not sent")

    def test_before_send_changes_and_drops(self):
        def redact(path, body):
            return None if body.get("name") == "secret" else {**body, "client_id": "redacted"}

        with self.client(before_send=redact) as client:
            client.track("secret")
            client.track("redacted_event", client_id="somebody")
        self.assertEqual([one["client_id"] for one in records(self.daemon) if one["name"] == "redacted_event"],
                         ["redacted"])
        self.assertEqual(behaviour(self.daemon)["secret"], 0)

    def test_nothing_is_stored_without_consent(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url, consent=False) as client:
            client.track("no_consent")
            client.identify("somebody")
            self.assertIsNone(client.submit("questionnaire", "nps", {"score": 9}))
            self.assertTrue(client.flush())
            self.assertEqual((list(self.folder.iterdir()), gateway.requests), ([], []))
            client.consent(True)
            client.track("after_consent")
            self.assertTrue(client.flush())
        self.assertEqual((behaviour(self.daemon)["no_consent"], behaviour(self.daemon)["after_consent"]), (0, 1))

    def test_a_withdrawal_deletes_what_is_stored(self):
        with self.offline() as client:
            client.track("withdrawn")
            client.submit("questionnaire", "nps", {"score": 9})
            self.assertEqual(len(self.waiting()), 2)
            client.consent(False)
            self.assertEqual(list((self.folder / "trails").iterdir()), [])
            client.track("withdrawn")
            self.assertEqual(list((self.folder / "trails").iterdir()), [])

    def test_identify_is_sent_once_and_changes_users(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
            first = client.client_id
            self.assertIsNone(client.user_id)
            for user in ("ada", "ada", "bob"):
                client.identify(user)
            self.assertTrue(client.flush())
            self.assertEqual([json.loads(body)["user_id"] for _, _, body in gateway.requests], ["ada", "bob"])
            self.assertEqual((client.client_id, client.user_id), (first, "bob"))
        with self.client() as again:
            self.assertEqual((again.client_id, again.user_id), (first, "bob"), "the folder keeps who it is")
            again.reset()
            self.assertNotEqual(again.client_id, first)
            self.assertIsNone(again.user_id)

    def test_a_refused_user_is_nobody(self):
        with Gateway(self.daemon) as gateway, self.client(gateway.url) as client:
            gateway.faults = [(403, PROBLEM, b'{"errors": []}')]
            client.identify("eve")
            self.assertTrue(client.flush())
            self.assertIsNone(client.user_id)

    def test_the_first_id_of_a_folder_counts_for_all(self):
        clients = [self.client() for _ in range(8)]
        barrier = threading.Barrier(len(clients))
        ids = []

        def ask(client):
            barrier.wait()
            ids.append(client.client_id)

        threads = [threading.Thread(target=ask, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(ids)), 1)

    def test_a_loop_goes_on_while_asyncio_waits(self):
        async def main():
            async with self.client(gateway.url) as client:
                gateway.faults = ["hold"]
                client.track("async_event")
                flush = asyncio.ensure_future(client.flush_async(600))
                # The gateway answers only after this coroutine has run beside the flush.
                while not gateway.is_held.is_set():
                    await asyncio.sleep(0)
                self.assertFalse(flush.done())
                gateway.release.set()
                self.assertTrue(await flush)

        with Gateway(self.daemon) as gateway:
            asyncio.run(main())
        self.assertEqual(behaviour(self.daemon)["async_event"], 1)

    def test_the_test_client_keeps_records(self):
        with TestClient() as client:
            client.track("tested", {"distance": 1})
            client.submit("survey", "habits", {"snack": "Bread"}, client_id="other")
            client.identify("ada")
            self.assertEqual((client.client_id, client.user_id), ("test", "ada"))
        event = client.records[0][1]
        self.assertEqual((event["client_id"], event["name"], event["properties"]), ("test", "tested", {"distance": 1}))
        self.assertEqual([path for path, _ in client.records], ["events", "surveys/habits/responses", "identify"])
        self.assertEqual(client.records[1][1]["client_id"], "other")
        self.assertFalse(os.path.exists("queue") or list(pathlib.Path().glob("queue-*")))


class QueueTests(ClientTest):
    def test_the_next_process_sends_what_is_left(self):
        with self.offline() as offline:
            offline.track("left_behind")
            offline.submit("questionnaire", "nps", {"score": 2}, client_id="left")
        with self.client() as client:
            self.assertTrue(client.flush())
        self.assertEqual(behaviour(self.daemon)["left_behind"], 1)
        self.assertEqual(respondents(self.daemon, "questionnaires", "nps")["left"], 1)
        self.assertEqual(self.files(), [])

    def test_a_cut_line_spoils_no_other(self):
        with self.offline() as offline:
            offline.track("before_cut")
        with open(self.files()[0], "ab") as file:
            file.write(b'\n{"id":"cut","path":"events","rank":0,"body":{"type"')
        adopted = bellwether_client._Queue.adopt(self.files()[0])
        adopted.append(bellwether_client._Record("after", "events", 0, json.dumps(
            {"type": "behavior", "name": "after_cut", "client_id": "c", "id": "after-cut"}).encode()))
        adopted.close()
        with self.client() as client:
            self.assertTrue(client.flush())
        self.assertEqual((behaviour(self.daemon)["before_cut"], behaviour(self.daemon)["after_cut"]), (1, 1))

    def test_a_full_queue_drops_behaviour_first_and_answers_never(self):
        with self.offline() as client:
            for number in range(200):
                client.submit("questionnaire", "nps", {"score": 1}, client_id=f"full-{number}")
                client.record("message", action="displayed", message="mood", client_id=f"full-{number}")
            for number in range(8000):
                client.track(f"full_{number}", {"text": "x" * 100})
                if number % 500 == 0:
                    self.assertLessEqual(self.files()[0].stat().st_size, bellwether_client.QUEUE_BYTES + 1000)
            self.assertEqual(len(self.files()), 1)
            waiting = self.waiting()
        names = [body["name"] for body in waiting if body.get("type") == "behavior"]
        self.assertEqual(sum("answers" in body for body in waiting), 200)
        self.assertEqual(sum(body.get("type") == "message" for body in waiting), 200)
        self.assertEqual(names, [f"full_{number}" for number in range(8000 - len(names), 8000)], "the newest stay")
        self.assertEqual(client.counts["dropped"], 8000 - len(names))
        self.assertGreater(len(names), 1000)

    def test_answers_beyond_the_limit_are_kept(self):
        with self.offline() as client:
            for number in range(1500):
                client.submit("survey", "habits", {"snack": "x" * 1000}, client_id=f"much-{number}")
            client.track("much_event")
            self.assertEqual(len({body["client_id"] for body in self.waiting() if "answers" in body}), 1500)

    def test_a_disk_that_takes_nothing_keeps_the_limit_in_memory(self):
        file = self.folder / "file"
        file.write_text("")
        with self.offline(folder=file) as client, self.assertLogs("bellwether_client", "WARNING"):
            for number in range(6000):
                client.track(f"memory_{number}", {"text": "x" * 200})
            self.assertLessEqual(client._own.bytes, bellwether_client.QUEUE_BYTES)
            self.assertLessEqual(sum(map(len, client._own.unwritten)), 2 * bellwether_client.QUEUE_BYTES)
            self.assertGreater(client.counts["dropped"], 0)

    def test_a_file_in_use_is_not_adopted(self):
        with self.offline() as offline, Gateway(self.daemon) as gateway:
            offline.track("in_use")
            with self.client(gateway.url) as client:
                self.assertTrue(client.flush())
            self.assertEqual(gateway.requests, [])
            self.assertEqual(len(self.waiting()), 1)

    def test_a_forked_child_sends_its_own_records_only(self):
        with Gateway(self.daemon) as gateway:
            client = self.client(gateway.url)
            gateway.faults = ["hold"]
            client.track("fork_parent")
            gateway.is_held.wait()
            reader, writer = os.pipe()
            if (pid := os.fork()) == 0:
                # The child has no thread of the parent, whose request is held.
                client.track("fork_child")
                is_sent = client.close()
                os.write(writer, b"sent" if is_sent else b"not sent")
                os._exit(0)
            os.close(writer)
            self.assertEqual(os.read(reader, 100), b"sent")
            os.close(reader)
            os.waitpid(pid, 0)
            self.assertEqual([json.loads(body)["name"] for _, _, body in gateway.requests],
                             ["fork_parent", "fork_child"])
            gateway.release.set()
            self.assertTrue(client.close())
        counts = behaviour(self.daemon)
        self.assertEqual((counts["fork_parent"], counts["fork_child"]), (1, 1))


class Signal:
    """An event of a thread without time: it notes how long it was to wait, and returns at once."""

    def __init__(self, is_set=True):
        self.waits, self.flag = [], is_set

    def wait(self, seconds=None):
        self.waits.append(seconds)
        return self.flag

    def set(self):
        self.flag = True

    def clear(self):
        pass

    def is_set(self):
        return self.flag


class PauseTests(ClientTest):
    """The pauses between rounds, with a clock that stands still."""

    def pauses(self, faults, **options):
        """Runs the thread's loop until all faults are used, and returns the waits for backoff and for Retry-After."""
        with Gateway(self.daemon) as gateway:
            client = self.client(gateway.url, **options)
            gateway.faults = list(faults)
            run = client._run
            run.thread = threading.current_thread()
            run.has_work, run.is_urgent, run.is_over = Signal(), Signal(), Signal(False)
            client.track("paused")

            def is_over():
                return not gateway.faults and run.is_idle.is_set()

            run.is_over.is_set = is_over
            with mock.patch("bellwether_client.time.monotonic", return_value=1000.0), \
                    mock.patch("bellwether_client.random.uniform", side_effect=lambda low, high: high):
                client._send_rounds(run)
            self.assertEqual(self.waiting(), [])
            return run.is_urgent.waits, run.is_over.waits

    def test_pauses_double_up_to_five_minutes(self):
        waits, floors = self.pauses([(503, PROBLEM, b"{}")] * 11)
        self.assertEqual(waits[:12], [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        self.assertEqual(set(floors), {0})

    def test_a_pause_after_success_is_the_interval(self):
        waits, _ = self.pauses([], interval=7)
        self.assertEqual(waits, [0, 7])

    def test_retry_after_is_kept_even_if_a_flush_is_urgent(self):
        date = "Thu, 01 Jan 2037 00:00:00 GMT"
        with mock.patch("bellwether_client.time.time", return_value=2114380800.0 - 90):
            _, floors = self.pauses([
                (503, {**PROBLEM, "Retry-After": "120"}, b"{}"), (429, {**PROBLEM, "Retry-After": date}, b"{}"),
                (503, {**PROBLEM, "Retry-After": "99999999"}, b"{}"), (503, {**PROBLEM, "Retry-After": "soon"}, b"{}")])
        self.assertEqual(floors[:5], [0, 120, 90, 3600, 0])


class LimitTests(ClientTest):
    settings = support.SETTINGS + "limits: {rate: {client_per_second: 2, client_burst: 1}}\n"

    def test_events_above_a_rate_limit_are_sent_again(self):
        with self.client() as client:
            for number in range(6):
                client.track(f"limited_{number}", client_id="limited")
                client.flush(0)
            while not client.flush(0.05):
                pass
        self.assertEqual(client.counts["accepted"], 6)
        self.assertEqual(client.counts["refused"], 0)
        counts = behaviour(self.daemon)
        self.assertEqual([counts[f"limited_{number}"] for number in range(6)], [1] * 6)


if __name__ == "__main__":
    unittest.main()
