// What is in a field is judged in the page as in the daemon (docs/reference/flows.md#faults-of-a-response).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Texts } from "../shared/i18n.js";
import { english as ofFields, faultOf } from "../widget/parts/judge.js";
import german from "../widget/texts/de.js";

/** @param {string} name */
const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8")).cases;

test("every text of a field is judged as by the daemon", () => {
  for (const { type, config, value, reason } of vectors("fields")) {
    const fault = faultOf({ type, config }, value);
    assert.equal(fault?.reason, reason, `${type} ${JSON.stringify(config)} ${value}`);
  }
});

test("no number with a country is refused", () => {
  for (const { text, e164 } of vectors("phones")) {
    if (e164) assert.equal(faultOf({ type: "phone" }, text), undefined, text);
  }
});

test("a sentence has its bounds in the reader's language", () => {
  const english = new Texts({}).in("en-US", {}).over(ofFields);
  const texts = new Texts({}).in("de-DE", german);
  const age = { code: "range", reason: "maximum", bounds: { min: 13, max: 1200 } };
  assert.equal(english.fault(age), "Enter a number from 13 to 1,200.");
  assert.equal(texts.fault(age), "Bitte gib eine Zahl von 13 bis 1.200 ein.");
  const day = { code: "range", reason: "minimumDate", bounds: { min: "2026-03-01" } };
  assert.equal(english.fault(day), "Choose March 1, 2026 or later.");
  assert.equal(texts.fault(day), "Bitte wähle 1. März 2026 oder später.");
  assert.equal(english.fault({ code: "too_long", bounds: { max: 20 } }), "Enter at most 20 characters.");
  assert.equal(
    english.fault({ code: "range", bounds: { min: "1900", max: "2026" } }),
    "Enter a number from 1900 to 2026.",
  );
  assert.equal(english.fault({ code: "range", bounds: { max: "2026-01-31" } }), "Choose January 31, 2026 or earlier.");
  const picture = { code: "too_long", reason: "imageBytes", bounds: { max: 524288 } };
  assert.equal(english.fault(picture), "Choose a smaller picture, of at most 524 kB.");
  const types = { code: "not_option", reason: "imageTypes", bounds: { types: ["image/png", ".jpg"] } };
  assert.equal(english.fault(types), "Choose a picture of another type: png, jpg.");
});

test("a fault without a sentence of its own has that of its code, and an unknown code a general one", () => {
  const english = new Texts({}).in("en", {}).over(ofFields);
  assert.equal(english.fault({ code: "range" }), "This is outside of the range.");
  assert.equal(english.fault({ code: "type", reason: "boolean" }), "This is not in the expected form.");
  assert.equal(english.fault({ code: "required", reason: "required" }), "Please answer this question.");
  assert.equal(english.fault({ code: "required", reason: "place" }), "Choose a place from the list.");
  assert.equal(english.fault({ code: "elsewhere", message: "expected a token" }), "Please try again.");
  assert.equal(english.fault({ code: "rule", message: "Twice, please." }), "Twice, please.");
});
