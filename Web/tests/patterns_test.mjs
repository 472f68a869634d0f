// Patterns mean the same in the page as in the daemon (docs/reference/surveys.md#patterns).
import assert from "node:assert/strict";
import { test } from "node:test";
import { patternToRegExp } from "../shared/patterns.js";

/** @param {string} pattern @param {string} text */
const isFound = (pattern, text) => patternToRegExp(pattern).test(text);

test("a pattern is searched, and $ is the end of the text only", () => {
  assert.ok(isFound("[0-9]{3}", "ab123cd"));
  assert.ok(!isFound("^[A-Z]{2}$", "AB\n"));
});

test("classes are those of Unicode, in and outside of sets", () => {
  assert.ok(isFound("^\\w+$", "naïve_٣"));
  assert.ok(isFound("^[\\d-]+$", "12-٣"));
  assert.ok(!isFound("\\s", "\u000b"));
  assert.ok(isFound("^\\p{Lu}\\P{L}$", "Ä1"));
  assert.ok(isFound("^[^\\W_]$", "a"));
});

test("groups, flags, first brackets and code points are read", () => {
  assert.ok(isFound("(?i)^(ab|c)(?:d)+?$", "ABdd"));
  assert.ok(isFound("^[]a&]+$", "]a&"));
  assert.ok(isFound("^\\x{1F600}\\u0041$", "😀A"));
  assert.ok(isFound("a\\bb|\\Bc", "xc"));
});

test("what the daemon refuses is refused", () => {
  for (const pattern of ["(?=a)", "(a)\\1", "(?<n>a)", "[[a]]", "\\k"]) {
    assert.throws(() => patternToRegExp(pattern), pattern);
  }
});
