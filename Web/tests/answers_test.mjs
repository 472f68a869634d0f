// Tests the faults of answers with the daemon's vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { faultIn } from "../shared/answers.js";
import { characters } from "../shared/characters.js";
import { asksPredicate, compileVisibleQuestions } from "../shared/visibility.js";

const vectors = new URL("../../vectors/surveys.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));

/** The faults that no control can cause. */
const strange = ["type", "unknown_key", "not_option", "pattern"];

test("every vector of surveys has the wanted faults", () => {
  const counts = new Map();
  for (const { definition, answers, want } of cases) {
    const wanted = new Map([...want.errors ?? []].reverse());
    if (!definition.questions || asksPredicate(definition.questions)) continue;
    const { visible, answers: effective } = compileVisibleQuestions(definition, "keep")(answers);
    for (
      const question of definition.questions.flatMap((/** @type {any} */ one) => [one, ...one.sub_questions ?? []])
    ) {
      if (!visible.includes(question.id) || strange.includes(wanted.get(question.id))) continue;
      const served = { ...question, range: want.ranges?.[question.id] };
      const fault = faultIn(served, answers[question.id], effective);
      assert.equal(fault?.code, wanted.get(question.id), JSON.stringify({ question, answers }));
      if (fault) counts.set(fault.code, (counts.get(fault.code) ?? 0) + 1);
    }
  }
  for (const code of ["rule", "range", "too_long", "duplicate"]) assert.ok(counts.get(code) > 0, `no ${code}`);
});

test("characters are what people count", () => {
  assert.deepEqual(characters("a👩‍👩‍👧‍👦é"), ["a", "👩‍👩‍👧‍👦", "é"]);
});

test("a NUL is in no answer", () => {
  const found = (/** @type {string} */ type, /** @type {any} */ answer) =>
    faultIn({ id: "q", type, question_type: type, options: [], fields: [] }, answer, {})?.code;
  assert.equal(found("text", "a\0"), "type");
  assert.equal(found("single_text_field", "a\0"), "type");
  assert.equal(found("add_text_field", ["a", "b\0"]), "type");
  assert.equal(found("multi_text_field", { Dogs: "1", Cats: "\0" }), "type");
  assert.equal(found("single_select", { "Other\0": "x" }), "type");
  assert.equal(found("text", "a\tb\\u0000"), undefined);
  for (const nothing of [undefined, null, 5, true]) assert.equal(found("nps", nothing), undefined);
});
