// Tests the logic of the page of all texts: checks, concurrent edits, files, texts of flows; and rates of metrics.
import { rate, reading, samples } from "../console/metrics.js";
import { check, placeholders } from "../console/translation/checks.js";
import { applied, Edits, meet } from "../console/translation/edits.js";
import { csv, readCSV, readFile, tables } from "../console/translation/exchange.js";
import { isMissing, tablesOf, textAt } from "../console/translation/rows.js";
import { targetsOf } from "../console/translation/saving.js";

/** @param {unknown} found @param {unknown} wanted @param {string} [what] */
function equal(found, wanted, what = "") {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what} is ${one}, wanted ${other}`);
}

/** @param {string | undefined} original @param {string} text */
const kinds = (original, text) => check(original, text).map(({ kind, values }) => [kind, ...values].join(" "));

Deno.test("goal 39: placeholders are those that something fills in", () => {
  equal(placeholders("%@ and %1$@, %d of %2$ld, %.1f, %s, 100 %%, 5 % off"), [
    "%.1f",
    "%1$@",
    "%2$ld",
    "%@",
    "%d",
    "%s",
  ]);
  equal(placeholders("{{ user.name | there }} {x} {{}}"), ["{{user.name|there}}", "{{}}"]);
});

Deno.test("goal 39: what differs from the default is told", () => {
  equal(kinds("%1$@ needs you", "Braucht dich"), ["missing %1$@"]);
  equal(kinds("Hi", "Hi {{name}}"), ["unknown {{name}}"]);
  equal(kinds("%@ %@", "%@"), ["missing %@"]);
  equal(kinds("{{ name }}", "{{name}}"), []);
  equal(kinds("Hello", " Hallo"), ["space"]);
  equal(kinds("Hello ", "Hallo"), ["space"]);
  equal(kinds("A text of words", "Ein Text mit sehr vielen Worten"), ["long"]);
  equal(kinds("OK", "Verstanden"), []);
  equal(kinds(undefined, "x"), []);
  equal(kinds("x", ""), []);
});

Deno.test("an edit that leads back is none, and what is kept is read again", () => {
  const edits = new Edits();
  edits.set("T/a", "de", "neu", "alt");
  edits.set("T/a", "de", "neuer", "other");
  equal(edits.list, [{ id: "T/a", locale: "de", text: "neuer", base: "alt" }]);
  equal(Edits.read(edits.text), edits.list);
  edits.set("T/a", "de", "alt", "alt");
  equal(edits.list, []);
  equal(Edits.read('[1, {"id": 2}]'), []);
  equal(Edits.read("{"), []);
});

Deno.test("goal 39: random edits of two translators: each is kept, or asked for", () => {
  let seed = 7;
  const random = (/** @type {number} */ bound) => (seed = seed * 48271 % 2147483647) % bound;
  for (let round = 0; round < 500; round += 1) {
    const ids = Array.from({ length: 6 }, (_, place) => `T/k${place}`);
    const word = () => ["", "a", "b", "c"][random(4)];
    const base = Object.fromEntries(ids.map((id) => [id, word()]));
    const theirs = Object.fromEntries(ids.map((id) => [id, random(2) ? base[id] : word()]));
    const mine = ids.filter(() => random(2)).map((id) => ({ id, locale: "de", text: word(), base: base[id] }))
      .filter(({ text, base }) => text !== base);
    const { kept, meetings, same } = meet(mine, ({ id }) => theirs[id]);
    equal(kept.length + meetings.length + same.length, mine.length);
    for (const { id, text } of kept) equal(theirs[id] === base[id] && theirs[id] !== text, true, id);
    for (const { id } of meetings) equal(theirs[id] !== base[id], true, id);
    const document = tables(ids.filter((id) => theirs[id]).map((id) => [id, theirs[id]]));
    const stored = applied(document, kept);
    for (const id of ids) {
      const own = kept.find((edit) => edit.id === id);
      equal(stored.T?.[id.slice(2)] ?? "", own ? own.text : theirs[id], id);
    }
  }
});

Deno.test("CSV comes back as it went out, whatever stands in a cell", () => {
  const rows = [
    ["id", "de"],
    ["T/a", 'says "so", then\r\nmore'],
    ["T/b", "=1+1"],
    ["T/c", "'=1"],
    ["T/d", "-5 °C"],
    ["T/e", "@here; done"],
    ["T/f", "\tx"],
    ["T/g", ""],
  ];
  equal(readCSV(csv(rows)), rows);
  equal(csv([["T/b", "=1+1"]]).includes("'=1+1"), true);
  equal(readCSV('id;de\nT/a;x\nT/b;"y;z"\n'), [["id", "de"], ["T/a", "x"], ["T/b", "y;z"]]);
  equal(readCSV("id,de\rT/a,x\r\r\n"), [["id", "de"], ["T/a", "x"]]);
  equal(readCSV('a,"open'), [["a", "open"]]);
});

Deno.test("a file is read by what it is, and a fault of it is told", () => {
  equal(readFile("x.csv", "id,en,de,xx\nT/a,A,Ä,?\nT/b,,B,\n", "de", ["en", "de"]), [
    { id: "T/a", locale: "en", text: "A" },
    { id: "T/a", locale: "de", text: "Ä" },
    { id: "T/b", locale: "de", text: "B" },
  ]);
  equal(readFile("de.JSON", '{"T": {"a": "Ä"}}', "de", ["de"]), [{ id: "T/a", locale: "de", text: "Ä" }]);
  const faults = [
    ["x.json", "{", "json"],
    ["x.json", "[]", "shape"],
    ["x.json", '{"T": {"a": 1}}', "shape"],
    [
      "x.csv",
      "key,de\n",
      "heads",
    ],
    ["x.csv", "id,xx\n", "heads"],
    ["x.csv", "", "heads"],
  ];
  for (const [name, text, fault] of faults) {
    try {
      readFile(name, text, "de", ["de"]);
    } catch (error) {
      equal(error.message, `texts.import.${fault}`, text);
      continue;
    }
    throw new Error(`${text} is read`);
  }
});

/** @param {Record<string, string>} texts @param {number} [uses] */
const row = (texts, uses = 1) => ({
  id: "T/a",
  table: "T",
  key: "a",
  texts: new Map(Object.entries(texts)),
  uses: Array.from({ length: uses }, () => ({ recipe: "r", state: "live", pointer: "/a" })),
});

Deno.test("a text is missing where it is used and no variant of the language has it", () => {
  const missing = (/** @type {any} */ of, /** @type {string} */ locale) =>
    isMissing(of, locale, (other) => of.texts.get(other) ?? "");
  equal(missing(row({ en: "A" }), "de"), true);
  equal(missing(row({ en: "A" }, 0), "de"), false);
  equal(missing(row({ en: "A", de: "Ä" }), "de-AT"), false);
  equal(missing(row({ "en-GB": "A" }), "en"), false);
  equal(missing(row({ en: "A", de: "" }), "de"), true);
});

Deno.test("a key of a flow's texts leads into the config by members, ids and places", () => {
  const config = { title: "T", options: [{ id: "walk", label: "Walk" }, { label: "Second" }], list: ["x"] };
  equal(textAt(config, "options.walk.label"), { text: "Walk", pointer: "/options/0/label" });
  equal(textAt(config, "options.1.label"), { text: "Second", pointer: "/options/1/label" });
  equal(textAt(config, "list.0"), { text: "x", pointer: "/list/0" });
  equal(textAt(config, "options.none.label"), undefined);
  equal(textAt(config, "options"), undefined);
  equal(textAt(config, "constructor.name"), undefined);
  equal(tablesOf({ localizations: { de: {} } }).pointer, "/localizations");
  equal(tablesOf({ config: {} }).pointer, "/config/localizations");
});

Deno.test("texts of a flow are put where they stand, and taken out where they are empty", () => {
  const document = {
    kind: "flow",
    steps: [{ id: "s", config: { title: "T", localizations: { de: { title: "D", "a.b": "x" } } } }],
  };
  const flow = (/** @type {string} */ key) => ({
    ...row({}),
    id: key,
    flow: { slug: "f", step: "s", key },
    ownLocale: "en",
  });
  const rows = new Map([["title", flow("title")], ["a.b", flow("a.b")]]);
  const edits = [
    { id: "title", locale: "de", text: "Neu", base: "D" },
    { id: "title", locale: "fr", text: "N/~", base: "" },
    { id: "title", locale: "en", text: "Title", base: "T" },
    { id: "a.b", locale: "de", text: "", base: "x" },
  ];
  const [{ target, edits: own }] = targetsOf("app", edits, rows);
  equal(own.map((edit) => target.read(document, edit)), ["D", "", "T", "x"]);
  equal(target.apply(document, own).steps[0].config, {
    title: "Title",
    localizations: { de: { title: "Neu" }, fr: { title: "N/~" } },
  });
  equal(document.steps[0].config.title, "T");
});

Deno.test("rates come from two readings, and a daemon that began anew has none", () => {
  const text = (/** @type {number} */ polls) =>
    `# HELP x y\nbellwether_polls_total{outcome="message"} ${polls}\nbellwether_polls_total{outcome="nothing"} 1e1\n` +
    `bellwether_requests_total{method="GET",route="/a\\"b",status="503"} 4\n`;
  equal(samples(text(1))[2], {
    name: "bellwether_requests_total",
    labels: { method: "GET", route: '/a\\"b', status: "503" },
    value: 4,
  });
  const [one, two] = [reading(text(10), 1000), reading(text(40), 3000)];
  equal(one.sums.get("polls"), 20);
  equal(one.sums.get("failed"), 4);
  equal(rate(one, two, "polls"), 15);
  equal(rate(two, one, "polls"), undefined);
  equal(rate(one, reading(text(0), 9000), "polls"), undefined);
});
