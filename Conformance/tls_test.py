"""HTTPS as scanners judge it, and polls while clients misuse handshakes (docs/reference/tls.md).

sslyze compares the port with Mozilla's intermediate configuration, sslscan names its protocols and faults. Then thousands of
connections stop in their handshakes, send garbage or begin and break off, while polls over plain HTTP and over HTTPS go on.
At the end, a renewed certificate is taken without a signal.
"""

import json
import os
import random
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree

from daemon import Daemon, wait

# Below the descriptors that a process may open by default on Debian's larger limit.
CONNECTIONS = 8_000
POLL = b"GET /__lbheartbeat__ HTTP/1.1\r\nHost: localhost\r\n\r\n"


def issue(chain, key, days):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain],
        check=True, capture_output=True)


def renew(folder, chain, key):
    """Replaces both files. A daemon that looks between the two keeps the old certificate, and looks again."""
    new = [os.path.join(folder, name) for name in ("new.pem", "new.key")]
    issue(*new, days=180)
    for source, target in zip(new, (chain, key)):
        os.replace(source, target)


def make_certificate(folder):
    chain, key = os.path.join(folder, "chain.pem"), os.path.join(folder, "key.pem")
    issue(chain, key, days=90)
    os.environ["BELLWETHER_HTTP_TLS_LISTEN"] = "127.0.0.1:0"
    os.environ["BELLWETHER_HTTP_TLS_CERTIFICATES"] = f"{chain}={key}"
    return chain, key


def scan_with_sslyze(port):
    result = subprocess.run(
        [sys.executable, "-m", "sslyze", "--mozilla_config=intermediate", f"localhost:{port}"],
        capture_output=True, text=True, timeout=300)
    judged = result.stdout.partition("COMPLIANCE AGAINST TLS CONFIGURATION")[2]
    faults = [line.strip() for line in judged.splitlines() if line.strip().startswith("* ")]
    # No public authority has issued the certificate.
    assert len(faults) == 1 and faults[0].startswith("* certificate_path_validation"), result.stdout + result.stderr
    print("sslyze: as Mozilla's intermediate configuration says")


def scan_with_sslscan(port):
    result = subprocess.run(
        ["sslscan", "--xml=-", f"localhost:{port}"], capture_output=True, text=True, timeout=300, check=True)
    test = tree.fromstring(result.stdout).find("ssltest")
    versions = {p.get("type") + p.get("version") for p in test.findall("protocol") if p.get("enabled") == "1"}
    assert versions == {"tls1.2", "tls1.3"}, versions
    assert not [c for c in test.findall("compression") if c.get("supported") == "1"]
    assert not [r for r in test.findall("renegotiation") if r.get("supported") == "1" and r.get("secure") != "1"]
    weak = [c.get("cipher") for c in test.findall("cipher") if c.get("strength") not in ("strong", "acceptable")]
    assert not weak, weak
    assert not [h for h in test.findall("heartbleed") if h.get("vulnerable") == "1"]
    print(f"sslscan: {', '.join(sorted(versions))}, {len(test.findall('cipher'))} suites, none weak")


def poll(connection, count):
    """The times of so many polls on one connection, in milliseconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        connection.sendall(POLL)
        answer = connection.recv(65_536)
        times.append((time.perf_counter() - start) * 1000)
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    return times


def misuse(port, seed):
    """Opens connections that stop in their handshakes in different ways, and returns those that are still open."""
    chance = random.Random(seed)
    hello = client_hello()
    kept = []
    for number in range(CONNECTIONS // 10):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setblocking(False)
        kind = number % 5
        try:
            if kind == 1:
                connection.send(hello[:chance.randrange(1, len(hello))])
            elif kind == 2:
                connection.send(hello)
            elif kind == 3:
                connection.send(chance.randbytes(chance.randrange(1, 2000)))
            elif kind == 4:
                connection.send(hello)
                connection.close()
                continue
        except OSError:
            pass
        kept.append(connection)
    return kept


def client_hello():
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    try:
        context.wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        chain, key = make_certificate(folder)
        with Daemon() as daemon:
            port = int(daemon.process.stdout.readline().rsplit(":", 1)[1])
            scan_with_sslyze(port)
            scan_with_sslscan(port)
            context = ssl.create_default_context(cafile=chain)
            plain = socket.create_connection(("127.0.0.1", int(daemon.url.rsplit(":", 1)[1])))
            encrypted = context.wrap_socket(
                socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
            alone = {name: poll(c, 500) for name, c in (("HTTP", plain), ("HTTPS", encrypted))}
            beside, open_connections = {"HTTP": [], "HTTPS": []}, []
            for seed in range(10):
                open_connections += misuse(port, seed)
                for name, connection in (("HTTP", plain), ("HTTPS", encrypted)):
                    beside[name] += poll(connection, 50)
            for name in beside:
                print(f"{name}: median {statistics.median(alone[name]):.2f} ms alone, "
                      f"{statistics.median(beside[name]):.2f} ms beside {CONNECTIONS} misused handshakes; "
                      f"longest {max(beside[name]):.0f} ms")
            for connection in open_connections:
                connection.close()
            # Who comes after them gets in.
            def is_let_in():
                try:
                    with socket.create_connection(("127.0.0.1", port)) as late:
                        with context.wrap_socket(late, server_hostname="localhost") as connection:
                            return bool(poll(connection, 1))
                except OSError:
                    return False
            wait("a handshake succeeds after the misuse", is_let_in)
            assert json.loads(daemon.request("GET", "/__heartbeat__")[2])["status"] == "ok"
            print("a handshake after them succeeds, and the daemon is well")
            renew(folder, chain, key)
            # The daemon looks at the files once a minute.
            def is_renewed():
                days = json.loads(daemon.request("GET", "/__heartbeat__")[2])["certificates"]["days_left"]
                return days in (179, 180)
            wait("the renewed certificate is served", is_renewed, seconds=180)
            print("a renewed certificate is taken without a signal")


main()
