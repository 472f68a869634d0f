"""The target ObjectStore against a strict verifier of signatures: every operation, the rules for refusals, interrupted
connections, the role of a machine, and an environment with a proxy. boto3, if it is installed, checks the verifier.

    OBJECT_STORE_TOOL=.build/debug/object-store-tool python3 Conformance/data/object_store_test.py [NAME…]
"""

import contextlib
import http.server
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from object_store import ObjectStore

TOOL = os.environ.get("OBJECT_STORE_TOOL", ".build/debug/object-store-tool")
KEYS = ["a", "day=2026-11-26/a b+ü.parquet", "percent%20already", "~tilde-_.", "quote'\"(1)!*",
        "plus+and&and;semi:at@,$", "日本/語 🦊.bin", "question?hash#", "back\\slash", "brackets[]{}|^`<>", "x" * 1000]
PROXY = {"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"}


def run(url, environment, *words, address="s3://lake/pre fix/ü", options=(), seconds=120):
    """Runs the tool and returns its lines. Each tuple of words is a command."""
    commands = " , ".join("\0".join(command) for command in words)
    arguments = [part for command in commands.split(" , ") for part in [*command.split("\0"), ","]][:-1]
    done = subprocess.run(
        [TOOL, address, "--endpoint", url, *options, *arguments], capture_output=True, text=True, timeout=seconds,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **PROXY, **environment})
    assert done.returncode == 0, done
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for secret in ("secret/of", "the=verifier", "words of the server"):
        assert secret not in done.stdout + done.stderr, done
    return lines


def file(content):
    path = os.path.join(folder.name, f"f{len(os.listdir(folder.name))}")
    with open(path, "wb") as output:
        output.write(content)
    return path


@contextlib.contextmanager
def verifier(**options):
    with ObjectStore(**options) as store:
        yield store
        assert not store.refused, store.refused


def test_every_operation_passes_the_verifier():
    with verifier() as store:
        body = file(os.urandom(451))
        out = file(b"")
        for address in ("s3://lake/pre fix/ü", "s3://lake"):
            keys, commands = KEYS, []
            for key in keys:
                commands += [("put", key, body, "absent", "last=00ff", "Note=a b;c", "empty="),
                             ("put", key, body, "absent"), ("head", key), ("get", key, "451", out),
                             ("get", key, "450", out)]
            lines = run(store.url, store.environment, *commands, address=address)
            assert len(lines) == 5 * len(keys)
            for place, key in enumerate(keys):
                stored, refused, head, got, long = lines[place * 5:place * 5 + 5]
                etag = stored["stored"]
                assert etag.startswith('"') and refused == {"refused": key}, (stored, refused)
                assert head["head"] == {"etag": etag, "size": 451,
                                        "metadata": {"last": "00ff", "note": "a b;c", "empty": ""}}, head
                assert got == {"get": 451} and "too long" in long["fault"] and not long["passing"], (got, long)
            assert open(out, "rb").read() == open(body, "rb").read()
            lines = run(store.url, store.environment, ("list", ""), ("list", "day=2026-11-26/a b"), ("list", "none"),
                        *[("delete", key) for key in keys], ("delete", keys[0]), ("list", ""), address=address)
            assert lines[0]["list"] == sorted(keys, key=lambda key: key.encode()), lines[0]
            assert lines[1]["list"] == [KEYS[1]] and lines[2]["list"] == []
            assert lines[-1] == {"list": []} and lines[-2] == {"deleted": keys[0]}
        assert not store.objects.all
        for entry in store.log:
            headers = entry["headers"]
            assert "expect" not in headers and "content-type" not in headers, entry
            assert headers.get("content-length") == str(entry["size"]) or entry["method"] != "PUT", entry
        # One handle keeps its connection, unless an answer was too long.
        assert len({entry["peer"] for entry in store.log}) <= 2 * (len(KEYS) + 2), "connections are not reused"


def test_virtual_hosts_and_a_session():
    with verifier(token="to/ken+=") as store:
        url = f"http://localhost:{store.port}"
        lines = run(url, store.environment, ("put", "day=1/ü", file(b"x"), "absent"),
                    ("get", "day=1/ü", "1", file(b"")), ("list", ""), options=("--style", "host"))
        assert lines[1:] == [{"get": 1}, {"list": ["day=1/ü"]}], lines
        assert all(entry["headers"]["host"] == f"lake.localhost:{store.port}" for entry in store.log)


