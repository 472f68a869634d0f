"""A second browser engine: Firefox, over WebDriver BiDi, because Playwright cannot control Debian's Firefox.

The tests need `firefox-esr`, and are skipped without it. Those that are marked `firefox` run in .ci/long.
"""

import contextlib
import itertools
import json
import shutil
import subprocess
import time

import pytest
from conftest import APP, PATIENCE, eventually

websockets = pytest.importorskip("websockets.sync.client")


class Firefox:
    """One page of a headless Firefox."""

    def __init__(self, program, profile):
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack = contextlib.ExitStack()
        self.numbers = itertools.count(1)
        self.profile = profile

    def connect(self):
        # Firefox chooses a free port, and writes it when it listens.
        port = None
        while port is None:
            assert self.process.poll() is None, "Firefox has ended"
            port = self.port(self.profile / "WebDriverBiDiServer.json")
            time.sleep(0.05)
        self.socket = self.stack.enter_context(
            websockets.connect(f"ws://127.0.0.1:{port}/session", open_timeout=PATIENCE, max_size=None))
        self.send("session.new", {"capabilities": {}})
        self.page = self.send("browsingContext.getTree", {})["contexts"][0]["context"]

    @staticmethod
    def port(file):
        try:
            return json.loads(file.read_text())["ws_port"]
        except (OSError, ValueError):
            return None

    def ask(self, method, parameters):
        """The answer to a command, which may be an error."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            # Firefox answers its first commands only when it has started, which takes long on a busy machine.
            answer = json.loads(self.socket.recv(timeout=3 * PATIENCE))
            if answer.get("id") == number:
                return answer

    def send(self, method, parameters):
        answer = self.ask(method, parameters)
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url):
        """Opens a page. Firefox aborts a navigation while the page before navigates by itself: it then begins again."""
        def navigate():
            answer = self.ask("browsingContext.navigate", {"context": self.page, "url": url, "wait": "complete"})
            return answer if "NS_BINDING_ABORTED" not in answer.get("message", "") else None

        answer = eventually(navigate)
        assert answer and answer["type"] == "success", answer or f"Firefox does not open {url}"

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        result = self.send("script.evaluate", {
            "expression": f"(async () => JSON.stringify(await ({expression})))()", "target": {"context": self.page},
            "awaitPromise": True, "resultOwnership": "none"})
        assert result["type"] == "success", result
        value = result["result"].get("value")
        return None if value is None else json.loads(value)

    def click(self, selector, text, root="document"):
        """Presses the element of a selector that has this text, once it exists: finding and pressing are one step."""
        press = f"""(() => {{
            const found = [...{root}?.querySelectorAll({json.dumps(selector)}) ?? []].find(e => e.textContent.trim() === {json.dumps(text)});
            found?.click();
            return Boolean(found);
        }})()"""
        assert eventually(lambda: self.evaluate(press)), text

    def press(self, text):
        """Presses the button, radio or checkbox of the widget with this text, once it exists."""
        self.click("button, label", text, "document.querySelector('bellwether-view')?.shadowRoot")

    def close(self):
        self.stack.close()
        self.process.terminate()
        self.process.wait(PATIENCE)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    program = shutil.which("firefox-esr")
    if program is None:
        pytest.skip("firefox-esr is not installed")
    firefox = Firefox(program, tmp_path_factory.mktemp("firefox"))
    try:
        firefox.connect()
        yield firefox
    finally:
        firefox.close()


def test_a_questionnaire_is_answered_in_firefox(firefox, daemon):
    firefox.open(f"{daemon.url}/s/{APP}/feedback")
    for text in ("7", "Next", "Skip", "Maps", "Next", "Skip", "Submit"):
        firefox.press(text)
    heading = "document.querySelector('bellwether-view').shadowRoot.querySelector('h2')?.textContent"
    assert eventually(lambda: firefox.evaluate(heading) == "Thanks!")
    assert daemon.responses("feedback")[0]["answers"] == {"recommend": 7, "use": "maps"}


@pytest.mark.firefox
def test_a_survey_is_modal_and_escape_closes_it_in_firefox(firefox, daemon):
    firefox.open(f"{daemon.url}/sample/{APP}")
    assert eventually(lambda: firefox.evaluate("typeof bellwether === 'object'"))
    assert firefox.evaluate("bellwether.show('habits')") is True
    firefox.press("Fruit")
    firefox.press("Next")
    shown = "getComputedStyle([...document.querySelector('bellwether-view').shadowRoot.querySelectorAll('.question')]" \
            ".find(e => e.textContent.startsWith('Which fruit?'))).display !== 'none'"
    assert eventually(lambda: firefox.evaluate(shown))
    firefox.send("input.performActions", {"context": firefox.page, "actions": [
        {"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": "\ue00c"}, {"type": "keyUp", "value": "\ue00c"}]}]})
    assert eventually(lambda: firefox.evaluate("document.querySelectorAll('bellwether-view').length") == 0)
