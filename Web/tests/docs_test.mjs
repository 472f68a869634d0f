// Tests the search of the documents, on a small index and on the index that is served.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { find } from "../docs/search.js";

const small = {
  pages: [["messaging", "Messaging"], ["reference/surveys", "Surveys"]],
  sections: [[0, "Messaging", "messaging"], [0, "Display cap", "display-cap"], [1, "Quotas", "quotas"]],
  words: ["cap 1 1", "client_id 0", "message", "quota 1", "quotas 2"],
};
const addresses = (query, limit = 9) => find(small, query, limit).map((found) => found.address);

test("a heading with the word goes before a text with it, and the beginning of a page has no anchor", () => {
  assert.deepEqual(addresses("cap"), ["messaging#display-cap", "reference/surveys#quotas"]);
  assert.deepEqual(addresses("messaging"), ["messaging", "messaging#display-cap"]);
});

test("each word of a query must be there, as a word or as its beginning, in any case", () => {
  assert.deepEqual(addresses("Quota CAP"), ["messaging#display-cap", "reference/surveys#quotas"]);
  assert.deepEqual(addresses("client"), ["messaging"]);
  assert.deepEqual(addresses("client_id cap"), []);
});

test("a common word excludes no section", () => {
  assert.deepEqual(addresses("message cap"), addresses("cap"));
});

test("a query without words finds nothing, and a limit holds", () => {
  for (const query of ["", "  ", "()", "…"]) assert.deepEqual(addresses(query), []);
  assert.deepEqual(addresses("cap", 1), ["messaging#display-cap"]);
});

test("the served index finds a rule by its heading, its key and its error", () => {
  const index = JSON.parse(readFileSync(new URL("../dist/docs_search.json", import.meta.url), "utf8"));
  const first = (query) => find(index, query, 3).map((found) => found.address);
  assert.ok(first("selection").includes("reference/messaging#selection"));
  assert.ok(first("rate limits").includes("operators-guide#rate-limits"));
  assert.ok(first("user_proof").length > 0);
});