def test_conditions():
    with verifier() as store:
        one, two = file(b"one"), file(b"two")
        first = run(store.url, store.environment, ("put", "k", one))[0]["stored"]
        lines = run(store.url, store.environment, ("put", "k", two, f"match={first}"),
                    ("put", "k", one, f"match={first}"), ("put", "none", one, f"match={first}"),
                    ("get", "k", "9", file(b"")), ("head", "none"),
                    ("get", "none", "9", file(b"")))
        assert "stored" in lines[0] and lines[1:] == [
            {"refused": "k"}, {"refused": "none"}, {"get": 3}, {"head": None}, {"get": None}], lines


def test_sizes():
    with verifier() as store:
        limit = 64 << 20
        sparse = file(b"")
        os.truncate(sparse, limit)
        long = file(b"")
        os.truncate(long, limit + 1)
        out = file(b"")
        begin = time.monotonic()
        lines = run(store.url, store.environment, ("put", "empty", file(b"")), ("put", "large", sparse, "absent"),
                    ("get", "large", str(limit), out), ("get", "empty", "0", file(b"")), ("put", "long", long))
        assert "stored" in lines[0] and "stored" in lines[1] and lines[2:4] == [{"get": limit}, {"get": 0}], lines
        assert "67108865 bytes" in lines[4]["fault"] and not lines[4]["passing"], lines
        assert len(store.log) == 4
        print(f"    64 MiB there and back in {time.monotonic() - begin:.1f} s")


def test_lists_have_pages_and_a_bound():
    with verifier(page=7) as store:
        for index in range(100):
            store.objects.put(f"pre fix/ü/day=1/k&{index:03}<>", b"", {}, 0)
        store.objects.put("pre fix/üb/day=1/other", b"", {}, 0)
        lines = run(store.url, store.environment, ("list", "day=1/"))
        assert lines[0]["list"] == [f"day=1/k&{index:03}<>" for index in range(100)], lines
        assert len(store.log) == 15
        lines = run(store.url, store.environment, ("list", "day=1/"), options=("--keys", "50"))
        assert "more than 50 keys" in lines[0]["fault"], lines


def fault(store, command, **options):
    return run(store.url, store.environment, command, **options)[-1]


def test_passing_faults_and_those_for_a_person():
    with verifier() as store:
        body, out = file(b"x" * 10_000), file(b"")
        for status, code in [(500, "InternalError"), (503, "SlowDown"), (409, "ConditionalRequestConflict"),
                             (429, "TooManyRequests"), (400, "RequestTimeout")]:
            for command in [("put", "k", body, "absent"), ("get", "k", "1", out), ("list", ""), ("delete", "k")]:
                store.fault("status", status=status, code=code)
                answer = fault(store, command)
                assert answer["passing"] and f"{status} {code}" in answer["fault"], answer
        for status, code in [(403, "AccessDenied"), (404, "NoSuchBucket"), (400, "InvalidBucketName")]:
            store.fault("status", status=status, code=code)
            assert not fault(store, ("put", "k", body))["passing"]
        store.fault("redirect", region="eu-south-2")
        answer = fault(store, ("put", "k", body))
        assert "the region eu-south-2" in answer["fault"] and not answer["passing"], answer
        assert "does not exist" in fault(store, ("list", ""), address="s3://other")["fault"]
        assert not store.objects.all
        store.log.clear()
        # HEAD has no body: a fault without a code.
        store.fault("status", status=503, code="SlowDown")
        assert fault(store, ("head", "k")) == {
            "fault": "the object store asks to come again (status 503)", "passing": True}
        store.log.clear()


def test_connections_that_end():
    with verifier() as store:
        body, out = file(b"x" * 100_000), file(b"")
        store.fault("close")
        answer = fault(store, ("put", "k", body, "absent"))
        assert answer["passing"] and not store.objects.all, answer
        # The object is stored, and its answer is lost: the next try is refused, and the caller adopts the object.
        store.fault("lose")
        command = ("put", "k", body, "absent", "last=1")
        lines = run(store.url, store.environment, command, command, ("head", "k"))
        assert lines[0]["passing"] and lines[1] == {"refused": "k"}, lines
        assert lines[2]["head"]["metadata"] == {"last": "1"}, lines
        store.fault("truncate")
        lines = run(store.url, store.environment, ("get", "k", "100000", out), ("get", "k", "100000", out))
        assert lines[0]["passing"] and lines[1] == {"get": 100_000}, lines
        store.fault("truncate")
        assert fault(store, ("list", ""))["passing"]
        # libcurl sends again over a new connection if the kept one was closed before the answer.
        store.fault("close", after=1)
        lines = run(store.url, store.environment, ("head", "k"), ("head", "k"))
        assert lines[0] == lines[1], lines
        store.fault("slow", seconds=3)
        begin = time.monotonic()
        answer = fault(store, ("get", "k", "100000", out), options=("--milliseconds", "500"))
        assert answer == {"fault": "the object store did not answer in time", "passing": True}, answer
        assert time.monotonic() - begin < 2.5
        # Its owner may stop a request that waits.
        store.fault("slow", seconds=5)
        begin = time.monotonic()
        answer = fault(store, ("get", "k", "100000", out), options=("--stop", "0.5"))
        assert answer == {"fault": "the request was stopped", "passing": True}, answer
        assert time.monotonic() - begin < 3
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        answer = run(f"http://127.0.0.1:{free.getsockname()[1]}", store.environment, ("head", "k"))[0]
        assert answer["passing"] and "cannot be reached" in answer["fault"], answer
    answer = run("http://169.254.169.254", store.environment, ("head", "k"))[0]
    assert "link-local" in answer["fault"], answer


