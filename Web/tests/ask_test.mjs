// Tests how forms of questions and flows read a document: targets of steps, effects of a new type, subjects of
// conditions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { groupInWords } from "../console/ask/condition-words.js";
import { dialects } from "../console/ask/dialects.js";
import { leadsOf, linesOf } from "../console/ask/flow-graph.js";
import { converted } from "../console/ask/retype.js";
import { Format } from "../console/forms/schema.js";
import { questionsBefore, subjectsFor } from "../console/ask/subjects.js";
import { JSONDocument } from "../console/document/document.js";
import { change } from "../console/document/patch.js";
import { useSchema } from "../console/forms/formats.js";
import { blank, formOf, kindOf } from "../console/forms/kinds.js";
import { expand, unknownKeys } from "../console/forms/sections.js";
import { addTexts } from "../console/texts.js";
import editorTexts from "../console/texts/en_editor.js";
import texts from "../console/texts/en_conditions.js";

addTexts(editorTexts);
addTexts(texts);
const formats = Object.fromEntries(
  ["experiment", "flow", "manifest", "messages", "questionnaire", "survey"].map((kind) => {
    const place = new URL(`../../docs/schemas/${kind}.schema.json`, import.meta.url);
    const schema = JSON.parse(readFileSync(place, "utf8"));
    useSchema(kind, schema);
    return [kind, new Format(schema)];
  }),
);
const sample = (name) =>
  JSON.parse(readFileSync(new URL(`../../recipes/trail-notes/${name}.json`, import.meta.url), "utf8"));
const step = (id, rules, config) => ({ id, type: "welcome", config: { title: id, ...config }, next_step_rules: rules });
const to = (target, conditions = []) => ({ target_step_id: target, conditions });

test("steps lead where the daemon leads: through nodes, to the end, or nowhere", () => {
  const flow = {
    graph_nodes: {
      seen: { type: "analytics_event", next_target: "round" },
      round: { type: "analytics_event", next_target: "seen" },
      on: { type: "analytics_event", next_target: "c" },
      wall: { type: "paywall" },
    },
    steps: [
      step("a", [
        to("on"),
        to("seen"),
        to(""),
        to("gone"),
        to("wall"),
        to("end_early"),
        to("permission_push"),
        to("c"),
      ]),
      step("b", [], { next_step_rules: [to("a", [{ type: "always" }])] }),
      step("c", [to("b")]),
    ],
  };
  const [a, b, c] = leadsOf(flow);
  assert.deepEqual(a.edges.map(({ to }) => to), [2, undefined, undefined, undefined, "end", "end", "end", 2, 1]);
  assert.deepEqual(a.edges[0].via, ["on"]);
  // The rules of the config apply if only they have conditions.
  assert.equal(b.pointer, "/steps/1/config/next_step_rules");
  assert.deepEqual(b.edges.map(({ to }) => to), [0, 2]);
  assert.deepEqual(c.edges.map(({ to }) => to), [1, "end"]);
});

test("lines that run beside one another have lanes of their own", () => {
  const flow = {
    steps: [
      step("a", [to("d"), to("c")]),
      step("b", [to("end_x")]),
      step("c", [to("a"), to("d")]),
      step("d", [to("c")]),
    ],
  };
  const { lines, forward, backward } = linesOf(leadsOf(flow));
  // A step that only leads to the next step has no line.
  assert.equal(lines.length, 5);
  assert.deepEqual([forward, backward], [3, 2]);
  for (const line of lines) {
    for (const other of lines) {
      if (line === other || line.isBack !== other.isBack || line.lane !== other.lane) continue;
      const [top, bottom] = [Math.min(line.from, line.to), Math.max(line.from, line.to)];
      assert.ok(bottom < Math.min(other.from, other.to) || top > Math.max(other.from, other.to));
    }
  }
});

test("a type keeps what fits it and names what does not", () => {
  const choice = { id: "q", type: "single_choice", title: "Q", options: [{ id: "a", label: "A" }], "x-kept": 1.5 };
  assert.deepEqual(formats.questionnaire.retyped("question", choice, "multi_choice"), {
    value: { ...choice, type: "multi_choice" },
    lost: [],
  });
  const { value, lost } = formats.questionnaire.retyped("question", choice, "nps");
  assert.deepEqual([value, lost], [{ id: "q", type: "nps", title: "Q", "x-kept": 1.5 }, ["Answers"]]);
  const open = { id: "q", question_type: "single_select", options: ["A", { title: "B", type: "freeform" }] };
  const turned = (type) => formats.survey.retyped("question", converted(open, type), type).value;
  assert.deepEqual(turned("segment_select").values, ["A", "B"]);
  assert.deepEqual(turned("table_select").options, ["A", "B"]);
  const asked = { id: "s", type: "question", config: { title: "T", options: [], image_url: "i" }, hook: {} };
  assert.deepEqual(formats.flow.retyped("step", asked, "form"), {
    value: { id: "s", type: "form", config: { title: "T", image_url: "i" }, hook: {} },
    lost: ["Answers"],
  });
});

