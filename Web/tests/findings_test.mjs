// The daemon's findings in words, and its own sentence where there are none.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { findingsOf } from "../console/forms/findings.js";
import { findingInWords, rows } from "../console/language/findings.js";

test("the commonest findings have words for people", () => {
  const cases = [
    ["required", 'the member "options" is missing', "Missing: “options”."],
    ["type", "expected a string, found an integer", "This is a whole number, and has to be a text."],
    ["length", "expected 1 to 200 characters, found 0", "This is empty."],
    ["length", "expected 2 to 200 characters, found 1", "This has 1 character; 2 to 200 are allowed."],
    ["range", "expected a number 1 to 10000, found -2", "-2 is not between 1 and 10,000."],
    ["range", "expected a number of at least 1, found 0", "0 is less than 1."],
    ["range", "a stage is larger than the one before: above 2500", "A stage is larger than the one before."],
    ["choice", 'expected one of "a", "b", found "c"', "“c” is not possible here. Possible: “a”, “b”."],
    ["duplicate", "another question has the id first", "The same id is there twice."],
    ["unknown_key", 'nothing reads the key "titel": did you mean "title"?', "“titel” has no effect. Is “title” meant?"],
    ["unknown_key", 'nothing reads the key "x" of the type "text"', "“x” has no effect."],
    ["unknown_surface", '"hom" is none of "home", "sheet"', "The app has no surface “hom”. It has “home”, “sheet”."],
    [
      "unknown_trigger",
      'there is no trigger "PRO": the message is malformed',
      "There is no trigger “PRO”. The message is not shown.",
    ],
    [
      "plain_text",
      "the text is no id, so it has no translation for de, fr, and 3 more like it",
      "This text and 3 more have no id, so they cannot be translated: de, fr.",
    ],
  ];
  for (const [code, message, words] of cases) assert.equal(findingInWords(code, message), words);
});

test("a finding without words stays as the daemon wrote it, without the place in bytes", () => {
  assert.equal(findingInWords("jexl_parse", "a value is missing (at byte 8)"), "a value is missing");
  assert.equal(findingInWords("length", "at most 8 recipes can be named"), "at most 8 recipes can be named");
  assert.equal(findingInWords("constructor", "x"), "x");
  const body = { errors: [{ pointer: "/a", code: "blank", message: "the text is blank" }], warnings: [{}] };
  assert.deepEqual(findingsOf(body).map(({ message, isWarning }) => [message, isWarning]), [
    ["This is empty.", false],
    ["", true],
  ]);
});

/** The texts between the groups, escapes and choices of a pattern. */
const fixedParts = (pattern) =>
  pattern.split(/\(\?<\w+>[^)]*\)|\([^)]*\)\??|\.\+|\\\S+|\||"|\d+/).map((part) => part.trim()).filter((part) =>
    part.length > 7
  );

test("each pattern has the words of a sentence in the daemon's sources", () => {
  const files = readdirSync("Sources", { recursive: true }).map(String).filter((file) => file.endsWith(".swift"));
  const sources = files.map((file) => readFileSync(`Sources/${file}`, "utf8")).join("\n");
  const missing = [];
  for (const [code, patterns] of rows) {
    for (const [pattern] of patterns) {
      for (const part of fixedParts(pattern)) if (!sources.includes(part)) missing.push(`${code}: ${part}`);
    }
  }
  assert.deepEqual(missing, []);
});
