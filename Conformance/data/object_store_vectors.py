"""Writes the vectors of ObjectStoreTests with botocore, AWS's own library: signatures, and the addresses of objects.

    python3 Conformance/data/object_store_vectors.py Tests/ObjectStoreTests/Vectors/signatures.json

The same version of botocore writes the same bytes. Needs boto3.
"""

import datetime
import json
import random
import sys
from unittest import mock

import boto3
import botocore.auth
from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.config import Config
from botocore.credentials import Credentials

KEYS = ["a", "events/v1/shop/day=2026-11-26/s1-0000000000000010.parquet", "a b+ü.parquet", "percent%20already",
        "~tilde-_.", "quote'\"(1)!*", "plus+and&and;semi:colon@at,comma$", "日本/語 🦊.bin", "question?hash#",
        "back\\slash", "brackets[]{}|^`<>"]


def signature(random_, index):
    key = KEYS[index % len(KEYS)]
    bucket = random_.choice(["lake", "my-bucket", "dotted.bucket"])
    region = random_.choice(["us-east-1", "eu-central-1", "cn-north-1", "garage"])
    host = random_.choice([f"{bucket}.s3.{region}.amazonaws.com", "127.0.0.1:9000", "minio.internal", "[::1]:9000"])
    method = random_.choice(["GET", "PUT", "HEAD", "DELETE"])
    path = "/" + botocore.auth.quote(key, safe="/-_.~")
    query = []
    if method == "GET" and random_.random() < 0.6:
        path = "/" + bucket
        query = [("list-type", "2"), ("prefix", random_.choice(KEYS)), ("max-keys", "1000")]
        if random_.random() < 0.5:
            query.append(("continuation-token", "1/+= ~%" + str(index)))
        if random_.random() < 0.3:
            query += [("uploads", ""), ("list-type-2", "x"), ("a", "2"), ("a", "10"), ("A", "é")]
    body = random_.randbytes(random_.choice([0, 1, 451, 5000])) if method == "PUT" else b""
    headers = {}
    if method == "PUT":
        for name in random_.sample(["last", "first", "schema", "empty", "z-a"], random_.randrange(4)):
            value = random_.choice(["00000000000000ff", "a b", "x=1;y, z"])
            headers["x-amz-meta-" + name] = "" if name == "empty" else value
    token = random_.choice([None, None, "FwoGZXIvYXdzE//+=token"])
    secret = random_.choice(["wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "s" * 80, "short"])
    moment = datetime.datetime.fromtimestamp(random_.randrange(1_000_000_000, 4_000_000_000), datetime.UTC)
    request = AWSRequest(method=method, url=f"http://{host}{path}", data=body, headers=dict(headers))
    request.params = query
    with mock.patch.object(botocore.auth, "get_current_datetime", lambda: moment):
        signer = botocore.auth.S3SigV4Auth(Credentials("AKIDEXAMPLE", secret, token), "s3", region)
        signer.add_auth(request)
        canonical = signer.canonical_query_string(request)
    return {"method": method, "path": path, "query": [list(pair) for pair in query], "canonical_query": canonical,
            "host": host, "headers": headers, "body": body.hex(), "region": region, "access_key": "AKIDEXAMPLE",
            "secret": secret, "token": token, "time": int(moment.timestamp() * 1000),
            "hash": request.headers["X-Amz-Content-SHA256"], "authorization": request.headers["Authorization"]}


def address(bucket, key, endpoint, region, style):
    """The URL of a GET by boto3."""
    client = boto3.client(
        "s3", region_name=region, endpoint_url=endpoint, aws_access_key_id="a", aws_secret_access_key="b",
        config=Config(s3={"addressing_style": style, "us_east_1_regional_endpoint": "regional"}))
    urls = []

    def keep(request, **_):
        urls.append(request.url)
        raw = mock.Mock()
        raw.stream = lambda *_, **__: iter([b""])
        return AWSResponse(request.url, 200, {}, raw)

    client.meta.events.register("before-send.s3.GetObject", keep)
    client.get_object(Bucket=bucket, Key=key)
    return {"bucket": bucket, "key": key, "endpoint": endpoint, "region": region, "path_style": style == "path",
            "url": urls[0]}


def main():
    random_ = random.Random(20261129)
    signatures = [signature(random_, index) for index in range(66)]
    places = [(None, "eu-central-1"), (None, "us-east-1"), (None, "cn-north-1"), ("http://127.0.0.1:9000", "us-east-1"),
              ("https://objects.example.org", "eu-west-1")]
    addresses = [
        address("lake", key, endpoint, region, style)
        for endpoint, region in places for style in ("path", "virtual") for key in KEYS
        # boto3 uses the style of paths for addresses of IP.
        if not (endpoint and "127.0.0.1" in endpoint and style == "virtual")]
    with open(sys.argv[1], "w") as file:
        json.dump({"signatures": signatures, "addresses": addresses}, file, indent=1, ensure_ascii=True)
        file.write("\n")
    print(len(signatures), "signatures,", len(addresses), "addresses")


main()
