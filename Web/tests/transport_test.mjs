// Tests which responses lead to another attempt.
import assert from "node:assert/strict";
import { test } from "node:test";
import { backoff, isFinal, randomId } from "../client/transport.js";

test("attempts wait longer each time, up to five minutes, with jitter", () => {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const longest = Math.min(300_000, 1000 * 2 ** attempt);
    for (let sample = 0; sample < 20; sample += 1) {
      const wait = backoff(attempt);
      assert.ok(wait >= longest / 2 && wait <= longest, `${attempt}: ${wait}`);
    }
  }
});

test("the daemon's word counts where it is longer", () => {
  assert.equal(backoff(0, 60_000), 60_000);
});

test("only what cannot change is final", () => {
  for (const status of [200, 201, 400, 403, 404, 409, 422]) assert.ok(isFinal(status));
  for (const status of [401, 408, 425, 429, 500, 503]) assert.ok(!isFinal(status));
});

test("ids are 128 bits", () => {
  assert.match(randomId(), /^[0-9a-f]{32}$/);
  assert.notEqual(randomId(), randomId());
});
