// Tests the forms that are made from a schema: which fields an object has, by its definition, its type and its value.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { JSONDocument } from "../console/document/document.js";
import { Format, grouped, wordOf } from "../console/forms/schema.js";
import { scalarOf } from "../console/forms/scalars.js";
import { completeJSON } from "../console/language/complete-json.js";

const schema = JSON.parse(readFileSync(new URL("../../docs/schemas/flow.schema.json", import.meta.url), "utf8"));
const format = new Format(schema);
const pointers = (fields) => fields.map(({ pointer }) => pointer);
const field = (fields, pointer) => fields.find((one) => one.pointer === pointer);

test("a block of each type has a field for every key of its table", () => {
  const types = format.types("block");
  assert.ok(types.length > 60);
  for (const type of types.filter((type) => !type.startsWith("input_"))) {
    const shown = pointers(format.fields("block", { type }));
    const own = Object.entries(schema.$defs[`block.${type}`].properties)
      .filter(([, { items }]) => !["#/$defs/block", "#/$defs/field"].includes(items?.$ref));
    for (const [key] of own) assert.ok(shown.includes(`/${key}`), `${type} ${key}`);
    for (const key of Object.keys(schema.$defs.block.properties)) {
      assert.ok(shown.includes(`/${key}`), `${type} ${key}`);
    }
    assert.equal(new Set(shown).size, shown.length, `${type} shows a key twice`);
  }
});

test("a field of each type has its keys in config, or where the field has them", () => {
  for (const type of format.types("field")) {
    const shown = pointers(format.fields("field", { type }));
    for (const key of Object.keys(schema.$defs[`field.${type}`].properties)) {
      assert.ok(shown.includes(`/config/${key}`), `${type} ${key}`);
    }
  }
  const shown = pointers(format.fields("field", { type: "rating", max_stars: 5, config: { allow_half: true } }));
  assert.ok(
    shown.includes("/max_stars") && shown.includes("/config/allow_half") && !shown.includes("/config/max_stars"),
  );
});

test("the type of a value decides its control", () => {
  const button = format.fields("block", { type: "button" });
  assert.equal(field(button, "/text").field, "long");
  assert.ok(field(button, "/text").isTranslatable);
  assert.equal(field(button, "/bg_color").field, "color");
  assert.deepEqual(field(button, "/gradient_colors").of.map((one) => one.field), ["color"]);
  assert.equal(field(button, "/entrance_animation").field, "object");
  assert.equal(field(button, "/visibility_condition").dialect, "visibility");
  assert.equal(field(button, "/action_value").field, "scalar");
  const height = field(button, "/button_height");
  assert.deepEqual([height.field, height.low, height.high, height.unit], ["number", 36, 96, "px"]);
  const timer = format.fields("block", { type: "countdown_timer" });
  assert.deepEqual(field(timer, "/timer_variant").options, ["digital", "flip", "circular", "bar"]);
  assert.equal(field(timer, "/timer_variant").default, "digital");
  assert.equal(field(timer, "/show_minutes").default, true);
  assert.equal(field(timer, "/duration_seconds").unit, "s");
});

test("fields are in groups, and a group is folded", () => {
  const groups = [...grouped(format.fields("block", { type: "button" })).keys()];
  assert.deepEqual(groups, ["", "look", "animation", "condition", "more"]);
  assert.deepEqual([...grouped(format.fields("chat_config", undefined)).keys()], ["", "webhook", "turns", "look"]);
});

test("a key under another of its names is shown under that name", () => {
  const shown = pointers(format.fields("block", { type: "image", image_url: "https://example.org/a.png" }));
  assert.ok(shown.includes("/image_url") && !shown.includes("/url"));
});