def test_stores_without_conditional_writes():
    with verifier() as store:
        for status, code in [(501, "NotImplemented"), (400, "InvalidArgument")]:
            store.clear()
            store.objects.all.clear()
            store.fault("unsupported", status=status, code=code, count=-1)
            one, two = file(b"one"), file(b"two")
            lines = run(store.url, store.environment, ("put", "a", one, "absent"), ("put", "a", two, "absent"),
                        ("put", "b", one, "absent"), ("put", "b", two, 'match="x"'))
            kinds = [list(line)[0] for line in lines]
            assert kinds == ["warning", "stored", "refused", "stored", "refused"], lines
            assert store.objects.all["pre fix/ü/a"][0] == b"one"
            # The first PUT was refused; from then on, HEAD comes first.
            methods = [entry["method"] for entry in store.log]
            assert methods == ["PUT", "HEAD", "PUT", "HEAD", "HEAD", "PUT", "HEAD"], methods
        # A server that ignores the header is found by trying.
        store.clear()
        assert run(store.url, store.environment, ("honors", ".try")) == [{"honors": True}]
        store.fault("ignore", count=-1)
        assert run(store.url, store.environment, ("honors", ".try")) == [{"honors": False}]
        assert "pre fix/ü/.try" not in store.objects.all
        store.clear()
        store.fault("status", status=403, code="AccessDenied", method="DELETE", count=-1)
        assert run(store.url, store.environment, ("honors", ".try")) == [{"honors": True}]
        store.clear()
        store.fault("unsupported", count=-1)
        assert run(store.url, store.environment, ("honors", ".try"))[-1] == {"honors": False}


def test_a_clock_that_differs():
    with ObjectStore() as store:
        body = file(b"x")
        for clock in (-3000, 3000):
            store.clear()
            store.objects.all.clear()
            lines = run(store.url, store.environment, ("put", "k", body, "absent"), ("head", "k"), ("list", ""),
                        options=("--clock", str(clock)))
            assert "by " in lines[0]["warning"] and "stored" in lines[1] and lines[3] == {"list": ["k"]}, lines
            assert [entry["status"] for entry in store.log] == [403, 200, 200, 200], store.log
            # HEAD answers without a code, and some servers give another one.
            for command, code in [(("head", "k"), "RequestTimeTooSkewed"), (("list", ""), "AccessDenied")]:
                store.clear()
                store.verifier.skew_code = code
                lines = run(store.url, store.environment, command, options=("--clock", str(clock)))
                assert "warning" in lines[0] and "fault" not in lines[1] and len(store.log) == 2, lines
            store.verifier.skew_code = "RequestTimeTooSkewed"
        # A store that refuses its own time.
        store.clear()
        store.fault("status", status=403, code="RequestTimeTooSkewed", count=-1)
        answer = fault(store, ("put", "k", body))
        assert "the clock differs" in answer["fault"] and not answer["passing"], answer
        assert len(store.log) == 2
        store.clear()
        answer = fault(store, ("put", "k", body), options=("--clock", "-200000"))
        assert "by 200000 s" in answer["fault"] or "by 199999 s" in answer["fault"], answer
        assert len(store.log) == 1


