// House rules: no text, export or module without a use; few casts to any; kinds differ in one table.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import english from "../console/texts/en.js";

const web = fileURLToPath(new URL("../", import.meta.url));

/** The modules below a folder. @param {string} folder @returns {string[]} */
const modulesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? entry.name === "browser" ? [] : modulesIn(`${folder}/${entry.name}`)
      : /\.m?js$/.test(entry.name)
      ? [`${folder}/${entry.name}`]
      : []
  );

/** The code of each module, by its path in Web. */
const modules = new Map(
  ["console", "shared", "widget", "sample", "tests"].flatMap((name) => modulesIn(web + name))
    .map((path) => [path.slice(web.length), readFileSync(path, "utf8")]),
);
const sources = [...modules].filter(([path]) => !path.startsWith("tests/"));

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^$()|{}[\]\\]/g, "\\$&");

/**
 * The patterns of the keys that a template literal makes: any word may stand in the place of an expression.
 * @param {string} template without its backquotes
 */
function patternOf(template) {
  let pattern = "";
  let depth = 0;
  for (const part of template.split(/(\$\{|\{|\})/)) {
    if (part === "${" || part === "{") {
      if (depth === 0) pattern += ".*";
      depth += 1;
    } else if (part === "}") depth -= 1;
    else if (depth === 0) pattern += escaped(part);
  }
  return new RegExp(`^${pattern}$`);
}

/**
 * The keys that code does not name: neither in a literal, nor as `begin.${word}`, nor as `${literal}.end`.
 * @param {string[]} keys @param {string} code
 */
function unusedKeys(keys, code) {
  const literals = new Set([...code.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text));
  const templates = [...code.matchAll(/`((?:[^`\\]|\\.)*)`/g)].map(([, text]) => text);
  const patterns = templates.filter((text) => /^[a-z]\w*\.[^ ]*\$\{/.test(text)).map(patternOf);
  const ends = templates.filter((text) => /^\$\{\w+\}\./.test(text)).map((text) => text.replace(/^\$\{\w+\}/, "x"))
    .map(patternOf);
  const isEnding = (/** @type {string} */ key) =>
    [...key.matchAll(/(?<=\..*)\./g)].some(({ index }) =>
      literals.has(key.slice(0, index)) && ends.some((pattern) => pattern.test(`x${key.slice(index)}`))
    );
  return keys.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)) && !isEnding(key));
}

test("every text of the console is used", async () => {
  const isTexts = (/** @type {string} */ path) => /^console\/texts\/(en|de)/.test(path);
  const code = sources.filter(([path]) => path.startsWith("console/") && !isTexts(path))
    .map(([, text]) => text.replace(/\/\*.*?\*\//gs, "").replace(/^\s*\/\/.*$/gm, "")).join("\n");
  let keys = Object.keys(english);
  for (const [path] of sources.filter(([path]) => /^console\/texts\/en_/.test(path))) {
    keys = [...keys, ...Object.keys((await import(`../${path}`)).default)];
  }
  assert.ok(keys.length > 1000, `${keys.length} keys`);
  assert.deepEqual(unusedKeys(keys, code), []);
  assert.deepEqual(unusedKeys([...keys, "planted.key", "error.planted"], code), [
    "planted.key",
    "error.planted",
  ]);
});

test("every text of the widget is used", async () => {
  const { english: general } = await import("../shared/i18n.js");
  const { english: ofFields } = await import("../widget/parts/judge.js");
  const code = sources.filter(([path]) => !path.startsWith("console/") && !path.startsWith("widget/texts/"))
    .map(([, text]) => text).join("\n");
  const words = new Set(code.replace(/^ {2}\w+: "[^"]*",$/gm, "").match(/\w+/g));
  // The reference names the reasons of faults, whose sentences have the keys `faultREASON`.
  const reference = readFileSync(`${web}../docs/reference/flows.md`, "utf8").match(/`\w+`/g) ?? [];
  const reasons = new Set(reference.map((word) => word.slice(1, -1)));
  // A key with an underscore is a code of the daemon.
  const ofFault = (/** @type {string} */ key) => key.replace(/^fault(.)/, (_, first) => first.toLowerCase());
  const unused = (/** @type {string[]} */ keys) =>
    keys.filter((key) =>
      !words.has(key) && !reasons.has(ofFault(key)) && !words.has(ofFault(key)) && !key.includes("_")
    );
  assert.deepEqual(unused([...Object.keys(general), ...Object.keys(ofFields)]), []);
  assert.deepEqual(unused(["plantedText", "faultPlanted"]), ["plantedText", "faultPlanted"]);
});

/** The modules and the names that each module imports. @param {string} path @param {string} code */
function importsOf(path, code) {
  const at = (/** @type {string} */ from) => resolve(dirname(web + path), from).slice(web.length);
  const pattern =
    /(?:import|export)\s+(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\}|\*\s+as\s+(\w+))?\s*from\s*"(\.[^"]+)"|import "(\.[^"]+)"/g;
  const named = [...code.matchAll(pattern)].map(([, standard, list = "", all, from, alone]) => ({
    module: at(from ?? alone),
    names: [
      ...(standard ? ["default"] : []),
      ...list.split(",").map((name) => name.trim().split(/\s+as\s+/)[0]).filter(Boolean),
      ...(all ? [...code.matchAll(new RegExp(`\\b${all}\\.(\\w+)`, "g"))].map(([, name]) => name) : []),
    ],
  }));
  // What a module loads on demand may be any of its words.
  const words = () => [...code.matchAll(/\w+/g)].map(([word]) => word);
  return [
    ...named,
    ...[...code.matchAll(/import\(\s*[`"](\.[^"`$]+)["`]/g)].map(([, from]) => ({ module: at(from), names: words() })),
  ];
}

