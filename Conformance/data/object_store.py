"""An object store with the interface of S3 that checks signatures strictly, for tests. Only the standard library.

It verifies AWS Signature Version 4 over the target as it was sent, the hash of the body, and the date, and it knows
PUT, GET, HEAD, DELETE and lists, with If-None-Match and If-Match. As a program it prints its port on one line:

    python3 Conformance/data/object_store.py [--port N] [--folder DIR] [--bucket lake] [--region us-east-1]

As a module: `with ObjectStore() as store:` runs it on a thread. `store.environment` has the variables for a client.

Faults are ordered with `POST /-/faults`, a JSON list of objects with `kind` (or `store.fault(kind, …)`). Each is used
`count` times (1), -1 for ever, on the requests whose `method` and `key` (a part of the whole name) match; `after`
requests that match pass before:
    status      answers `status` with `code`, before anything is stored
    slow        waits `seconds` before anything is stored
    close       closes the connection instead of an answer; nothing is stored
    lose        does what was asked, then closes the connection instead of the answer
    truncate    sends a half of the body, then closes the connection
    redirect    answers 307 with `region`
    unsupported answers `status` (501) with `code` if the request has a precondition
    ignore      does not look at preconditions
`POST /-/clock` with {"seconds": N} moves the clock of the store. `GET /-/log` answers the requests with their status
and the reasons of refusals, `GET /-/objects` the keys with size and metadata, `GET /-/refused` the requests that the
verifier refused, and `DELETE /-/faults` removes faults and the log.
"""

import argparse
import base64
import email.utils
import hashlib
import hmac
import http.server
import json
import os
import re
import socket
import socketserver
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

UNRESERVED = "-._~"


class Refusal(Exception):
    """An answer that is an error."""

    def __init__(self, status, code, detail="", **elements):
        super().__init__(detail)
        self.status, self.code, self.elements = status, code, elements


def quoted(text, safe=""):
    return urllib.parse.quote(text, safe=UNRESERVED + safe)


class Verifier:
    """AWS Signature Version 4 for S3. `strict` also refuses what a server would put in order: a target that is not in
    canonical form, `Expect`, and a body whose length is not known."""

    # Some servers have another code.
    skew_code = "RequestTimeTooSkewed"

    def __init__(self, access_key, secret, token, region, strict):
        self.access_key, self.secret, self.token = access_key, secret, token
        self.region, self.strict = region, strict

    def check(self, method, target, headers, body, now):
        """Raises a Refusal. `headers` are pairs as they came."""
        names = [name.lower() for name, _ in headers]
        values = {}
        for name, value in headers:
            values.setdefault(name.lower(), []).append(" ".join(value.split()))
        match = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/, ]+)/(\d{8})/([^/]+)/s3/aws4_request, "
            r"SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})", values.get("authorization", [""])[0])
        if not match:
            raise Refusal(403, "AccessDenied", "no signature")
        access_key, day, region, signed, signature = match.groups()
        signed = signed.split(";")
        if access_key != self.access_key:
            raise Refusal(403, "InvalidAccessKeyId", "another access key")
        if region != self.region:
            raise Refusal(400, "AuthorizationHeaderMalformed", "another region", Region=self.region)
        self.check_tidy(names, values, signed, target)
        if values.get("x-amz-security-token", [None])[0] != self.token:
            raise Refusal(400, "InvalidToken", "another session token")
        date = values.get("x-amz-date", [""])[0]
        if not re.fullmatch(r"\d{8}T\d{6}Z", date) or not date.startswith(day):
            raise Refusal(403, "AccessDenied", "no proper date")
        when = calendar_seconds(date)
        sent_hash = values.get("x-amz-content-sha256", [""])[0]
        path, _, query = target.partition("?")
        pairs = sorted(tuple((pair + "=").split("=")[:2]) for pair in query.split("&") if pair)
        canonical = "\n".join(
            [method, path, "&".join(f"{name}={value}" for name, value in pairs)]
            + [f"{name}:{','.join(values[name])}" for name in signed]
            + ["", ";".join(signed), sent_hash])
        text = "\n".join(["AWS4-HMAC-SHA256", date, f"{day}/{region}/s3/aws4_request",
                          hashlib.sha256(canonical.encode("latin-1")).hexdigest()])
        key = ("AWS4" + self.secret).encode()
        for part in (day, region, "s3", "aws4_request", text):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        if not hmac.compare_digest(key.hex(), signature):
            raise Refusal(403, "SignatureDoesNotMatch", "the signature is wrong")
        if abs(when - now) > 900:
            raise Refusal(403, self.skew_code, f"the date differs by {when - now:.0f} s")
        if sent_hash != hashlib.sha256(body).hexdigest():
            raise Refusal(400, "XAmzContentSHA256Mismatch", "the hash is not the body's")

    def check_tidy(self, names, values, signed, target):
        """What must be signed, and the rules of `strict`."""
        for name in ["host", "x-amz-content-sha256", "x-amz-date"]:
            if name not in signed:
                raise Refusal(403, "AccessDenied", f"{name} is not signed")
        for name in names:
            if (name.startswith("x-amz-") or name in ("content-type", "content-md5")) and name not in signed:
                raise Refusal(403, "AccessDenied", f"{name} is not signed")
        for name in signed:
            if name not in values:
                raise Refusal(403, "AccessDenied", f"{name} is signed and was not sent")
        if signed != sorted(set(signed)):
            raise Refusal(403, "AccessDenied", "the signed headers are not in order")
        if not self.strict:
            return
        if len(set(names)) != len(names):
            raise Refusal(400, "InvalidRequest", "a header comes twice")
        if "expect" in names or "transfer-encoding" in names:
            raise Refusal(400, "InvalidRequest", "Expect or Transfer-Encoding was sent")
        path, mark, query = target.partition("?")
        if path != quoted(urllib.parse.unquote(path), "/"):
            raise Refusal(403, "SignatureDoesNotMatch", "the path is not encoded as it must be signed")
        pairs = [pair.partition("=") for pair in query.split("&")] if mark else []
        tidy = [(quoted(urllib.parse.unquote(name)), "=", quoted(urllib.parse.unquote(value)))
                for name, _, value in pairs]
        if pairs != sorted(tidy):
            raise Refusal(403, "SignatureDoesNotMatch", "the query is not encoded and sorted as it must be signed")