test("a condition asks about what stands before it only", () => {
  const habits = sample("hiking-habits");
  const all = questionsBefore(habits);
  assert.ok(all.length >= habits.questions.length);
  assert.deepEqual(questionsBefore(habits, "/questions/0/show_if"), []);
  const second = subjectsFor("show_if", habits, "/questions/1/show_if");
  assert.equal(second[0].id, `/${habits.questions[0].id}`);
  const flow = sample("first-steps");
  assert.deepEqual(subjectsFor("depends_on", flow, "/steps/3/config/fields/3/depends_on").map(({ id }) => id), [
    "dog",
    "email",
    "name",
  ]);
  const rules = subjectsFor("rules", flow, "/steps/3/next_step_rules/0").map(({ id }) => id);
  assert.deepEqual(rules.slice(0, 2), ["name", "email"]);
  assert.ok(rules.includes("goal.selected") && rules.at(-1) === "@previous_step");
  const vocabulary = {
    attributes: [{ name: "os", type: "string", source: "sdk" }, { name: "plan", type: "string", source: "manifest" }],
  };
  assert.deepEqual(subjectsFor("audience", flow, "/audience_rules", vocabulary).map(({ id }) => id), ["plan", "os"]);
});

test("a condition in words", () => {
  const questionnaire = sample("first-trips");
  const subjects = subjectsFor("show_if", questionnaire, "/schema/questions/9/show_if");
  const say = (condition) => groupInWords(dialects.show_if.read(condition), subjects);
  const [first] = questionnaire.schema.questions;
  const least = { id: first.id, operation: "greater than or equal to", value: 9 };
  assert.equal(say(least), `“${first.title}” is at least 9`);
  assert.equal(
    say({
      operation: "or",
      subconditions: [least, { operation: "and", subconditions: [least, { operation: "custom" }] }],
    }),
    `“${first.title}” is at least 9 or (“${first.title}” is at least 9 and a condition that rows cannot say)`,
  );
  assert.equal(say(undefined), "");
});

test("an edit of rows changes only what it means", () => {
  const text = '{"a": [{"id": "q",  "operation": "equals", "value": 1.0}, {"x": 1e2}], "k": 1.0}';
  const document = new JSONDocument(text);
  change(document, "/a", [{ id: "q", operation: "equals", value: 1 }, { x: 100 }, { id: "r" }]);
  assert.equal(document.text, text.replace('{"x": 1e2}', '{"x": 1e2}, {"id": "r"}'));
  change(document, "/a", [{ x: 100 }, { id: "r" }]);
  assert.equal(document.text, '{"a": [{"x": 1e2}, {"id": "r"}], "k": 1.0}');
  document.undo();
  document.undo();
  assert.equal(document.text, text);
});

test("keys that no field shows are counted where they stand", () => {
  const unknown = (document, at) => {
    const edited = new JSONDocument(JSON.stringify(document));
    const places = expand(formOf(kindOf(document)), edited);
    return unknownKeys(places.find((place) => place.at === at), places, edited);
  };
  for (const name of ["first-trips", "hiking-habits"]) {
    const document = sample(name);
    const list = document.kind === "survey" ? "/questions" : "/schema/questions";
    const questions = document.questions ?? document.schema.questions;
    questions.forEach((_, place) => assert.deepEqual(unknown(document, `${list}/${place}`), [], `${name} ${place}`));
  }
  assert.deepEqual(unknown(blank("questionnaire", "mood", "Mood", {}), "/name"), [], "what the console itself writes");
  const flow = sample("first-steps");
  assert.deepEqual(unknown(flow, "/name"), []);
  assert.deepEqual(unknown({ ...flow, "x-own": 1 }, "/name"), ["x-own"]);
  flow.steps[1].config.options[0].weight = 3;
  assert.ok(unknown(flow, "/steps/1").includes("config › options › 0 › weight"));
});
