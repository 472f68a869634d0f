"""Sign-in with OpenID Connect: a real provider (Canaille, in memory), and one of our own in which each promise of a
provider is broken in turn. Nobody is let in by a broken one."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import re
import secrets
import socket
import socketserver
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest_iam
from canaille import create_app
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from daemon import Daemon
from joserfc import jws, jwt
from joserfc.jwk import ECKey, JWKRegistry, RSAKey

TOKENS = {"root": ("admin", "*", "root")}
CLIENT, SECRET = "bell:wether", "a secret, with: signs %&"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def settings(issuer, port, client=CLIENT, secret=SECRET, more=""):
    return f"""http:
  public_url: http://localhost:{port}
sign_in:
  issuer: {issuer}
  client_id: {json.dumps(client)}
  client_secret: {json.dumps(secret)}
  name: Test
{more}  roles:
    admins: "admin:*"
    shop: "owner:shop, reader:*"
"""


class Browser:
    """Follows redirects by hand, with the cookies of each origin."""

    def __init__(self):
        self.cookies = {}

    def get(self, url, follow=True, body=None):
        for _ in range(10):
            origin = "/".join(url.split("/")[:3])
            jar = self.cookies.setdefault(origin, {})
            request = urllib.request.Request(url, data=body, headers={
                "Cookie": "; ".join(f"{name}={value}" for name, value in jar.items()), "Sec-Fetch-Site": "same-origin"})
            answer = send(request)
            for line in answer.headers.get_all("Set-Cookie") or []:
                name, value = line.split(";")[0].split("=", 1)
                if "Max-Age=0" in line:
                    jar.pop(name, None)
                else:
                    jar[name] = value
            if not follow or answer.status not in (301, 302, 303):
                return answer
            url, body = urllib.parse.urljoin(url, answer.headers["Location"]), None
        raise AssertionError("too many redirects")


class Kept(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def send(request):
    try:
        answer = urllib.request.build_opener(Kept).open(request, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    answer.text = answer.read().decode()
    return answer


def signed_in(browser, base):
    """The session of the browser; None if it has none."""
    answer = browser.get(base + "/v1/session")
    return json.loads(answer.text) if answer.status == 200 else None


class Provider(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A provider that lets everybody in as `ada`, and breaks what `fault` names."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}"
        self.keys = [RSAKey.generate_key(2048, {"kid": "one"})]
        self.codes, self.asked, self.fault, self.groups = {}, [], None, ["shop"]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def document(self):
        document = {
            "issuer": self.issuer, "authorization_endpoint": self.issuer + "/authorize",
            "token_endpoint": self.issuer + "/token", "jwks_uri": self.issuer + "/keys",
            "userinfo_endpoint": self.issuer + "/user", "end_session_endpoint": self.issuer + "/end",
            "authorization_response_iss_parameter_supported": True}
        if self.fault == "other issuer in document":
            document["issuer"] += "/other"
        return document

    def tokens(self, form, authorization):
        """The tokens for a code, or None."""
        request = self.codes.pop(form.get("code"), None)
        name, secret = base64.b64decode(authorization.split()[1]).decode().split(":")
        given = (urllib.parse.unquote(name), urllib.parse.unquote(secret))
        challenge = hashlib.sha256(form["code_verifier"].encode()).digest()
        if not request or given != (CLIENT, SECRET) or form["redirect_uri"] != request["redirect_uri"] \
                or base64url(challenge) != request["code_challenge"]:
            return None
        access, now = secrets.token_urlsafe(), time.time()
        half = hashlib.sha256(access.encode()).digest()[:16]
        claims = {
            "iss": self.issuer, "sub": "ada", "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": request["nonce"],
            "at_hash": base64url(half), "name": "Ada L.", "groups": self.groups}
        key, header = self.keys[0], {"alg": "RS256", "kid": self.keys[0].kid}
        changes = {
            "issuer": {"iss": self.issuer + "/"}, "audience": {"aud": "another"}, "two audiences": {"aud": [CLIENT, "b"]},
            "party": {"azp": "another"}, "expired": {"exp": now - 61}, "old": {"iat": now - 3600, "exp": now + 9},
            "future": {"iat": now + 3600, "exp": now + 7200}, "no times": {"exp": None}, "nonce": {"nonce": "other"},
            "access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}, "nobody": {"sub": ""}, "no nonce": {"nonce": None},
            "overage": {"groups": None, "_claim_names": {"groups": "src1"}}}
        claims |= changes.get(self.fault, {})
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.fault == "unknown key":
            key = RSAKey.generate_key(2048)
            header["kid"] = "other"
        if self.fault == "wrong key":
            key = RSAKey.generate_key(2048)
        if self.fault == "critical":
            header["crit"] = ["x"]
            header["x"] = 1
        if self.fault == "no kid":
            del header["kid"]
        if key.key_type == "EC":
            header["alg"] = "ES256"
        header["alg"] = {"unsigned": "none", "public key as secret": "HS256"}.get(self.fault, header["alg"])
        if self.fault in ("unsigned", "public key as secret", "critical"):
            # The library makes no such tokens.
            signed = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
            signature = {"none": lambda: b"", "HS256": lambda: hmac.digest(key.as_pem(private=False), signed.encode(), "sha256"),
                         "RS256": lambda: key.raw_value.sign(signed.encode(), PKCS1v15(), SHA256())}[header["alg"]]()
            token = f"{signed}.{base64url(signature)}"
        else:
            registry = jws.JWSRegistry(algorithms=["RS256", "ES256"], strict_check_header=False)
            token = jwt.encode(header, claims, key, registry=registry)
        if self.fault == "changed":
            head, body, signature = token.split(".")
            padded = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)).replace(b'"ada"', b'"eve"')
            token = ".".join([head, base64url(padded), signature])
        return {"id_token": token, "access_token": access, "token_type": "Bearer"}


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        provider, path, query = self.server, *urllib.parse.urlsplit(self.path)[2:4]
        values = dict(urllib.parse.parse_qsl(query))
        provider.asked.append(path)
        if provider.fault == f"dead {path}":
            return self.connection.close()
        if path == "/.well-known/openid-configuration":
            self.answer(provider.document())
        elif path == "/keys":
            self.answer({"keys": [key.as_dict(private=False) for key in provider.keys]})
        elif path == "/user":
            subject = "eve" if provider.fault == "user" else "ada"
            self.answer({"sub": subject, "groups": ["shop"]})
        elif path == "/authorize":
            code = secrets.token_urlsafe()
            provider.codes[code] = values
            back = {"code": code, "state": values["state"], "iss": provider.issuer}
            back |= {"state": {"state": "other"}, "answer": {"iss": "http://other"}}.get(provider.fault, {})
            if provider.fault == "no issuer in answer":
                del back["iss"]
            if provider.fault == "refused":
                back = {"error": "access_denied", "state": values["state"], "iss": provider.issuer}
            self.answer(None, 302, {"Location": values["redirect_uri"] + "?" + urllib.parse.urlencode(back)})

    def do_POST(self):
        provider = self.server
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        provider.asked.append("/token")
        if provider.fault == "slow":
            # It answers nothing until the daemon gives up.
            assert self.connection.recv(1) == b""
            return
        tokens = provider.tokens(form, self.headers["Authorization"])
        if provider.fault == "large":
            tokens["more"] = "x" * (1 << 20)
        if provider.fault == "moved":
            return self.answer(tokens, 307, {"Location": provider.issuer + "/token"})
        self.answer(tokens or {"error": "invalid_grant"}, 200 if tokens else 400)

    def answer(self, body, status=200, headers={}):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except ConnectionError:
            pass

    def log_message(self, *_):
        pass


# Each fault, and a part of the sentence that the person reads.
FAULTS = {
    "other issuer in document": "names another issuer", "dead /.well-known/openid-configuration": "cannot be reached",
    "dead /keys": "cannot be reached", "slow": "cannot be reached", "large": "too long", "moved": "status 307",
    "refused": "access_denied", "state": "not begun here", "answer": "another issuer",
    "no issuer in answer": "another issuer", "issuer": "another issuer", "audience": "another client",
    "two audiences": "another client", "party": "another client", "expired": "has expired", "old": "not made now",
    "future": "not made now", "no times": "no times", "nonce": "another sign-in", "no nonce": "another sign-in",
    "access token": "another access token", "nobody": "names nobody", "unknown key": "no key", "wrong key": "signature is wrong",
    "changed": "signature is wrong", "unsigned": "algorithm", "public key as secret": "algorithm", "critical": "critical",
    "overage": "fewer groups"}


def broken_provider():
    for fault, sentence in FAULTS.items():
        provider = Provider()
        provider.fault, port = fault, free_port()
        with Daemon(tokens=TOKENS, settings=settings(provider.issuer, port), port=port) as daemon:
            base, browser = f"http://localhost:{port}", Browser()
            answer = browser.get(base + "/v1/login")
            assert answer.status == 403, f"{fault}: {answer.status}"
            assert sentence in answer.text, f"{fault}: {answer.text}"
            assert signed_in(browser, base) is None, fault
            accounts = daemon.json("GET", "/v1/accounts", headers={"Authorization": "Bearer root"})
            assert accounts["accounts"] == [], fault
        provider.shutdown()
    print(f"{len(FAULTS)} broken promises: nobody is let in, and the person reads why")


def sound_provider():
    provider, port = Provider(), free_port()
    root = {"Authorization": "Bearer root"}
    with Daemon(tokens=TOKENS, settings=settings(provider.issuer, port), port=port) as daemon:
        base, browser = f"http://localhost:{port}", Browser()
        shell = browser.get(base + "/console/sign-in")
        assert 'data-sign-in="/v1/login" data-provider="Test"' in shell.text
        answer = browser.get(base + "/v1/login?next=/console/a/shop")
        assert answer.status == 200 and "url=/console/a/shop" in answer.text, answer.text
        lines = answer.headers.get_all("Set-Cookie")
        assert all("HttpOnly" in line and "Secure" in line for line in lines)
        assert any("SameSite=Strict" in line and line.startswith("__Host-bellwether=bw_") for line in lines)
        session = signed_in(browser, base)
        assert session["name"] == "ada@" + provider.issuer
        assert session["roles"] == {"*": "reader", "shop": "owner"}
        assert session["sign_out_url"].startswith(provider.issuer + "/end?client_id=")
        listed = daemon.json("GET", "/v1/accounts", headers=root)["accounts"]
        assert [(one["display_name"], one["source"], one["sessions"]) for one in listed] == [("Ada L.", "provider", 1)]

        # The answer is of no use a second time, or in another browser.
        step = browser.get(base + "/v1/login", follow=False)
        back = browser.get(step.headers["Location"], follow=False).headers["Location"]
        assert Browser().get(back).status == 403
        assert browser.get(back).status == 200
        assert browser.get(back).status == 403

        # The provider decides the roles at each sign-in, and open sessions have them.
        provider.groups = ["admins"]
        other = Browser()
        assert other.get(base + "/v1/login").status == 200
        assert signed_in(browser, base)["roles"] == {"*": "admin"}
        name = urllib.parse.quote(session["name"], safe="")
        for method, path, body in [("PUT", "", {"roles": {"*": "reader"}}), ("POST", "/link", None)]:
            status, _, text = daemon.request(method, f"/v1/accounts/{name}{path}", body, root)
            assert status == 409 and b"of_provider" in text, text

        # The key changes, between the way there and the way back; then an elliptic one.
        for key in (RSAKey.generate_key(2048, {"kid": "two"}), ECKey.generate_key("P-256", {"kid": "three"})):
            step = browser.get(base + "/v1/login", follow=False)
            back = browser.get(step.headers["Location"], follow=False).headers["Location"]
            provider.keys = [key]
            answer = browser.get(back)
            # An unknown key is looked for once a minute at most, so that nobody can make the daemon ask.
            assert answer.status == 403 and "no key" in answer.text, answer.text
        assert provider.asked.count("/keys") == 1

        # Groups that only the user information has; no group that has a role.
        status, _, _ = daemon.request("DELETE", f"/v1/accounts/{name}", headers=root)
        assert status == 204 and signed_in(browser, base) is None
    for change, status in [("no groups", 200), ("other groups", 403), ("user", 403), ("elliptic", 200), ("no kid", 200)]:
        provider = Provider()
        provider.groups = [] if change in ("no groups", "user") else ["others"] if change == "other groups" else ["shop"]
        provider.fault, port = change, free_port()
        if change == "elliptic":
            provider.keys = [ECKey.generate_key("P-256", {"kid": "one"})]
        with Daemon(tokens=TOKENS, settings=settings(provider.issuer, port), port=port):
            base, browser = f"http://localhost:{port}", Browser()
            answer = browser.get(base + "/v1/login?next=https://evil.example/")
            assert answer.status == status, f"{change}: {answer.text}"
            assert "evil" not in answer.text, "it leads to pages of the console only"
            assert (signed_in(browser, base) is None) == (status == 403), change
    print("a sound provider: roles, keys, user information, and an answer that is used once")


def real_provider():
    """Canaille: it demands PKCE and takes a code once."""
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    at, port = free_port(), free_port()
    key = JWKRegistry.generate_key("RSA", 2048)
    key.ensure_kid()
    app = create_app(config={
        "TESTING": True, "ENV_FILE": None, "SECRET_KEY": "secret", "WTF_CSRF_ENABLED": False,
        "PREFERRED_URL_SCHEME": "http", "SERVER_NAME": f"localhost:{at}",
        "CANAILLE": {"DATABASE": "memory", "JAVASCRIPT": False, "ACL": {"DEFAULT": {"PERMISSIONS": ["use_oidc"]}}},
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)]}})
    server = pytest_iam.Server(app, at, pytest_iam.Backend.instance)
    threading.Thread(target=server.httpd.serve_forever, daemon=True).start()
    base = f"http://localhost:{port}"
    with app.app_context():
        client = server.models.Client(
            client_id="bellwether", client_secret="secret", client_name="Bellwether", client_uri=base,
            redirect_uris=[base + "/v1/login/callback"], grant_types=["authorization_code"], response_types=["code"],
            token_endpoint_auth_method="client_secret_basic", id_token_signed_response_alg="RS256", scope=["openid", "profile", "email", "groups"])
        server.backend.save(client)
        client.audience = [client]
        server.backend.save(client)
        people = [server.random_user(user_name=name) for name in ("ada", "ben")]
        server.random_group(display_name="shop", members=[people[0]])
        server.random_group(display_name="others", members=[people[1]])
        document = json.loads(send(urllib.request.Request(server.url + ".well-known/openid-configuration")).text)
        given = settings(document["issuer"], port, "bellwether", "secret")
        with Daemon(tokens=TOKENS, settings=given, port=port):
            for person, name, status in [(people[0], "ada", 200), (people[1], "ben", 403)]:
                server.login(person)
                server.consent(person, client)
                browser = Browser()
                answer = browser.get(base + "/v1/login")
                assert answer.status == status, f"{name}: {answer.status} {answer.text[:2000]}"
                session = signed_in(browser, base)
                assert (session is not None) == (status == 200), name
                if session:
                    assert session["roles"] == {"*": "reader", "shop": "owner"}, session
            # Another verifier than that of the request is refused by the provider.
            server.login(people[0])
            browser = Browser()
            step = browser.get(base + "/v1/login", follow=False).headers["Location"]
            other = step.replace(re.search("code_challenge=([^&]+)", step)[1], "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            answer = browser.get(other)
            assert answer.status == 403 and "status 400" in answer.text, answer.text
    server.httpd.shutdown()
    print("Canaille: a person with a role is let in, one without is not, and a wrong verifier is refused")


if __name__ == "__main__":
    sound_provider()
    broken_provider()
    real_provider()
