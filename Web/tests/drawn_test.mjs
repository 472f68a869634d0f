// The tables of docs/web.md list every block, field and style of the daemon, and say whether it is drawn. The widget
// draws exactly those.
import { answers, types as blocks } from "../widget/parts/blocks.js";
import { types as fields } from "../widget/parts/fields.js";
import { types as figures } from "../widget/parts/figures.js";
import { types as pickers } from "../widget/parts/pickers.js";

const read = (path) => Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));
const page = read("docs/web.md");
const keys = read("Sources/Surveys/Flows/Blocks/BlockKeys.swift");

/** The names in the first column of a table, with the text of the second column. */
function table(title) {
  const [, body] = page.split(`| ${title} | drawn |\n|---|---|\n`);
  const rows = body.slice(0, body.indexOf("\n\n")).split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return new Map(rows.flatMap(([, names, said]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, said])));
}

/** The names before a colon, between two marks of a source. */
const named = (source, start, end) =>
  [...source.slice(source.indexOf(start), source.indexOf(end, source.indexOf(start))).matchAll(/"(\w+)": [.\[A-Z]/g)]
    .map(([, name]) => name);

function same(one, other, what) {
  const [left, right] = [new Set(one), new Set(other)];
  const missing = [...left].filter((name) => !right.has(name));
  const added = [...right].filter((name) => !left.has(name));
  if (missing.length + added.length > 0) throw new Error(`${what}: missing ${missing}, added ${added}`);
}

const daemonBlocks = [
  ...keys.slice(keys.indexOf("static let types"), keys.indexOf("private static let style"))
    .matchAll(/(?<=[\[,]\s)\s*"(\w+)": \[/g),
].map(([, name]) => name);

Deno.test("every block that the daemon knows stands in the table", () => {
  if (daemonBlocks.length < 40) throw new Error(`only ${daemonBlocks}`);
  same(daemonBlocks, table("block").keys(), "blocks");
});

Deno.test("the widget draws the blocks of which the table says so, and no others", () => {
  const drawn = [...table("block")].filter(([, said]) => !said.startsWith("no:")).map(([name]) => name);
  same(drawn, [...Object.keys(blocks), ...Object.keys(figures), ...answers], "drawn blocks");
});

Deno.test("every field that the daemon knows stands in the table, and is drawn", () => {
  const source = read("Sources/Surveys/Flows/Fields/FlowField.swift");
  const known = named(source, '"text": TextField', "]");
  if (known.length !== 22) throw new Error(`only ${known}`);
  same(known, table("field").keys(), "fields");
  const drawn = new Set([...Object.keys(fields), ...Object.keys(pickers)]);
  for (const name of known) if (!drawn.has(name)) throw new Error(`${name} is not drawn`);
});

Deno.test("every style and entrance that the daemon knows stands in the table", () => {
  const styles = table("style");
  for (const name of named(keys, "private static let style", "]")) {
    if (!styles.has(name)) throw new Error(`${name} is in no table`);
  }
  const effects = keys.slice(keys.indexOf("effects = ["), keys.indexOf("]", keys.indexOf("effects = [")));
  same([...effects.matchAll(/"(\w+)"/g)].map(([, name]) => name), table("entrance").keys(), "entrances");
});

Deno.test("every type of step stands in the table", () => {
  const source = read("Sources/Surveys/Flows/FlowStep.swift");
  const kinds = source.slice(source.indexOf("enum Kind"), source.indexOf("public let id"));
  const names = [...kinds.matchAll(/case (\w+)(?: = "(\w+)")?/g)].map(([, name, text]) => text ?? name);
  same(names, table("step").keys(), "steps");
});

Deno.test("every type of question stands in the table", () => {
  const source = read("Web/widget/render/questions.js");
  const types = source.slice(source.indexOf("const types = {"), source.indexOf("\n};"));
  same([...types.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name), table("question").keys(), "questions");
});
