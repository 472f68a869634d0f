// Colours, comparisons, languages, problems and texts that the widget and the console share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { characters } from "../shared/characters.js";
import {
  black,
  contrast,
  cssColor,
  flatten,
  inkOn,
  mix,
  parseColor,
  readable,
  safeColor,
  white,
} from "../shared/color.js";
import { areEqual, canonicalText, isObject, member, orderedNumber, textMember } from "../shared/comparison.js";
import { english, Texts } from "../shared/i18n.js";
import { canonicalTag, directionOf, isRead, languageOf, scriptOf } from "../shared/languages.js";
import { faultsByField } from "../shared/problems.js";

test("a short colour is the long one with doubled digits", () => {
  assert.deepEqual(parseColor("#f80"), [255, 136, 0, 1]);
  assert.deepEqual(parseColor("#ff8800"), [255, 136, 0, 1]);
  assert.deepEqual(parseColor("#F808"), [255, 136, 0, 136 / 255]);
  assert.deepEqual(parseColor("#ff880000"), [255, 136, 0, 0]);
});

test("a computed colour is read in both notations", () => {
  assert.deepEqual(parseColor("rgb(1, 2, 3)"), [1, 2, 3, 1]);
  assert.deepEqual(parseColor("rgba(1, 2, 3, 0.5)"), [1, 2, 3, 0.5]);
  assert.deepEqual(parseColor("rgb(1 2 3 / 0.25)"), [1, 2, 3, 0.25]);
  assert.deepEqual(parseColor("transparent"), [0, 0, 0, 0]);
});

test("a text that is no colour is none, and can add nothing to a style sheet", () => {
  for (const text of ["red", "#12", "#12345", "url(x)", "#fff;x:y", "", 7, null]) {
    assert.equal(parseColor(text), undefined, String(text));
    assert.equal(safeColor(text), undefined);
  }
  assert.equal(safeColor("#fff"), "rgb(255 255 255 / 1)");
  assert.equal(cssColor([1, 2, 3, 0.5]), "rgb(1 2 3 / 0.5)");
});

test("black on white has the largest contrast, and a colour with itself the least", () => {
  assert.equal(contrast([0, 0, 0, 1], white), 21);
  assert.equal(contrast(white, white), 1);
  assert.equal(contrast(white, [10, 20, 30, 1]), contrast([10, 20, 30, 1], white));
});

test("a transparent colour lets the ground through", () => {
  assert.deepEqual(flatten([0, 0, 0, 0], [10, 20, 30, 1]), [10, 20, 30, 1]);
  assert.deepEqual(flatten([0, 0, 0, 0.5], white), [128, 128, 128, 1]);
  assert.deepEqual(mix(white, black, 1), white);
});

test("the ink is the one that is better on the worst of the grounds", () => {
  assert.equal(inkOn([255, 255, 0, 1]), black);
  assert.equal(inkOn([0, 0, 90, 1]), white);
  assert.equal(inkOn([0, 0, 90, 1], [30, 30, 30, 1]), white);
});

test("a colour with enough contrast stays, and another becomes one that can be read", () => {
  assert.deepEqual(readable([0, 0, 139, 1], white), [0, 0, 139, 1]);
  for (const color of [[255, 255, 0, 1], [200, 200, 200, 1], [255, 120, 120, 0.4]]) {
    assert.ok(contrast(readable(color, white), white) >= 4.5, String(color));
    assert.ok(contrast(readable(color, black, 7), black) >= 7, String(color));
  }
});

test("an object is neither a list nor null, and a member of null is absent", () => {
  assert.ok(isObject({}) && !isObject([]) && !isObject(null) && !isObject("a"));
  assert.equal(member({ a: null }, "a"), undefined);
  assert.equal(member({}, "toString"), undefined);
  assert.equal(textMember({ a: 1, b: "x" }, "a"), undefined);
  assert.equal(textMember({ a: 1, b: "x" }, "b"), "x");
});

test("the canonical text of a value has sorted keys and plain numbers", () => {
  assert.equal(canonicalText({ b: [1, "x"], a: null }), '{"a":null,"b":[1,"x"]}');
  assert.equal(canonicalText(5.0), "5");
  assert.equal(canonicalText(1e21), "1e21");
  assert.equal(canonicalText(0.000001), "1e-6");
  assert.equal(canonicalText("x"), "x");
});

test("keys are sorted by their characters, not by halves of them", () => {
  assert.equal(canonicalText({ "\u{1F600}": 1, "\uFF5E": 2 }), '{"\uFF5E":2,"\u{1F600}":1}');
});

test("a strict comparison has types, and the others have texts or numbers", () => {
  assert.ok(!areEqual("strict", 5, "5"));
  assert.ok(areEqual("strict", { a: [1] }, { a: [1] }));
  assert.ok(areEqual("text", 5, "5"));
  assert.ok(areEqual("auto", "5.0", 5));
  assert.ok(!areEqual("text", "5.0", 5));
  assert.ok(!areEqual("exact", "5.0", "5"));
  assert.ok(areEqual("number", "5.0", "5"));
  assert.ok(!areEqual("number", "a", "a"));
});

