"""The QR code of a link, read by an independent decoder."""

import io
import re

import zxingcpp
from conftest import APP, ROOT, violations
from playwright.sync_api import expect
from PIL import Image
from test_pages import visit

PART = re.search(r"qr-\w+\.js", (ROOT / "Web/dist/digests").read_text()).group()
# The longest text of each version, and texts that are not ASCII.
TEXTS = [("a" * n)[:n - 1] + "Z" for n in (14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 504, 1125, 2331)] + [
    "https://feedback.example/s/shop/feedback?use=maps&plan=pro", "https://feedback.example/s/laden/umfrage?wer=Jürgen+Groß&ort=東京"]


def decoded(rows):
    scale, quiet = 3, 4
    size = (len(rows) + 2 * quiet) * scale
    image = Image.new("L", (size, size), 255)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                image.paste(0, ((x + quiet) * scale, (y + quiet) * scale, (x + quiet + 1) * scale, (y + quiet + 1) * scale))
    return zxingcpp.read_barcodes(image)


def test_codes_of_all_sizes_are_read(context, daemon):
    page = context.new_page()
    page.goto(f"{daemon.url}/s/{APP}/feedback")
    for text in TEXTS:
        rows = page.evaluate("async ([part, text]) => (await import(part)).matrix(text)", [f"{daemon.url}/assets/{PART}", text])
        found = decoded(rows)
        assert [code.text for code in found] == [text], (len(text), len(rows))
        assert found[0].ec_level == "M"


def test_the_code_of_a_hosted_link_is_one_press_away_in_the_preview(context, daemon):
    status, preview = daemon.call("POST", f"/v1/apps/{APP}/recipes/feedback/preview")
    page = visit(context, daemon.url + preview["url"])
    assert not any("/qr-" in url for url in page.asked)
    page.get_by_role("button", name="QR code of the link").click()
    code = page.get_by_role("img", name="QR code")
    code.wait_for()
    assert violations(page) == []
    link = f"{daemon.url}/s/{APP}/feedback"
    expect(page.get_by_role("link", name=link)).to_have_attribute("href", link)
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())).convert("L"))
    assert [code.text for code in found] == [link]
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.problems == []
    # A recipe without a page of its own has no code.
    daemon.put("unhosted", {"kind": "questionnaire", "name": "U", "schema": {"questions": [{"id": "q", "type": "nps", "title": "?"}]}})
    status, preview = daemon.call("POST", f"/v1/apps/{APP}/recipes/unhosted/preview")
    page = visit(context, daemon.url + preview["url"])
    page.get_by_role("radio", name="9", exact=True).wait_for()
    expect(page.locator("#link")).to_have_count(0)
    daemon.delete("unhosted")