def calendar_seconds(date):
    import calendar
    return calendar.timegm(time.strptime(date, "%Y%m%dT%H%M%SZ"))


class Objects:
    """The objects of a bucket: key, (bytes, metadata, time). With a folder, each is a file of it too, and
    `.objects.json` beside them has the metadata."""

    def __init__(self, folder=None):
        self.lock = threading.RLock()
        self.folder = folder
        self.all = {}
        if folder:
            os.makedirs(folder, exist_ok=True)
            index = os.path.join(folder, ".objects.json")
            for key, (metadata, when) in (json.load(open(index)) if os.path.exists(index) else {}).items():
                with open(os.path.join(folder, key), "rb") as file:
                    self.all[key] = (file.read(), metadata, when)

    def get(self, key):
        return self.all.get(key)

    def put(self, key, body, metadata, when):
        if self.folder:
            path = os.path.normpath(os.path.join(self.folder, key))
            assert path.startswith(os.path.normpath(self.folder) + os.sep)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.write(path, body)
        self.all[key] = (body, metadata, when)
        self.save()

    def delete(self, key):
        if self.all.pop(key, None) and self.folder:
            os.unlink(os.path.join(self.folder, key))
            self.save()

    def save(self):
        if self.folder:
            index = {key: (metadata, when) for key, (_, metadata, when) in self.all.items()}
            self.write(os.path.join(self.folder, ".objects.json"), json.dumps(index).encode())

    def write(self, path, content):
        temporary = os.path.join(self.folder, ".temporary")
        with open(temporary, "wb") as file:
            file.write(content)
        os.rename(temporary, path)