test("a text is ordered as a number only where the comparison reads texts", () => {
  assert.equal(orderedNumber("auto", "5"), 5);
  assert.equal(orderedNumber("textAndNumbers", "5"), undefined);
  assert.equal(orderedNumber("auto", "5 "), undefined);
  assert.equal(orderedNumber("auto", "1e999"), undefined);
});

test("a tag with an old code or an underscore is the present one", () => {
  assert.equal(canonicalTag("iw_IL"), "he-il");
  assert.equal(canonicalTag("de_DE@euro"), "de-de");
  assert.equal(canonicalTag("not a tag"), "not a tag");
  assert.equal(languageOf("iw"), "he");
  assert.equal(languageOf("?"), "");
});

test("the script of a language decides who can read it", () => {
  assert.equal(scriptOf("zh-TW"), "Hant");
  assert.ok(isRead("de-AT", "de"));
  assert.ok(!isRead("zh-TW", "zh-CN"));
  assert.ok(isRead("zh-TW", "zh-Hant-HK"));
});

test("Arabic and Hebrew are written from the right, in whatever region", () => {
  for (const tag of ["ar", "he-US", "fa", "ur-PK"]) assert.equal(directionOf(tag), "rtl", tag);
  for (const tag of ["en", "ja", "az", ""]) assert.equal(directionOf(tag), "ltr", tag);
});

test("a character of several code points counts once", () => {
  assert.deepEqual(characters("e\u0301👨‍👩‍👧a"), ["e\u0301", "👨‍👩‍👧", "a"]);
});

test("faults are grouped by the question that they name, and the first counts", () => {
  const faults = faultsByField({
    errors: [
      { code: "required", pointer: "/answers/q~11" },
      { code: "range", pointer: "/answers/q~11" },
      { code: "type", pointer: "/answers", question_id: "q2" },
      { code: "limit" },
    ],
  });
  assert.deepEqual([...faults].map(([id, { code }]) => [id, code]), [["q/1", "required"], ["q2", "type"], [
    "",
    "limit",
  ]]);
});

test("a problem without errors has no faults", () => {
  for (const problem of [null, undefined, {}, { errors: "x" }]) assert.equal(faultsByField(problem).size, 0);
});

test("a text of the page comes before that of the definition, and this before the widget's own", () => {
  const own = { title: "Eigenes", close: "Zu", back: "" };
  assert.equal(new Texts({ title: "Page" }, { title: "Definition" }, own).get("title"), "Page");
  assert.equal(new Texts({}, { title: "Definition" }, own).get("title"), "Definition");
  assert.equal(new Texts({}, { title: "" }, own).get("title"), "Eigenes");
  assert.equal(new Texts({}).get("title"), english.title);
  assert.equal(new Texts({}).get("no_such_key"), "no_such_key");
});

test("placeholders without a value stay", () => {
  const texts = new Texts({ progress: "{n} of {total} {x}" });
  assert.equal(texts.get("progress", { n: 1, total: 2 }), "1 of 2 {x}");
});

test("texts of a part do not replace those of the respondent's language", () => {
  const texts = new Texts({}, {}, { faultNumber: "Eine Zahl." }).over({ faultNumber: "A number.", more: "More." });
  assert.equal(texts.get("faultNumber"), "Eine Zahl.");
  assert.equal(texts.get("more"), "More.");
});

test("a range with both bounds is one sentence, and one with a single bound another", () => {
  const texts = new Texts({}, {}, {}, "en");
  assert.equal(texts.fault({ code: "range", bounds: { min: 1, max: 5 } }), "Enter a number from 1 to 5.");
  assert.equal(texts.fault({ code: "range", bounds: { min: 1000 } }), "Enter 1,000 or more.");
  assert.equal(texts.fault({ code: "range", bounds: { max: 5 } }), "Enter 5 or less.");
});

test("a bound that is a date is written in the reader's language", () => {
  const fault = { code: "range", bounds: { min: "2026-03-01" } };
  assert.equal(new Texts({}, {}, {}, "en").fault(fault), "Choose March 1, 2026 or later.");
  assert.equal(new Texts({}, {}, {}, "de").fault(fault), "Choose 1. März 2026 or later.");
});

test("a rule's fault has its author's words", () => {
  assert.equal(new Texts({}).fault({ code: "rule", message: "Too far." }), "Too far.");
  assert.equal(new Texts({}).fault({ code: "rule" }), english.pattern);
});

test("a fault without a sentence of its own is a general one", () => {
  assert.equal(new Texts({}).fault({ code: "required" }), english.errorRequiredMissing);
  assert.equal(new Texts({}).fault({ code: "something_new" }), english.errorGeneric);
  assert.equal(new Texts({}).fault({ code: "duplicate" }), english.duplicate);
});
