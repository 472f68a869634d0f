// Tests the types that apps see, with the compiler of Deno.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

/** The lines with faults that the compiler finds in a file. @param {string} name */
function faults(name) {
  const file = fileURLToPath(new URL(`types/${name}`, import.meta.url));
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const check = spawnSync("deno", ["check", "--no-remote", "--config", config, file], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  assert.equal(check.error, undefined);
  const lines = [...check.stderr.matchAll(new RegExp(`${name}:(\\d+):`, "g"))].map((match) => Number(match[1]));
  assert.equal(check.status === 0, lines.length === 0, check.stderr);
  return [...new Set(lines)].sort((one, other) => one - other);
}

test("a right use of the client has no fault", () => assert.deepEqual(faults("right.ts"), []));

test("each wrong use of the client is a fault", () => {
  const text = readFileSync(new URL("types/wrong.ts", import.meta.url), "utf8");
  const marked = text.split("\n").flatMap((line, index) => /; \/\/ \d$/.test(line) ? [index + 1] : []);
  assert.ok(marked.length > 0);
  assert.deepEqual(faults("wrong.ts"), marked);
});