def etag(body):
    return f'"{hashlib.md5(body).hexdigest()}"'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def handle_any(self):
        try:
            self.answer_any()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any

    def answer_any(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/-/"):
            return self.control()
        store = self.server.store
        entry = {"method": self.command, "target": self.path, "size": len(self.body), "peer": self.client_address[1],
                 "headers": {name.lower(): value for name, value in self.headers.items()}}
        entry["headers"].pop("authorization", None)
        self.fault = {}
        try:
            status, headers, body = self.checked_answer(store, entry)
        except Refusal as refusal:
            entry["reason"] = str(refusal)
            status, headers = refusal.status, {"Content-Type": "application/xml"}
            elements = {"Code": refusal.code, "Message": "words of the server, which no sentence may have",
                        **refusal.elements}
            inner = "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in elements.items())
            body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error>{inner}</Error>'.encode()
            if "Region" in refusal.elements:
                headers["x-amz-bucket-region"] = refusal.elements["Region"]
        entry["status"] = status
        with store.lock:
            store.log.append(entry)
        if self.fault.get("kind") in ("close", "lose"):
            return self.hang_up()
        self.send(status, headers, body, truncated=self.fault.get("kind") == "truncate")

    def checked_answer(self, store, entry):
        headers = list(self.headers.items())
        store.verifier.check(self.command, self.path, headers, self.body, store.now())
        key, query = self.place(store)
        self.fault = fault = store.take_fault(self.command, key or "") or {}
        entry["fault"] = fault.get("kind")
        kind = fault.get("kind")
        conditional = "If-Match" in self.headers or "If-None-Match" in self.headers
        if kind == "slow":
            time.sleep(fault.get("seconds", 1))
        elif kind == "status" or kind == "unsupported" and conditional:
            raise Refusal(fault.get("status", 501), fault.get("code", "NotImplemented"), "a fault was ordered")
        elif kind == "redirect":
            raise Refusal(307, "TemporaryRedirect", "a fault was ordered", Region=fault["region"])
        elif kind == "close":
            return 0, {}, b""
        if key is None:
            return self.list(store, query)
        with store.objects.lock:
            return getattr(self, "object_" + self.command.lower())(store.objects, key, kind == "ignore", store)

    def place(self, store):
        """The key (nil for the bucket) and the query."""
        path, _, query = self.path.partition("?")
        path = urllib.parse.unquote(path)[1:]
        host = self.headers["Host"]
        if host.startswith(store.bucket + "."):
            bucket, key = store.bucket, path
        else:
            bucket, _, key = path.partition("/")
        if bucket != store.bucket:
            raise Refusal(404, "NoSuchBucket", "another bucket")
        if not key and self.command != "GET":
            raise Refusal(405, "MethodNotAllowed", "no key")
        return key or None, dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def object_put(self, objects, key, ignores, store):
        present = objects.get(key)
        if not ignores:
            if (expected := self.headers.get("If-Match")) is not None:
                if not present:
                    raise Refusal(404, "NoSuchKey", "If-Match without an object")
                if expected != etag(present[0]):
                    raise Refusal(412, "PreconditionFailed", "If-Match")
            if self.headers.get("If-None-Match") == "*" and present:
                raise Refusal(412, "PreconditionFailed", "If-None-Match")
        metadata = {name.lower(): value for name, value in self.headers.items()
                    if name.lower().startswith("x-amz-meta-")}
        objects.put(key, self.body, metadata, store.now())
        return 200, {"ETag": etag(self.body)}, b""

    def object_get(self, objects, key, *_):
        if not (present := objects.get(key)):
            raise Refusal(404, "NoSuchKey", "no object")
        body, metadata, when = present
        headers = {"ETag": etag(body), "Last-Modified": email.utils.formatdate(when, usegmt=True),
                   "Content-Type": "binary/octet-stream", "Accept-Ranges": "bytes", **metadata}
        match = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if match and body:
            first, last = match.groups()
            begin = int(first) if first else max(0, len(body) - int(last))
            end = min(int(last) + 1, len(body)) if first and last else len(body)
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{len(body)}"
            return 206, headers, body[begin:end]
        return 200, headers, body

    object_head = object_get

    def object_delete(self, objects, key, *_):
        objects.delete(key)
        return 204, {}, b""

    def list(self, store, query):
        if query.get("list-type") != "2":
            raise Refusal(501, "NotImplemented", "only lists of type 2")
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
        shown = quoted if query.get("encoding-type") == "url" else (lambda text: text)
        after = base64.urlsafe_b64decode(query["continuation-token"]).decode() if "continuation-token" in query else ""
        count = min(int(query.get("max-keys", 1000)), store.page)
        with store.objects.lock:
            keys = sorted((key for key in store.objects.all if key.startswith(prefix) and key > after),
                          key=lambda key: key.encode())
            page, folders = keys[:count], []
            parts = []
            for key in page:
                if delimiter and delimiter in key[len(prefix):]:
                    folder = prefix + key[len(prefix):].split(delimiter)[0] + delimiter
                    if folder not in folders:
                        folders.append(folder)
                    continue
                body, _, when = store.objects.all[key]
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(when))
                parts.append(f"<Contents><Key>{escape(shown(key))}</Key><LastModified>{stamp}</LastModified>"
                             f"<ETag>{escape(etag(body))}</ETag><Size>{len(body)}</Size></Contents>")
        parts += [f"<CommonPrefixes><Prefix>{escape(shown(folder))}</Prefix></CommonPrefixes>" for folder in folders]
        more = len(keys) > len(page)
        token = base64.urlsafe_b64encode(page[-1].encode()).decode() if more else ""
        xml = ('<?xml version="1.0" encoding="UTF-8"?>\n'
               '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
               f"<Name>{store.bucket}</Name><Prefix>{escape(shown(prefix))}</Prefix><KeyCount>{len(page)}</KeyCount>"
               f"<MaxKeys>{count}</MaxKeys><IsTruncated>{str(more).lower()}</IsTruncated>"
               + (f"<NextContinuationToken>{token}</NextContinuationToken>" if more else "")
               + ("<EncodingType>url</EncodingType>" if shown is quoted else "")
               + "".join(parts) + "</ListBucketResult>")
        return 200, {"Content-Type": "application/xml"}, xml.encode()

    def send(self, status, headers, body, truncated=False):
        """Sends an answer in one piece, because two would wait for each other's acknowledgement."""
        reason = http.server.BaseHTTPRequestHandler.responses.get(status, ("Status",))[0]
        headers = {"Date": email.utils.formatdate(self.server.store.now(), usegmt=True), "Server": "verifier",
                   "x-amz-request-id": "4442587FB7D0A2F9", **headers}
        if status != 204:
            headers["Content-Length"] = len(body)
        head = f"HTTP/1.1 {status} {reason}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        if self.command == "HEAD":
            body = b""
        self.wfile.write(head.encode("latin-1") + b"\r\n" + (body[:len(body) // 2] if truncated else body))
        if truncated:
            self.hang_up()

    def hang_up(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def control(self):
        store = self.server.store
        document = json.loads(self.body) if self.body else None
        with store.lock:
            match (self.command, self.path):
                case ("POST", "/-/faults"): store.faults += document
                case ("DELETE", "/-/faults"): store.faults, store.log = [], []
                case ("POST", "/-/clock"): store.clock = document["seconds"]
                case ("GET", "/-/log"): document = store.log
                case ("GET", "/-/refused"): document = store.refusals(store.log)
                case ("GET", "/-/objects"):
                    document = {key: {"size": len(body), "metadata": metadata}
                                for key, (body, metadata, _) in sorted(store.objects.all.items())}
                case _: return self.send(404, {}, b"")
            answer = json.dumps(document).encode()
        self.send(200, {"Content-Type": "application/json"}, answer)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass


class ObjectStore:
    """A store with one bucket. `page` is the maximum number of keys of a list's answer."""

    def __init__(self, folder=None, port=0, bucket="lake", region="us-east-1", access_key="AKIDVERIFIER",
                 secret="secret/of+the=verifier", token=None, strict=True, page=1000):
        self.bucket, self.region, self.page = bucket, region, page
        self.verifier = Verifier(access_key, secret, token, region, strict)
        self.objects = Objects(folder)
        self.lock = threading.Lock()
        self.faults, self.log, self.clock = [], [], 0
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.store = self
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {"AWS_ACCESS_KEY_ID": access_key, "AWS_SECRET_ACCESS_KEY": secret,
                            **({"AWS_SESSION_TOKEN": token} if token else {})}

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def now(self):
        return time.time() + self.clock

    def fault(self, kind, **members):
        with self.lock:
            self.faults.append({"kind": kind, **members})

    def clear(self):
        with self.lock:
            self.faults, self.log, self.clock = [], [], 0

    def take_fault(self, method, key):
        with self.lock:
            for fault in self.faults:
                if fault.get("method", method) != method or fault.get("key", "") not in key:
                    continue
                if fault.get("after", 0) > 0:
                    fault["after"] -= 1
                    continue
                left = fault.setdefault("count", 1)
                if left > 0:
                    fault["count"] = left - 1
                if left != 0:
                    return dict(fault)
        return None

    @property
    def refused(self):
        """The requests that the verifier refused, with their reasons."""
        with self.lock:
            return self.refusals(self.log)

    @staticmethod
    def refusals(log):
        return [entry for entry in log if entry.get("reason") not in (
            None, "a fault was ordered", "no object", "If-Match", "If-None-Match", "If-Match without an object")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--folder")
    parser.add_argument("--bucket", default="lake")
    parser.add_argument("--region", default="us-east-1")
    parser.add_argument("--access-key", default="AKIDVERIFIER")
    parser.add_argument("--secret", default="secret/of+the=verifier")
    parser.add_argument("--token")
    parser.add_argument("--page", type=int, default=1000)
    parser.add_argument("--lenient", action="store_true")
    options = parser.parse_args()
    store = ObjectStore(
        options.folder, options.port, options.bucket, options.region, options.access_key, options.secret,
        options.token, not options.lenient, options.page)
    print(store.port, flush=True)
    try:
        store.server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
