// Tests the page's evaluators with the generated vectors of the daemon (docs/vectors.md).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "../console/language/jexl.js";
import { faultIn } from "../shared/answers.js";
import { ConditionError, holds } from "../shared/conditions.js";
import { compileVisibleQuestions } from "../shared/visibility.js";
import { evaluate, safely } from "./jexl_evaluator.mjs";

/** @param {string} name */
const read = (name) =>
  JSON.parse(readFileSync(new URL(`../../vectors/generated/${name}.json`, import.meta.url), "utf8"));

/** Collects all differences, and names the first ones. */
class Differences {
  count = 0;
  /** @type {string[]} */
  first = [];

  /** @param {unknown} got @param {unknown} want @param {unknown} vector */
  compare(got, want, vector) {
    try {
      assert.deepEqual(got, want);
    } catch {
      this.count += 1;
      if (this.first.length < 5) {
        this.first.push(`got ${JSON.stringify(got)}, not ${JSON.stringify(want)}: ${JSON.stringify(vector)}`);
      }
    }
  }

  end() {
    assert.equal(this.count, 0, this.first.join("\n"));
  }
}

test("each generated condition holds as in the daemon", () => {
  const { cases } = read("conditions");
  const differences = new Differences();
  for (const vector of cases) {
    let got;
    try {
      got = holds(vector.dialect, vector.condition, vector.facts);
    } catch (error) {
      assert.ok(error instanceof ConditionError, String(error));
      got = "error";
    }
    differences.compare(got, vector.want, vector);
  }
  differences.end();
  assert.equal(cases.length, 6000);
});

test("each generated expression has its value", () => {
  const { cases, context } = read("jexl");
  const differences = new Differences();
  for (const vector of cases) {
    const { tree, fault } = parse(vector.expression);
    const got = fault
      ? { error: "parse" }
      : safely(() => ({ value: evaluate(tree, context) }), { error: "evaluation" });
    const want = "value" in vector
      ? { value: vector.value }
      : { error: vector.error === "parse" ? "parse" : "evaluation" };
    differences.compare(got, want, vector);
  }
  differences.end();
  assert.equal(cases.length, 3000);
});

/** The faults that no control can cause. */
const strange = ["type", "unknown_key", "not_option", "pattern"];

test("each generated survey shows its questions and has its faults", () => {
  const { cases } = read("surveys");
  const differences = new Differences();
  let faults = 0;
  for (const { definition, answers, want } of cases) {
    const { visible, answers: effective } = compileVisibleQuestions(definition, "keep")(answers);
    differences.compare(visible, want.visible, { definition, answers });
    const wanted = new Map([...want.errors].reverse());
    for (
      const question of definition.questions.flatMap((/** @type {any} */ one) => [one, ...one.sub_questions ?? []])
    ) {
      if (!visible.includes(question.id) || strange.includes(wanted.get(question.id))) continue;
      const served = { ...question, range: want.ranges?.[question.id] };
      const code = faultIn(served, answers[question.id], effective)?.code;
      differences.compare(code, wanted.get(question.id), { question, answers });
      faults += code ? 1 : 0;
    }
  }
  differences.end();
  assert.equal(cases.length, 1000);
  assert.ok(faults > 100, `only ${faults} faults`);
});
