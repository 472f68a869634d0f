"""make cluster: PostgreSQL, three daemons over it, and a proxy in front, with this project's samples. Ctrl-C ends all.

usage: python3 Cluster/serve.py [--nodes N]
"""

import argparse
import signal
import tempfile

from processes import ADMINISTRATOR, Node, Postgres, Proxy, load_samples, url


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, default=3)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with tempfile.TemporaryDirectory(prefix="bellwether-cluster-") as folder:
        running = []
        try:
            print("PostgreSQL is made", flush=True)
            server = Postgres(folder, "a")
            running.append(server.stop)
            server.make()
            server.sql("CREATE DATABASE bellwether", database="postgres")
            nodes = [Node(folder, number, url([server])) for number in range(options.nodes)]
            for node in nodes:
                running.append(node.end)
                node.start(wait=False)
            for node in nodes:
                node.wait()
            proxy = Proxy(folder, nodes)
            running.append(proxy.end)
            load_samples(f"http://{nodes[0].host}:{nodes[0].port}", folder)
            print(f"all daemons: http://127.0.0.1:{proxy.port}  (console: /console)")
            for node in nodes:
                print(f"  daemon {node.number}: http://{node.host}:{node.port}")
            print(f"  database: psql -h {folder} -p {server.port} -U bellwether bellwether")
            print(f"  token of an administrator: {ADMINISTRATOR}\nCtrl-C ends all", flush=True)
            signal.pause()
        except KeyboardInterrupt:
            print()
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for end in reversed(running):
                end()


if __name__ == "__main__":
    main()
