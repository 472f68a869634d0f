"""A second browser engine: Firefox, over WebDriver BiDi, because Playwright cannot control Debian's Firefox.

The tests run if `firefox-esr` is installed, and are skipped otherwise.
"""

import contextlib
import itertools
import json
import shutil
import subprocess

import pytest
from conftest import APP, eventually, free_port

websockets = pytest.importorskip("websockets.sync.client")
FIREFOX = shutil.which("firefox-esr")
pytestmark = pytest.mark.skipif(FIREFOX is None, reason="firefox-esr is not installed")


class Firefox:
    """One page of a headless Firefox."""

    def __init__(self, profile):
        port = free_port()
        self.process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack = contextlib.ExitStack()
        self.socket = eventually(lambda: self.connect(port), 60)
        assert self.socket, "Firefox does not listen"
        self.numbers = itertools.count(1)
        self.send("session.new", {"capabilities": {}})
        self.page = self.send("browsingContext.getTree", {})["contexts"][0]["context"]

    def connect(self, port):
        try:
            return self.stack.enter_context(websockets.connect(f"ws://127.0.0.1:{port}/session", open_timeout=5))
        except OSError:
            return None

    def send(self, method, parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=60))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url):
        self.send("browsingContext.navigate", {"context": self.page, "url": url, "wait": "complete"})

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        result = self.send("script.evaluate", {
            "expression": f"(async () => JSON.stringify(await ({expression})))()", "target": {"context": self.page},
            "awaitPromise": True, "resultOwnership": "none"})
        assert result["type"] == "success", result
        value = result["result"].get("value")
        return None if value is None else json.loads(value)

    def press(self, text):
        """Presses the button, radio or checkbox with this text, once it exists."""
        find = f"""[...document.querySelector("bellwether-view").shadowRoot.querySelectorAll("button, label")]
            .find(e => e.textContent.trim() === {json.dumps(text)})"""
        assert eventually(lambda: self.evaluate(f"Boolean(document.querySelector('bellwether-view') && {find})")), text
        self.evaluate(f"{find}.click()")

    def close(self):
        self.stack.close()
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    firefox = Firefox(tmp_path_factory.mktemp("firefox"))
    yield firefox
    firefox.close()


def test_a_questionnaire_is_answered_in_firefox(firefox, daemon):
    firefox.open(f"{daemon.url}/s/{APP}/feedback")
    for text in ("7", "Next", "Skip", "Maps", "Next", "Skip", "Submit"):
        firefox.press(text)
    heading = "document.querySelector('bellwether-view').shadowRoot.querySelector('h2')?.textContent"
    assert eventually(lambda: firefox.evaluate(heading) == "Thanks!")
    assert daemon.responses("feedback")[0]["answers"] == {"recommend": 7, "use": "maps"}


def test_a_survey_is_modal_and_escape_closes_it_in_firefox(firefox, daemon):
    firefox.open(f"{daemon.url}/sample/{APP}")
    assert eventually(lambda: firefox.evaluate("typeof bellwether === 'object'"))
    assert firefox.evaluate("bellwether.show('habits')") is True
    firefox.press("Fruit")
    firefox.press("Next")
    shown = "getComputedStyle([...document.querySelector('bellwether-view').shadowRoot.querySelectorAll('.question')]" \
            ".find(e => e.textContent.startsWith('Which fruit?'))).display !== 'none'"
    assert firefox.evaluate(shown) is True
    firefox.send("input.performActions", {"context": firefox.page, "actions": [
        {"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": "\ue00c"}, {"type": "keyUp", "value": "\ue00c"}]}]})
    assert eventually(lambda: firefox.evaluate("document.querySelectorAll('bellwether-view').length") == 0)