def test_credentials():
    with ObjectStore() as store:
        right = store.environment
        for environment, words in [
                ({**right, "AWS_SECRET_ACCESS_KEY": "wrong"}, "403 SignatureDoesNotMatch"),
                ({**right, "AWS_ACCESS_KEY_ID": "other"}, "403 InvalidAccessKeyId"),
                ({**right, "AWS_SESSION_TOKEN": "other"}, "400 InvalidToken"), ({}, "no credentials are set")]:
            answer = run(store.url, environment, ("put", "k", file(b"x")))[0]
            assert words in answer["fault"] and not answer["passing"], answer
        answer = run(store.url, right, ("list", ""), options=("--region", "eu-west-1"))[0]
        assert "is in the region us-east-1" in answer["fault"] and not answer["passing"], answer
        path = file(b"[default]\naws_access_key_id = AKIDVERIFIER\naws_secret_access_key = wrong\n")
        process = subprocess.Popen(
            [TOOL, "s3://lake", "--endpoint", store.url, "--credentials-file", path, "from-input"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"AWS_ACCESS_KEY_ID": "unused"})

        def ask(line):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        assert "SignatureDoesNotMatch" in ask("list\t")["fault"]
        # A file that is replaced is read again after a refusal.
        with open(path, "w") as output:
            output.write("[default]\naws_access_key_id = AKIDVERIFIER\n"
                         f"aws_secret_access_key = {right['AWS_SECRET_ACCESS_KEY']}\n")
        assert ask("list\t") == {"list": []}
        count = len(store.log)
        assert ask("list\t") == {"list": []} and len(store.log) == count + 1
        # And in one operation, if the secret changes between.
        store.verifier.secret = "changed"
        with open(path, "w") as output:
            output.write("[default]\naws_access_key_id = AKIDVERIFIER\naws_secret_access_key = changed\n")
        assert ask("list\t") == {"list": []} and len(store.log) == count + 3
        process.stdin.close()
        process.wait(10)


def test_writers_at_once():
    """Of writers that create the same object, one succeeds."""
    with verifier() as store:
        bodies = [file(bytes([index]) * 100_000) for index in range(6)]
        writers = [subprocess.Popen(
            [TOOL, "s3://lake", "--endpoint", store.url, *[word for key in range(10) for word in (
                "put", f"k{key}", body, "absent", ",")][:-1]],
            stdout=subprocess.PIPE, text=True, env=store.environment) for body in bodies]
        lines = [json.loads(line) for writer in writers for line in writer.communicate(timeout=60)[0].splitlines()]
        assert len(lines) == 60 and sum("stored" in line for line in lines) == 10, lines


def test_certificates():
    """A server whose certificate no system trusts is not asked anything."""
    pem = os.path.join(folder.name, "pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", pem, "-out", pem + ".crt"],
        check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem + ".crt", pem)
    with ObjectStore() as store:
        store.server.socket = context.wrap_socket(store.server.socket, server_side=True)
        answer = run(f"https://127.0.0.1:{store.port}", store.environment, ("put", "k", file(b"x")))[0]
        assert "certificate" in answer["fault"] and not answer["passing"], answer
        assert not store.log


def test_memory():
    """An object is held once: a PUT of 64 MiB needs 64 MiB for it, and no copies."""
    with verifier() as store:
        path = file(b"")
        os.truncate(path, 64 << 20)
        peaks = []
        with subprocess.Popen(
                [TOOL, "s3://lake", "--endpoint", store.url, "from-input"], env=store.environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for command in ("list\t", f"put\tk\t{path}"):
                process.stdin.write(command + "\n")
                process.stdin.flush()
                assert "fault" not in json.loads(process.stdout.readline())
                with open(f"/proc/{process.pid}/status") as status:
                    peaks += [int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM")]
            process.stdin.close()
        print(f"    peak {peaks[0]} MiB, with an object of 64 MiB {peaks[1]} MiB (the tool reads it twice)")
        assert peaks[1] - peaks[0] < 150, peaks


class Metadata(http.server.BaseHTTPRequestHandler):
    """The metadata service of a machine with a role."""

    def do_PUT(self):
        assert self.path == "/latest/api/token" and self.headers["x-aws-ec2-metadata-token-ttl-seconds"]
        self.answer(b"session-token")

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.headers["x-aws-ec2-metadata-token"] != "session-token":
            return self.answer(b"", 401)
        if self.path == "/latest/meta-data/iam/security-credentials/":
            return self.answer(self.server.role)
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.server.seconds))
        self.answer(json.dumps({
            "Code": "Success", "AccessKeyId": "AKIDVERIFIER", "SecretAccessKey": "secret/of+the=verifier",
            "Token": "of-the-role", "Expiration": end}).encode())

    def answer(self, body, status=200):
        time.sleep(self.server.delay)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def test_the_role_of_a_machine():
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metadata)
    service.asked, service.role, service.seconds, service.delay = [], b"the-role\n", 3600, 0
    threading.Thread(target=service.serve_forever, daemon=True).start()
    environment = {"AWS_EC2_METADATA_SERVICE_ENDPOINT": f"http://127.0.0.1:{service.server_address[1]}/"}
    with verifier(token="of-the-role") as store:
        assert run(store.url, environment, ("list", ""))[0]["fault"].startswith("no credentials")
        options = ("--instance",)
        assert run(store.url, environment, ("list", ""), ("list", ""), options=options) == [{"list": []}] * 2
        assert len(service.asked) == 2, service.asked
        # Credentials that end in less than 5 minutes are renewed before each request.
        service.seconds = 200
        assert run(store.url, environment, ("list", ""), ("list", ""), options=options) == [{"list": []}] * 2
        assert len(service.asked) == 6, service.asked
        service.role = b""
        answer = run(store.url, environment, ("list", ""), options=options)[0]
        assert "knows no role" in answer["fault"] and answer["passing"], answer
        service.delay = 3
        begin = time.monotonic()
        answer = run(store.url, environment, ("list", ""), options=options)[0]
        assert "did not answer in time" in answer["fault"] and time.monotonic() - begin < 2.5, answer
    service.shutdown()


