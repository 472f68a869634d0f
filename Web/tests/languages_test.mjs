// The console in each of its languages: each language has all texts of English, and each page loads its own texts.
import { languageFor } from "../console/texts.js";
import { Format } from "../console/forms/schema.js";
import { useSchema } from "../console/forms/formats.js";
import { formOf } from "../console/forms/kinds.js";
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

const kinds = ["experiment", "flow", "manifest", "messages", "questionnaire", "segment", "survey"];
const schemas = new Map(kinds.map((kind) => {
  const place = new URL(`../../docs/schemas/${kind}.schema.json`, import.meta.url);
  return [kind, JSON.parse(Deno.readTextFileSync(place))];
}));

/** The values by which an object of a schema has further keys. @param {any} schema */
const typed = ({ $defs }) =>
  Object.values($defs).flatMap(({ allOf = [] }) =>
    allOf.flatMap(({ if: test }) =>
      Object.entries(test?.properties ?? {}).map(([key, { const: type }]) => ({ [key]: type }))
    )
  );

/** The parts of the schemas from which the forms are made. */
function shownParts() {
  const shown = new Set();
  const { field } = Format.prototype;
  Format.prototype.field = function (key, part, ...others) {
    shown.add(part);
    return field.call(this, key, part, ...others);
  };
  for (const [kind, schema] of schemas) {
    const seen = new Set();
    const look = ({ of = [], make, literal }) => {
      of.forEach(look);
      if (make && !seen.has(literal)) seen.add(literal), make({}).forEach(look);
    };
    const all = (fields) =>
      typeof fields === "function"
        ? [...typed(schema), {}].forEach((value) => fields(value).forEach(look))
        : fields.forEach(look);
    const walk = (section) => {
      if (seen.has(section)) return;
      seen.add(section);
      all(section.fields ?? []);
      all(section.each ?? []);
      section.sections?.forEach(walk);
    };
    useSchema(kind, schema);
    formOf(kind).forEach(walk);
  }
  Format.prototype.field = field;
  return shown;
}

for (const language of Object.keys(languages)) {
  Deno.test(`every field of a form has a label, a sentence and words in ${language}`, async () => {
    const tables = await Promise.all([
      languages[language].keys(),
      languages[language].questions(),
      languages[language].editor(),
    ]);
    const table = Object.assign({}, ...tables.map((module) => module.default));
    const wanted = new Set();
    for (const { title, description, anyOf } of shownParts()) {
      if (description === undefined) continue;
      wanted.add(`says.${title}`).add(`says.${description}`);
      for (const word of anyOf?.[0].enum ?? []) wanted.add(`word.${word}`);
    }
    for (const { $defs } of schemas.values()) {
      for (const [name, { title, description }] of Object.entries($defs)) {
        if (title) wanted.delete(`word.${name.slice(name.indexOf(".") + 1)}`);
        if (title) wanted.add(`says.${title}`).add(`says.${description}`);
      }
    }
    check(wanted.size > 800, `${wanted.size} keys`);
    for (const key of wanted) {
      const name = key.slice(5);
      check(table[key] ?? table[`choice.${name}`], `${language}_keys.js has no ${key}`);
    }
    const words = new Set(
      [...schemas.values()].flatMap(({ $defs }) =>
        Object.values($defs).flatMap(({ properties = {} }) =>
          Object.values(properties).flatMap((part) => part.enum ?? part.anyOf?.[0].enum ?? [])
        )
      ),
    );
    for (const key of Object.keys(tables[0].default)) {
      check(wanted.has(key) || words.has(key.slice(5)), `${language}_keys.js: ${key} is in no schema`);
    }
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
