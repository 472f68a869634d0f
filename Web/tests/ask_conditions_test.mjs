// Conditions as rows: rows have the daemon's verdict, and a condition that rows cannot express stays unchanged.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dialects, fresh, isWhole } from "../console/ask/dialects.js";
import { isSame } from "../console/document/document.js";
import { holds } from "../shared/conditions.js";

const vectors = new URL("../../vectors/conditions.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));

const verdict = (dialect, condition, facts) => condition === undefined || holds(dialect, condition, facts);

test("a condition that is read and written is the same", () => {
  for (const { dialect, condition } of cases) {
    const { read, write } = dialects[dialect];
    const group = read(condition);
    const written = write(group);
    if (group.parts.length > 0) assert.ok(isSame(written, condition), JSON.stringify([condition, written]));
    else assert.equal(verdict(dialect, written, {}), true);
  }
});

test("a condition that is built in rows has the daemon's verdict on every vector", () => {
  const told = {};
  for (const vector of cases) {
    const { dialect, condition, facts, want } = vector;
    const group = dialects[dialect].read(condition);
    told[dialect] ??= [0, 0];
    told[dialect][isWhole(group) ? 0 : 1] += 1;
    if (!isWhole(group)) continue;
    const built = dialects[dialect].write(fresh(group));
    assert.equal(verdict(dialect, built, facts), want, JSON.stringify([vector, built]));
  }
  // Rows express most vectors; without this check, a test that reads no vector would pass.
  for (const [dialect, [said, locked]] of Object.entries(told)) {
    assert.ok(said >= 25, `${dialect}: ${said} in rows, ${locked} locked`);
  }
});
