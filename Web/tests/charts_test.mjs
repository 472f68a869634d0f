// The texts of charts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lines, wide } from "../console/charts/plane.js";

test("a text that has no room in a line goes on in the next one, and loses no word", () => {
  const text = "23 · 77% [59–88] of those shown, 77% of the one before";
  for (const room of [120, 200, 300, 1000]) {
    const all = lines(text, room);
    assert.equal(all.join(" "), text);
    assert.ok(all.every((line) => wide(line) <= room));
  }
  assert.equal(lines(text, 1000).length, 1);
  assert.match(lines("Donaudampfschifffahrtsgesellschaft", 100)[0], /…$/);
});