test("a list has rows of objects, or of texts if it has texts", () => {
  const plans = field(format.fields("block", { type: "pricing_card" }), "/plans");
  assert.equal(plans.field, "rows");
  assert.ok(plans.isCards);
  assert.ok(pointers(plans.make({})).includes("/is_highlighted"));
  const texts = field(format.fields("block", { type: "list", items: ["one", "two"] }), "/items");
  assert.equal(texts.field, "names");
  const mixed = field(format.fields("block", { type: "list", items: ["one", { title: "two" }] }), "/items");
  assert.deepEqual(pointers(mixed.make("one")), [""]);
  assert.ok(pointers(mixed.make({ title: "two" })).includes("/title"));
  const options = field(format.fields("block", { type: "option_list" }), "/options");
  assert.ok(!options.isCards);
  assert.deepEqual(pointers(options.of.filter(({ isRare }) => !isRare)), ["/id", "/label"]);
});

test("a text or an object has the control of its value", () => {
  const last = (value) =>
    field(format.fields("chat_config", { completion_message: value }), "/completion_message").field;
  assert.deepEqual([last("Bye"), last({ content: "Bye" })], ["long", "object"]);
});

test("keys of another type, and of styles, have fields as well; unknown keys have none", () => {
  const fields = format.fields("block", { type: "title", text: "Hi", color: "#112233", plans: [], weight: 1, own: 2 });
  assert.deepEqual(pointers(fields.filter(({ group }) => group === "others")), ["/color", "/plans", "/weight"]);
  assert.equal(field(fields, "/color").field, "color");
  assert.equal(field(fields, "/own"), undefined);
});

test("another type keeps the keys of both types, and those of no type", () => {
  const block = { type: "title", id: "a", text: "Hi", style: { italic: true }, own: 1, block_style: { padding: 4 } };
  assert.deepEqual(format.retyped("block", block, "badge"), {
    value: { type: "badge", id: "a", text: "Hi", own: 1, block_style: { padding: 4 } },
    lost: ["Style"],
  });
  const asked = { id: "a", type: "text", config: { max_length: 9, own: 1 }, options: [] };
  assert.deepEqual(format.retyped("field", asked, "slider"), {
    value: { id: "a", type: "slider", config: { own: 1 } },
    lost: ["Options", "Characters at most"],
  });
});

test("blocks with blocks are those of the tables", () => {
  assert.deepEqual(format.typesWith("block", "children"), ["stack", "row", "section_background", "carousel"]);
});

test("a typed text is a number, true or false where it is written as one", () => {
  const texts = ["12", "-1.5", "true", "false", "", "12px", "01", "bold"];
  assert.deepEqual(texts.map(scalarOf), [12, -1.5, true, false, undefined, "12px", "01", "bold"]);
  assert.equal(wordOf("slide_up"), "slide up");
});

test("the text of a document is completed with the keys and words of its place", () => {
  const offered = (/** @type {string} */ text) => {
    const caret = text.indexOf("^");
    const { from, to, items } = completeJSON(new JSONDocument(text.replace("^", "")), caret, format);
    return { labels: items.map(({ label }) => label), cut: text.replace("^", "").slice(from, to) };
  };
  assert.deepEqual(offered('{"kind": "flow", "set^"}'), { labels: ["settings"], cut: '"set"' });
  assert.deepEqual(offered('{"settings": {"allow^'), { labels: ["allow_back", "dismiss_allowed"], cut: '"allow' });
  assert.deepEqual(offered('{"settings": {"progress_style": "d^"}}').labels, ["dots", "segmented_bar"]);
  // The keys follow from the type, and a present key is not offered again.
  const step = offered('{"steps": [{"type": "question", "config": {"options": [], "^"}}]}').labels;
  assert.ok(step.includes("selection_mode") && step.includes("cta_text") && !step.includes("options"));
  assert.ok(!step.includes("chat_config"));
  const field =
    offered('{"steps": [{"type": "form", "config": {"fields": [{"type": "rating", "config": {"^"}}]}}]}').labels;
  assert.deepEqual(field, ["max_stars", "allow_half", "default_rating", "style", "filled_color", "empty_color"]);
  assert.deepEqual(offered('{"name": "x^"}').labels, []);
  assert.deepEqual(offered("{^").labels, []);
});