/** The modules that Scripts/web-bundle names, and that the widget loads by the names of its parts. */
const isEntry = (/** @type {string} */ path) =>
  /^widget\/(loader|module|page|parts\/\w+|texts\/\w+|render\/index)\.js$|^(console|sample)\/(main|frame)\.js$/.test(
    path,
  ) ||
  /^console\/texts\/de/.test(path);

/** The exports that no other module imports, and the modules that none imports. @param {[string, string][]} all */
function unusedExports(all) {
  const used = new Map();
  for (const [path, code] of all) {
    for (const { module, names } of importsOf(path, code)) {
      used.set(module, new Set([...used.get(module) ?? [], ...names]));
    }
  }
  return all.filter(([path]) => !path.startsWith("tests/") && !isEntry(path)).flatMap(([path, code]) => {
    if (!used.has(path)) return [path];
    const own = [...code.matchAll(/^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm)];
    return own.map(([, name]) => name).filter((name) => !used.get(path).has(name)).map((name) => `${path} ${name}`);
  });
}

test("every export is imported, and every module", () => {
  assert.deepEqual(unusedExports([...modules]), []);
  const planted = unusedExports([...modules, ["console/planted.js", ""], [
    "tests/planted.js",
    'import "../console/planted2.js"',
  ], ["console/planted2.js", "export const planted = 1;"]]);
  assert.deepEqual(planted, ["console/planted.js", "console/planted2.js planted"]);
});

/** The occurrences of a pattern in the code of Web. @param {RegExp} pattern */
const count = (pattern) => sources.reduce((sum, [, code]) => sum + (code.match(pattern) ?? []).length, 0);

test("the type checker looks into nearly all values", () => {
  // Lower these when you remove casts; never raise them.
  assert.ok(count(/@type \{any\}/g) <= 31, `${count(/@type \{any\}/g)} casts to any`);
  assert.ok(count(/@param \{any\}/g) <= 228, `${count(/@param \{any\}/g)} parameters of any type`);
});

test("code of the console does not compare a recipe's kind with a name, but in the table of kinds", () => {
  const pattern = /kind [!=]== "(messages?|questionnaire|survey|flow|experiment|rollout)"/g;
  const found = sources.filter(([path]) => path.startsWith("console/")).flatMap(([path, code]) =>
    (code.match(pattern) ?? []).map((text) => `${path}: ${text}`)
  );
  // The picture of a message, and the flows among the recipes, are asked for by name.
  assert.deepEqual(found, ['console/frame.js: kind === "message"', 'console/translation/rows.js: kind === "flow"']);
});

test("every class and every custom property of the console's style is used", () => {
  const folder = `${web}console/style/`;
  const style = readdirSync(folder).map((name) => readFileSync(folder + name, "utf8")).join("\n")
    .replace(/\/\*.*?\*\//gs, "");
  const code = sources.filter(([path]) => !path.startsWith("widget/")).map(([, text]) => text).join("\n");
  const words = new Set(code.match(/[\w-]+/g));
  const unused = (/** @type {string} */ sheet) =>
    [...new Set(sheet.replace(/\{[^{}]*\}/g, "{}").match(/\.[a-z][\w-]*/g))].map((name) => name.slice(1))
      // A class may end with a word of the code: `status-${state}`.
      .filter((name) => !words.has(name) && !code.includes(`${name.replace(/-[^-]*$/, "")}-\${`));
  assert.deepEqual(unused(style.replace(/@import[^;]*;/g, "")), []);
  assert.deepEqual(unused(".planted { color: red }"), ["planted"]);
  const declared = new Set([...style.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  assert.deepEqual([...declared].filter((name) => !style.includes(`var(${name}`)), []);
});
