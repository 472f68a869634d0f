"""The target ObjectStore against the server of moto, an independent imitation of S3, with its checks of signatures and
rights. moto checks nothing by default: four actions are free, which make a user, its key, its rights, and a bucket.

    OBJECT_STORE_TOOL=.build/debug/object-store-tool python3 Conformance/data/object_store_moto_test.py

Needs moto[server] and boto3.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

TOOL = os.environ.get("OBJECT_STORE_TOOL", ".build/debug/object-store-tool")
KEYS = ["a", "day=2026-11-26/a b+ü.parquet", "percent%20already", "~tilde-_.", "plus+and&and;semi:at@,$", "日本/🦊.bin"]


class Moto:
    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        program = os.path.join(os.path.dirname(sys.executable), "moto_server")
        self.process = subprocess.Popen(
            [sys.executable, program, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": "4"})
        end = time.monotonic() + 90
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert time.monotonic() < end and self.process.poll() is None, "moto did not start"
            time.sleep(0.1)
        iam = self.client("iam", "any", "any")
        iam.create_user(UserName="sink")
        key = iam.create_access_key(UserName="sink")["AccessKey"]
        iam.put_user_policy(UserName="sink", PolicyName="all", PolicyDocument=json.dumps(
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}))
        self.keys = key["AccessKeyId"], key["SecretAccessKey"]
        self.s3 = self.client("s3", *self.keys)
        self.client("s3", "any", "any").create_bucket(Bucket="lake")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)

    def client(self, service, key, secret):
        return boto3.client(service, endpoint_url=self.url, region_name="us-east-1", aws_access_key_id=key,
                            aws_secret_access_key=secret, config=Config(s3={"addressing_style": "path"}))

    def run(self, *commands, secret=None, address="s3://lake/pre fix"):
        arguments = [part for command in commands for part in [*command, ","]][:-1]
        done = subprocess.run(
            [TOOL, address, "--endpoint", self.url, *arguments], capture_output=True, text=True, timeout=120,
            env={"AWS_ACCESS_KEY_ID": self.keys[0], "AWS_SECRET_ACCESS_KEY": secret or self.keys[1]})
        return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    with Moto() as moto, tempfile.TemporaryDirectory() as folder:
        path, out = f"{folder}/in", f"{folder}/out"
        body = os.urandom(10_000)
        with open(path, "wb") as file:
            file.write(body)
        try:
            moto.client("s3", moto.keys[0], "wrong").list_objects_v2(Bucket="lake")
            raise AssertionError("moto checks no signatures")
        except ClientError as error:
            assert error.response["Error"]["Code"] == "SignatureDoesNotMatch", error
        for key in KEYS:
            stored, refused, head, got = moto.run(
                ("put", key, path, "absent", "last=00ff", "note=a b"), ("put", key, path, "absent"), ("head", key),
                ("get", key, "10000", out))
            assert "stored" in stored and refused == {"refused": key} and got == {"get": 10_000}, (stored, refused, got)
            assert head["head"] == {"etag": stored["stored"], "size": 10_000,
                                    "metadata": {"last": "00ff", "note": "a b"}}, head
            theirs = moto.s3.get_object(Bucket="lake", Key="pre fix/" + key)
            assert theirs["Body"].read() == body == open(out, "rb").read()
            assert theirs["Metadata"] == {"last": "00ff", "note": "a b"}
        first = head["head"]["etag"]
        with open(path, "wb") as file:
            file.write(b"other")
        key = KEYS[-1]
        lines = moto.run(("put", key, path, f"match={first}"), ("put", key, path, f"match={first}"),
                         ("put", "none", path, f"match={first}"), ("head", "none"), ("get", "none", "1", out),
                         ("list", ""), ("honors", ".probe"))
        assert "stored" in lines[0], lines
        assert lines[1:5] == [{"refused": key}, {"refused": "none"}, {"head": None}, {"get": None}], lines
        assert lines[6] == {"honors": True}
        assert lines[5]["list"] == sorted(KEYS, key=lambda key: key.encode()), lines
        for index in range(1005):
            moto.s3.put_object(Bucket="lake", Key=f"many/{index:05}", Body=b"")
        lines = moto.run(("list", "many/"), *[("delete", key) for key in KEYS], ("delete", "none"), address="s3://lake")
        assert lines[0]["list"] == [f"many/{index:05}" for index in range(1005)], len(lines[0]["list"])
        assert moto.run(*[("delete", key) for key in KEYS], ("list", ""))[-1] == {"list": []}
        answer = moto.run(("put", "k", path), secret="wrong")[0]
        assert "403 SignatureDoesNotMatch" in answer["fault"] and not answer["passing"], answer
        answer = moto.run(("list", ""), address="s3://other")[0]
        assert "other does not exist" in answer["fault"] and not answer["passing"], answer
    print(f"{len(KEYS)} keys, conditions, 1005 listed, a wrong secret: moto agrees")


main()
