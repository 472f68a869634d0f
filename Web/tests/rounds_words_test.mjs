// Rounds in lists, files and explanations.

import assert from "node:assert/strict";
import { test } from "node:test";
import { responseLines } from "../console/csv.js";
import { addTexts } from "../console/texts.js";
import texts from "../console/texts/en_explain.js";
import { valueWords } from "../console/views/explain-words.js";

addTexts(texts);

test("a closed gate says which round was answered, and when the person is asked again", () => {
  assert.equal(valueWords("already_responded", "round", 2), "round 2 was answered last");
  assert.equal(valueWords("already_responded", "until", null), "not asked again");
  for (const gate of ["already_responded", "interaction", "display_cap", "display_limit"]) {
    assert.match(valueWords(gate, "until", "2027-02-25T17:02:36.144Z"), /^asked again from .*Feb.*2027/);
  }
  // The end of any other gate is no asking.
  assert.match(valueWords("cooldown", "until", "2027-02-25T17:02:36.144Z"), /^until is .*2027/);
  assert.equal(valueWords("interaction", "dismissals", 1), "dismissals is 1");
});

test("a file of responses has a column of rounds if one has a round", () => {
  const item = { id: "a", status: "new", texts: [] };
  const [head, first] = responseLines([{ ...item, round: 2 }]);
  const place = head.trim().split(",").indexOf("round");
  assert.ok(place > 0, head);
  assert.equal(first.trim().split(",")[place], "2");
  assert.ok(!responseLines([item])[0].includes("round"));
});
