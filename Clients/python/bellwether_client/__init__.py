"""Sends events and answers from Python programs to a Bellwether daemon.

Each record is in a file before a call returns, and leaves the file when the daemon has accepted or refused it. Calls
never raise an error and never wait for the network. docs/python.md describes the rules. The module needs Python 3.9,
a POSIX system and the standard library.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import email.utils
import fcntl
import http.client
import itertools
import json
import logging
import os
import pathlib
import random
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import weakref
from datetime import datetime, timezone
from typing import Any, Callable, Counter, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

__all__ = ["Client", "TestClient"]
__version__ = "0.2.0"

Body = Dict[str, Any]

QUEUE_BYTES = 1_000_000
BATCH_EVENTS = 500
BATCH_BYTES = 200_000
REQUEST_SECONDS = 15.0
LONGEST_BACKOFF = 300.0
LONGEST_RETRY_AFTER = 3600.0

_log = logging.getLogger("bellwether_client")
# Guards the queues of all clients. A fork waits for it, so that no file is half opened in the child.
_lock = threading.RLock()
_clients: "weakref.WeakSet[Client]" = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for client in list(_clients):
        client._forget_parent()
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_after_fork_in_child)


class _Record(NamedTuple):
    """A request, or an event, that waits. Its id lets the daemon recognize a repetition."""

    id: str
    path: str
    rank: int
    """The order in which a full queue drops records: 0 behaviour, 1 other events. It never drops the rest."""
    body: bytes

    @property
    def line(self) -> bytes:
        head = _dump({"id": self.id, "path": self.path, "rank": self.rank})
        return b"\n%s,\"body\":%s}\n" % (head[:-1], self.body)


class _Queue:
    """The records of one file, which the lock of the file assigns to one process.

    The file is only appended to: a line for each record, and a line for the ids that are settled. A line break stands
    before each line, too, so that a line that a full disk or a kill has cut spoils no other line.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.records: Dict[str, _Record] = {}
        self.bytes = 0
        self.file: Optional[int] = None
        self.path = folder
        self.file_bytes = 0
        self.compact_above = QUEUE_BYTES
        self.unwritten: List[bytes] = []
        self.is_closed = False

    @classmethod
    def adopt(cls, path: pathlib.Path) -> Optional[_Queue]:
        """Opens a file whose process has ended; none if the process lives or the file is gone."""
        try:
            file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file).st_nlink == 0:
                raise OSError("the file was moved")
            with open(path, "rb") as reader:
                content = reader.read()
        except OSError:
            os.close(file)
            return None
        queue = cls(path.parent)
        queue.file, queue.path, queue.file_bytes = file, path, len(content)
        for line in content.split(b"\n"):
            queue._read(line)
        queue.bytes = sum(len(record.line) for record in queue.records.values())
        return queue

    def _read(self, line: bytes) -> None:
        try:
            value = json.loads(line)
            for settled in value.get("done", []):
                self.records.pop(settled, None)
            if "id" in value:
                record = _Record(value["id"], value["path"], value["rank"], _dump(value["body"]))
                self.records[record.id] = record
        except (ValueError, KeyError, TypeError, AttributeError):
            # An empty line, or one that was cut.
            return

    def append(self, record: _Record) -> int:
        """Adds a record, and returns the number of records that the full queue has dropped."""
        line = record.line
        self.records[record.id] = record
        self.bytes += len(line)
        self._write(line)
        return self._compact() if max(self.bytes, self.file_bytes) > self.compact_above else 0

    def settle(self, records: List[_Record]) -> int:
        """Removes records that the daemon has accepted or refused, and returns how many of them were dropped before."""
        if self.is_closed:
            return 0
        known = [record for record in records if self.records.pop(record.id, None)]
        self.bytes -= sum(len(record.line) for record in known)
        if self.records:
            self._write(b"\n%s\n" % _dump({"done": [record.id for record in records]}))
        else:
            self.unwritten, self.compact_above = [], QUEUE_BYTES
            if self.file is not None:
                os.ftruncate(self.file, 0)
                self.file_bytes = 0
        return len(records) - len(known)

    def close(self, is_deleted: bool = False) -> None:
        """Leaves the file to other processes. Without records, the file is deleted."""
        self.is_closed = True
        if self.file is not None and (is_deleted or not self.records):
            self.path.unlink(missing_ok=True)
        self.leave()

    def leave(self) -> None:
        """Closes the file, and nothing else. The parent of a forked process still has the lock."""
        if self.file is not None:
            os.close(self.file)
            self.file = None

    def _write(self, line: bytes) -> None:
        """Appends a line, after those that the disk has not taken yet."""
        self.unwritten.append(line)
        try:
            if self.file is None:
                self.file, self.path = self._create()
                self.file_bytes = 0
            data = b"".join(self.unwritten)
            written = os.write(self.file, data)
            self.file_bytes += written
            if written == len(data):
                self.unwritten = []
        except OSError:
            # The records are in memory, and are written together with the next line.
            return

    def _create(self) -> Tuple[int, pathlib.Path]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        while True:
            path = self.folder / f"queue-{os.getpid()}-{secrets.token_hex(4)}.ndjson"
            file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(file).st_nlink == 1:
                    return file, path
            except BlockingIOError:
                # Another process looks for orphans at this moment.
                pass
            os.close(file)

    def _compact(self) -> int:
        """Moves the records to a new file, without those that are settled or, beyond three quarters of the limit, may
        be dropped."""
        dropped = 0
        for record in sorted(self.records.values(), key=lambda record: record.rank):
            if self.bytes <= QUEUE_BYTES * 3 // 4 or record.rank == 2:
                break
            del self.records[record.id]
            self.bytes -= len(record.line)
            dropped += 1
        # The old file is deleted last: after a kill the records are in one of the files, or in both.
        new = _Queue(self.folder)
        new._write(b"".join(record.line for record in self.records.values()))
        if new.unwritten:
            self.unwritten = new.unwritten
            new.close()
        else:
            path, file = self.path, self.file
            self.path, self.file, self.file_bytes, self.unwritten = new.path, new.file, new.file_bytes, []
            if file is not None:
                path.unlink(missing_ok=True)
                os.close(file)
        self.compact_above = max(QUEUE_BYTES, max(self.bytes, self.file_bytes) + QUEUE_BYTES // 4)
        return dropped


class _Run:
    """The signals of one sending thread. A new thread gets new ones, so no fork can leave them locked."""

    def __init__(self) -> None:
        self.thread: Optional[threading.Thread] = None
        self.has_work, self.is_urgent = threading.Event(), threading.Event()
        self.is_idle, self.is_over = threading.Event(), threading.Event()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected POST would become a GET, whose 200 says nothing of the records."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _retry_after(header: Optional[str]) -> float:
    """The seconds that a header Retry-After asks for: a number or a date."""
    try:
        if header is None:
            return 0.0
        wait = float(header) if header.isdigit() else (
            email.utils.parsedate_to_datetime(header).timestamp() - time.time())
        return min(max(wait, 0.0), LONGEST_RETRY_AFTER)
    except (ValueError, TypeError, OverflowError):
        return 0.0


class Client:
    """Sends events and answers of one app to a daemon.

    `folder` keeps the records that wait, and the generated client id; several processes may use it. `before_send` gets
    the path and the body of a record, and returns the body to send, or None to drop it. `on_refused` gets the path, the
    body, the status and the daemon's answer for each record that the daemon refuses. `interval` is the shortest time in
    seconds between two rounds of sending.
    """

    def __init__(
        self, address: str, app: str, *, folder: Union[str, "os.PathLike[str]"], token: Optional[str] = None,
        client_id: Optional[str] = None, consent: bool = True, interval: float = 1.0,
        before_send: Optional[Callable[[str, Body], Optional[Body]]] = None,
        on_refused: Optional[Callable[[str, Body, int, Any], None]] = None,
    ) -> None:
        self.counts: Counter[str] = collections.Counter()
        """The number of records that were accepted, duplicate, refused and dropped, in this process."""
        self._root = f"{address.rstrip('/')}/v1/apps/{urllib.parse.quote(app, safe='')}/"
        self._folder = pathlib.Path(folder) / urllib.parse.quote(app, safe="")
        self._token, self._interval = token, interval
        self._before_send, self._on_refused = before_send, on_refused
        self._is_allowed = consent
        self._fixed_client_id = client_id
        self._identity: Body = {}
        self._undated: Dict[str, bytes] = {}
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._begin()
        _clients.add(self)

    def _begin(self) -> None:
        self._own = _Queue(self._folder)
        self._adopted: List[_Queue] = []
        self._run = _Run()

    def _forget_parent(self) -> None:
        """Begins anew in a forked process: the records of the parent are the parent's to send."""
        for queue in [self._own, *self._adopted]:
            queue.leave()
        self._begin()

    # Who

    @property
    def client_id(self) -> str:
        """The id of calls that name none: that of the constructor, or 128 random bits that the folder keeps."""
        return str(self._who()["client_id"])

    @property
    def user_id(self) -> Optional[str]:
        """The user with whom the client of this program is identified."""
        user: Optional[str] = self._who().get("user_id")
        return user

    def _who(self) -> Body:
        with _lock:
            if not self._identity:
                try:
                    self._identity = json.loads((self._folder / "identity.json").read_text())
                except (OSError, ValueError):
                    self._remember({})
            if self._fixed_client_id is not None and self._identity.get("client_id") != self._fixed_client_id:
                self._remember({"client_id": self._fixed_client_id})
            return self._identity

    def _remember(self, identity: Body) -> None:
        """Keeps who this is. If another process has chosen the first id at the same time, that id counts."""
        self._identity = identity or {"client_id": secrets.token_hex(16)}
        if not self._is_allowed:
            return
        path, new = self._folder / "identity.json", self._folder / f"identity-{secrets.token_hex(4)}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            new.write_text(json.dumps(self._identity))
            if identity:
                os.replace(new, path)
                return
            try:
                os.link(new, path)
            except FileExistsError:
                self._identity = json.loads(path.read_text())
        except (OSError, ValueError):
            # The id is in memory only.
            return
        finally:
            with contextlib.suppress(OSError):
                new.unlink()

    def identify(self, user_id: str, *, user_proof: Optional[str] = None, client_id: Optional[str] = None) -> None:
        """Says that a client, by default that of this program, belongs to a user. A repetition sends nothing."""
        try:
            if client_id is None and self._is_allowed:
                if self.user_id == user_id:
                    return
                self._remember({"client_id": self.client_id, "user_id": user_id})
            self._enqueue("identify", {"user_id": user_id, "user_proof": user_proof}, client_id)
        except Exception:
            self._drop("identify")

    def reset(self) -> None:
        """Forgets the user and the generated client id. What waits is still sent."""
        with _lock:
            self._remember({"client_id": self._fixed_client_id or secrets.token_hex(16)})

    def consent(self, given: bool) -> None:
        """Gives or withdraws consent. Without it nothing is stored or sent; a withdrawal deletes what this process has
        stored."""
        with _lock:
            self._is_allowed = given
            if given:
                return
            self._end(is_deleted=True)
            self._identity = {}
            (self._folder / "identity.json").unlink(missing_ok=True)

    # What is sent

    def track(
        self, name: str, properties: Optional[Mapping[str, Any]] = None, *, count: int = 1,
        client_id: Optional[str] = None,
    ) -> None:
        """Records a behaviour event."""
        self.record("behavior", client_id=client_id, name=name, count=count, properties=properties)

    def record(self, type: str, *, client_id: Optional[str] = None, **fields: Any) -> None:
        """Records an event of any type that docs/reference/events.md#event-types lists, such as `message`."""
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._enqueue("events", {"type": type, "at": now, **fields}, client_id)

    def answer(
        self, message: str, option: str, *, revision: Optional[int] = None, locale: Optional[str] = None,
        client_id: Optional[str] = None,
    ) -> Optional[str]:
        """Answers a microsurvey. Returns the id of the record; None if it was dropped."""
        body = {"message": message, "option": option, "revision": revision, "locale": locale}
        return self._enqueue("responses", body, client_id)

    def submit(
        self, kind: str, slug: str, answers: Mapping[str, Any], *, is_complete: bool = True,
        client_id: Optional[str] = None, **members: Any,
    ) -> Optional[str]:
        """Saves answers to a `questionnaire` or a `survey`. `members` are further ones of a save, such as `round`."""
        library = {"sdk_name": "bellwether-python", "sdk_version": __version__}
        body = {**library, "answers": answers, "is_complete": is_complete, **members}
        return self._enqueue(f"{kind}s/{urllib.parse.quote(slug, safe='')}/responses", body, client_id)

    def _enqueue(self, path: str, body: Body, client_id: Optional[str]) -> Optional[str]:
        """Puts a record into the file. It never raises an error: a program does not fail because of its events."""
        try:
            if not self._is_allowed:
                return None
            identity = secrets.token_hex(16)
            ready: Optional[Body] = {
                "client_id": client_id or self.client_id,
                **{name: value for name, value in body.items() if value is not None},
                **({"id": identity} if path in ("events", "responses") else {}),
            }
            if self._before_send is not None and ready is not None:
                ready = self._before_send(path, ready)
            if ready is None:
                return None
            rank = 2 if path != "events" else 0 if ready["type"] == "behavior" else 1
            self._keep(_Record(identity, path, rank, _dump(ready)))
            return identity
        except Exception:
            self._drop(path)
            return None

    def _keep(self, record: _Record) -> None:
        with _lock:
            self.counts["dropped"] += self._own.append(record)
            is_on_disk = not self._own.unwritten
            self._start()
        if not is_on_disk:
            _log.warning("the disk takes no records; they are in memory until it does")

    def _drop(self, path: str) -> None:
        self.counts["dropped"] += 1
        _log.warning("a record of %s is dropped", path, exc_info=True)

    # Sending

    def _start(self) -> None:
        """Wakes the thread. The first use after the start, a fork or a close starts it."""
        run = self._run
        run.has_work.set()
        if run.thread is None:
            run.thread = threading.Thread(target=self._send_rounds, args=(run,), name="bellwether", daemon=True)
            run.thread.start()

    def flush(self, timeout: float = 10.0) -> bool:
        """Sends what waits, also what ended processes have left. Returns whether all of it was sent in time."""
        if not self._is_allowed:
            return True
        with _lock:
            run = self._run
            run.is_idle.clear()
            run.is_urgent.set()
            self._start()
        return run.is_idle.wait(timeout)

    def close(self, timeout: float = 10.0) -> bool:
        """Flushes, and ends the thread. What was not sent in time stays in the folder for the next process."""
        is_sent = self.flush(timeout)
        with _lock:
            self._end()
        return is_sent

    async def flush_async(self, timeout: float = 10.0) -> bool:
        """Flushes without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, self.flush, timeout)

    async def close_async(self, timeout: float = 10.0) -> bool:
        """Closes without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, self.close, timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_async()

    def _end(self, is_deleted: bool = False) -> None:
        run, queues = self._run, [self._own, *self._adopted]
        self._begin()
        run.is_over.set()
        run.is_urgent.set()
        run.has_work.set()
        for queue in queues:
            queue.close(is_deleted)

    def _send_rounds(self, run: _Run) -> None:
        """Sends until the run is over. After a failure the pauses double, up to five minutes; a flush ends a pause, but
        not the time that the daemon has asked for."""
        failures, next_round, not_before = 0, 0.0, 0.0
        while True:
            run.has_work.wait()
            run.is_urgent.wait(max(0.0, next_round - time.monotonic()))
            run.is_urgent.clear()
            run.is_over.wait(max(0.0, not_before - time.monotonic()))
            if run.is_over.is_set():
                return
            run.has_work.clear()
            accepted = self.counts["accepted"]
            try:
                wait = self._send_round(run)
            except Exception:
                _log.warning("sending failed", exc_info=True)
                wait = 0.0
            now = time.monotonic()
            if wait is None:
                failures, next_round = 0, now + self._interval
                continue
            if self.counts["accepted"] > accepted:
                failures = 0
            backoff = min(LONGEST_BACKOFF, 2.0 ** min(failures, 20)) * random.uniform(0.5, 1.0)
            failures, next_round, not_before = failures + 1, now + max(backoff, wait), now + wait
            run.has_work.set()

    def _send_round(self, run: _Run) -> Optional[float]:
        """Sends all records in their order. Returns None if all are settled, else the seconds to wait at least."""
        self._adopt(run)
        while not run.is_over.is_set():
            with _lock:
                if run is not self._run:
                    return None
                queue, batch = self._next_batch()
                if not batch:
                    run.is_idle.set()
                    return None
            wait = self._send(queue, batch)
            if wait is not None:
                return wait
        return None

    def _adopt(self, run: _Run) -> None:
        """Takes over the files of processes that have ended."""
        with _lock:
            if run is not self._run:
                return
            for path in sorted(self._folder.glob("queue-*.ndjson")):
                queue = None if path in [each.path for each in (self._own, *self._adopted)] else _Queue.adopt(path)
                if queue is not None and queue.records:
                    self._adopted.append(queue)
                elif queue is not None:
                    queue.close()

    def _next_batch(self) -> Tuple[_Queue, List[_Record]]:
        """The oldest request, or the events up to the next one that is no event."""
        for queue in [each for each in self._adopted if not each.records]:
            queue.close()
            self._adopted.remove(queue)
        queue = self._adopted[0] if self._adopted else self._own
        batch: List[_Record] = []
        size = 0
        for record in itertools.islice(queue.records.values(), BATCH_EVENTS):
            size += len(record.body)
            if batch and (record.path != "events" or batch[0].path != "events" or size > BATCH_BYTES):
                break
            batch.append(record)
        return queue, batch

    def _send(self, queue: _Queue, batch: List[_Record]) -> Optional[float]:
        """Sends a request. Returns None if its records are settled, else the seconds to wait at least."""
        path = batch[0].path
        if path == "events":
            body = b"\n".join(self._undated.get(record.id, record.body) for record in batch)
            status, answer, wait = self._post(path, body, {"Content-Type": "application/x-ndjson"})
        else:
            status, answer, wait = self._post(
                path, batch[0].body, {"Content-Type": "application/json", "Idempotency-Key": batch[0].id})
        # A page of a proxy is no answer of the daemon.
        is_answer = isinstance(answer, dict)
        if 200 <= status < 300 and is_answer and path == "events" and "rejected" in answer:
            return self._settle_events(queue, batch, answer)
        if 200 <= status < 300 and is_answer and path != "events":
            self._settle(queue, batch, "accepted")
            return None
        # 401: a token that is being replaced, or that the operator has to correct.
        is_final = 400 <= status < 500 and status not in (401, 408, 425, 429) and (is_answer or status == 413)
        if not is_final:
            return wait
        if len(batch) == 1:
            self._refuse(queue, batch[0], status, answer)
            return None
        # One event that is no event, or too large, refuses the request; the others are sent without it.
        for half in (batch[:len(batch) // 2], batch[len(batch) // 2:]):
            rest = self._send(queue, half)
            if rest is not None:
                return rest
        return None

    def _settle_events(self, queue: _Queue, batch: List[_Record], answer: Body) -> Optional[float]:
        rejected = {fault["index"]: fault for fault in answer["rejected"]}
        self.counts["duplicate"] += answer.get("duplicates", 0)
        self.counts["accepted"] -= answer.get("duplicates", 0)
        taken: List[_Record] = []
        undated: List[_Record] = []
        is_limited = False
        for index, record in enumerate(batch):
            code = rejected[index]["code"] if index in rejected else None
            if code == "rate_limited":
                is_limited = True
            elif code in ("future", "too_old") and record.id not in self._undated:
                # The clock of this machine is wrong. Without a time the event counts as one of now.
                self._undated[record.id] = _dump({k: v for k, v in json.loads(record.body).items() if k != "at"})
                undated.append(record)
            elif code is not None:
                self._refuse(queue, record, 200, rejected[index])
            else:
                taken.append(record)
        self._settle(queue, taken, "accepted")
        wait = self._send(queue, undated) if undated else None
        return 0.0 if is_limited else wait

    def _settle(self, queue: _Queue, records: List[_Record], outcome: str) -> None:
        with _lock:
            self.counts[outcome] += len(records)
            for record in records:
                self._undated.pop(record.id, None)
            if records:
                self.counts["dropped"] -= queue.settle(records)

    def _refuse(self, queue: _Queue, record: _Record, status: int, answer: Any) -> None:
        body: Body = json.loads(record.body)
        _log.warning("the daemon refuses a record of %s: %s %s", record.path, status, answer)
        self._settle(queue, [record], "refused")
        with _lock:
            if record.path == "identify" and self._identity == {k: body.get(k) for k in ("client_id", "user_id")}:
                self._remember({"client_id": body["client_id"]})
        if self._on_refused is not None:
            self._on_refused(record.path, body, status, answer)

    def _post(self, path: str, body: bytes, headers: Dict[str, str]) -> Tuple[int, Any, float]:
        """The status, the JSON and the seconds of Retry-After of the answer; the status 0 if there is none."""
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self._root + path, data=body, headers=headers, method="POST")
        try:
            try:
                response = self._opener.open(request, timeout=REQUEST_SECONDS)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                status, content = int(response.status), response.read()
                wait = _retry_after(response.headers.get("Retry-After"))
        except (OSError, http.client.HTTPException) as error:
            _log.debug("no answer to %s: %s", path, error)
            return 0, None, 0.0
        try:
            return status, json.loads(content), wait
        except ValueError:
            return status, None, wait


class TestClient(Client):
    """A client for tests of programs. It keeps records in `records` as (path, body), and sends and stores nothing."""

    __test__ = False

    def __init__(
        self, *, client_id: str = "test", consent: bool = True,
        before_send: Optional[Callable[[str, Body], Optional[Body]]] = None,
    ) -> None:
        super().__init__("", "", folder="", client_id=client_id, consent=consent, before_send=before_send)
        self.records: List[Tuple[str, Body]] = []

    def _remember(self, identity: Body) -> None:
        self._identity = identity or {"client_id": self._fixed_client_id}

    def _keep(self, record: _Record) -> None:
        self.records.append((record.path, json.loads(record.body)))

    def flush(self, timeout: float = 10.0) -> bool:
        return True