def test_the_verifier_accepts_boto3_and_refuses_what_is_wrong():
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import ClientError
    except ImportError:
        return print("    boto3 is not installed: skipped")
    with ObjectStore(strict=False, page=3) as store:
        client = boto3.client(
            "s3", endpoint_url=store.url, region_name="us-east-1", aws_access_key_id="AKIDVERIFIER",
            aws_secret_access_key="secret/of+the=verifier",
            config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required",
                          retries={"max_attempts": 1}))
        for key in KEYS:
            client.put_object(Bucket="lake", Key=key, Body=b"abc", Metadata={"last": "1"}, IfNoneMatch="*")
            assert client.get_object(Bucket="lake", Key=key)["Body"].read() == b"abc"
            assert client.head_object(Bucket="lake", Key=key)["Metadata"] == {"last": "1"}
        pages = client.get_paginator("list_objects_v2").paginate(Bucket="lake", Prefix="")
        assert sorted(item["Key"] for page in pages for item in page["Contents"]) == sorted(KEYS)
        try:
            client.put_object(Bucket="lake", Key="a", Body=b"", IfNoneMatch="*")
            raise AssertionError("the object was replaced")
        except ClientError as error:
            assert error.response["Error"]["Code"] == "PreconditionFailed"
        assert not store.refused, store.refused
    # The program's own requests, changed in one place each.
    with verifier() as store:
        seen = []
        check = store.verifier.check
        store.verifier.check = lambda *arguments: (seen.append(arguments), check(*arguments))
        run(store.url, store.environment, ("put", "day=1/k", file(b"abc"), "absent", "last=1"), ("list", "day=1/"))
    tried = 0
    for method, target, headers, body, now in seen:
        def refused(method=method, target=target, headers=headers, body=body, now=now):
            try:
                store.verifier.check(method, target, headers, body, now)
                return False
            except Exception as refusal:
                return type(refusal).__name__ == "Refusal"
        store.verifier.check = check
        assert not refused()
        for place, (name, value) in enumerate(headers):
            if name.lower() in ("host", "authorization") or name.lower().startswith("x-amz-"):
                without = headers[:place] + headers[place + 1:]
                assert refused(headers=without), name
                assert refused(headers=without + [(name, value[:-1] + ("0" if value[-1] != "0" else "1"))]), name
                tried += 2
        assert refused(method="POST") and refused(body=body + b"x")
        assert refused(now=now + 1000) and refused(now=now - 1000)
        assert refused(headers=headers + [("x-amz-acl", "public-read")])
        assert refused(headers=headers + [("Expect", "100-continue")])
        for old, new in [("%3D", "="), ("%3D", "%3d"), ("/lake", "/lakf"), ("max-keys=1000&prefix", "prefix"),
                         ("%2F", "/")]:
            assert old not in target or refused(target=target.replace(old, new)), (target, old)
    assert tried >= 14, tried


def main():
    global folder
    names = sys.argv[1:] or [name for name in globals() if name.startswith("test_")]
    with tempfile.TemporaryDirectory() as directory:
        folder = type("Folder", (), {"name": directory})
        for name in names:
            begin = time.monotonic()
            globals()[name]()
            print(f"{name.removeprefix('test_').replace('_', ' ')}: {time.monotonic() - begin:.1f} s", flush=True)


main()
