// The console in each of its languages: each language has all texts of English, and each page loads its own texts.
import { languageFor } from "../console/texts.js";
import { languages } from "../console/texts/languages.js";

const folder = new URL("../console/", import.meta.url);
const files = [...Deno.readDirSync(new URL("texts/", folder))].map(({ name }) => name);
const english = files.filter((name) => /^en(_\w+)?\.js$/.test(name)).sort();
/** The parts of the shell's texts, which en.js includes. */
const parts = [...Deno.readTextFileSync(new URL("texts/en.js", folder)).matchAll(/from "\.\/(en_\w+\.js)"/g)]
  .map(([, name]) => name);

/**
 * The placeholders of a text. A plural form `{count|…|…}` is one placeholder, independent of its words.
 * @param {string} text
 */
const places = (text) =>
  (text.match(/\{\w+(?:\|[^|}]*(?:\{\w+\}[^|}]*)*\|[^|}]*(?:\{\w+\}[^|}]*)*)?\}/g) ?? [])
    .map((place) => place.includes("|") ? place.replace(/\|.*/s, "|…}") : place).sort().join();

/** @param {boolean} isRight @param {string} message */
function check(isRight, message) {
  if (!isRight) throw new Error(message);
}

for (const [language, modules] of Object.entries(languages)) {
  Deno.test(`goal 40: every text is there in ${language}`, async () => {
    for (const name of english) {
      const other = name.replace(/^en/, language);
      check(files.includes(other), `Web/console/texts/${other} is missing: it has the texts of ${name}`);
      const [{ default: own }, { default: theirs }] = await Promise.all([
        import(`../console/texts/${name}`),
        import(`../console/texts/${other}`),
      ]);
      for (const [key, text] of Object.entries(own)) {
        check(typeof theirs[key] === "string" && theirs[key] !== "", `${other} has no ${key}`);
        check(places(theirs[key]) === places(text), `${other}: ${key} has other places to fill in`);
        const isPlural = (/** @type {string} */ one) => /\{\w+\|/.test(one);
        check(isPlural(text) === isPlural(theirs[key]), `${other}: ${key} has other plural forms`);
      }
      // The English of keys is in the schema.
      if (name === "en_keys.js") continue;
      for (const key of Object.keys(theirs)) check(key in own, `${other}: ${key} is not in ${name}`);
    }
  });

  Deno.test(`goal 40: the modules of ${language} are those of the pages`, async () => {
    const wanted = english.filter((name) => !parts.includes(name))
      .map((name) => name === "en.js" ? "shell" : name.slice(3, -3)).sort();
    check(
      String(Object.keys(modules).sort()) === String(wanted),
      `texts/languages.js has ${Object.keys(modules).sort()} of ${language}, pages have ${wanted}`,
    );
    for (const [name, load] of Object.entries(modules)) {
      const { default: table } = await load();
      check(Object.keys(table).length > 0, `the texts of ${name} are empty in ${language}`);
    }
  });
}

/** The labels, the sentences and the words of a schema. @param {any} schema */
function* keysOf(schema) {
  // The forms of flows, settings and steps have texts of their own.
  const { settings: _, step: __, config_of_a_step: ___, next_step_rules: ____, ...parts } = schema.$defs;
  for (const { properties = {} } of Object.values(parts)) {
    for (const [name, part] of Object.entries(properties)) {
      yield `key.${name}`;
      yield `says.${part.description}`;
      for (const word of part.enum ?? part.anyOf?.[0].enum ?? []) yield `word.${word}`;
    }
  }
}

for (const language of Object.keys(languages)) {
  Deno.test(`every key of a flow's schema has a label, a sentence and words in ${language}`, async () => {
    const schema = JSON.parse(Deno.readTextFileSync(new URL("../../docs/schemas/flow.schema.json", import.meta.url)));
    const { default: table } = await languages[language].keys();
    const wanted = new Set(keysOf(schema));
    check(wanted.size > 500, `${wanted.size} keys`);
    for (const key of wanted) check(table[key], `${language}_keys.js has no ${key}`);
    for (const key of Object.keys(table)) check(wanted.has(key), `${language}_keys.js: ${key} is not in the schema`);
  });
}

/** A module and all modules that it imports statically. @param {URL} url @param {Map<string, string>} seen */
function closure(url, seen = new Map()) {
  if (seen.has(url.pathname)) return seen;
  const source = Deno.readTextFileSync(url);
  seen.set(url.pathname, source);
  for (const [, path] of source.matchAll(/^(?:import|export)\s[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";/gm)) {
    if (path) closure(new URL(path, url), seen);
  }
  return seen;
}

/** @param {Map<string, string>} modules */
const tablesOf = (modules) =>
  [...modules.keys()].map((path) => /\/texts\/en_(\w+)\.js$/.exec(path)?.[1]).filter((name) => name !== undefined);

/** Every module of the console except the modules of texts. @param {URL} at @returns {URL[]} */
const modulesIn = (at) =>
  [...Deno.readDirSync(at)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return name === "texts" ? [] : modulesIn(new URL(`${name}/`, at));
    return name.endsWith(".js") && name !== "frame.js" ? [new URL(name, at)] : [];
  });

Deno.test("goal 40: a module that comes later names its texts, and they come with it", () => {
  const shell = new Set(tablesOf(closure(new URL("main.js", folder))));
  let count = 0;
  for (const module of modulesIn(folder)) {
    const source = Deno.readTextFileSync(module).replace(/\/\*.*?\*\//gs, "");
    const where = module.pathname.slice(folder.pathname.length);
    // page(load, name, ...texts) and later(load, ...texts)
    const pattern = /(page|later)\(\s*\(\) => import\("(\.[^"]+)"\)((?:,\s*"\w+")*),?\s*\)/g;
    const loads = [...source.matchAll(pattern)];
    const named = loads.map(([, , path]) => path);
    for (const [, path] of source.matchAll(/(?:=>|await) import\("(\.[^"]+)"\)/g)) {
      check(named.includes(path), `${where} loads ${path} without its texts: use page() or later()`);
    }
    for (const [, way, path, list] of loads) {
      const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name).slice(way === "page" ? 1 : 0).sort();
      const wanted = tablesOf(closure(new URL(path, module))).filter((name) => !shell.has(name)).sort();
      check(
        String(names) === String(wanted),
        `${where}: ${path} is loaded with the texts [${names}], it has [${wanted}]`,
      );
      count += 1;
    }
  }
  check(count > 10, `${count} modules come later`);
});

Deno.test("no two modules of a page's texts have the same key", async () => {
  const { default: shell } = await import("../console/texts/en.js");
  for (const name of english.filter((name) => name !== "en.js" && !parts.includes(name))) {
    const { default: table } = await import(`../console/texts/${name}`);
    for (const key of Object.keys(table)) check(!(key in shell), `${name}: ${key} is in en.js, too`);
  }
});

Deno.test("a chosen language counts first, then the browser's in their order", () => {
  const cases = [
    ["", ["de-AT", "en"], "de"],
    ["", ["fr", "en-GB", "de"], "en"],
    ["en", ["de"], "en"],
    ["de", ["en"], "de"],
    ["xx", ["fr"], "en"],
    ["", [], "en"],
  ];
  for (const [chosen, wanted, language] of cases) {
    check(languageFor(chosen, wanted) === language, `${chosen}, ${wanted}`);
  }
});
