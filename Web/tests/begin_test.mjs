// A new app: its id, its manifest, and the lines that make it ask.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isSlug, slugOf } from "../console/document/slug.js";
import {
  attributeTypes,
  faultsOf,
  fieldOf,
  furtherLocales,
  linesOf,
  manifestOf,
  namesIn,
  originOf,
  platformOf,
  platforms,
  tagOf,
} from "../console/platforms.js";
import { documentOf, templates } from "../console/templates.js";

const schema = JSON.parse(readFileSync(new URL("../../docs/schemas/manifest.schema.json", import.meta.url), "utf8"));

/** What the form has, if only a name is typed. @param {string} platform */
const typed = (platform = "web", more = {}) => ({
  name: " Trail Notes ",
  id: "trail-notes",
  platform,
  origins: "",
  locale: "en",
  locales: "",
  surfaces: platforms[platform].surfaces.join(" "),
  attributes: platforms[platform].attributes,
  events: [],
  ...more,
});

test("the id of an app is made from its name", () => {
  for (const [name, id] of [["Trail Notes", "trail-notes"], ["  Café №1! ", "cafe-1"], ["ÄÖÜ", "aou"], ["日本", ""]]) {
    assert.equal(slugOf(name), id);
    assert.equal(isSlug(id), id !== "");
  }
  assert.ok(isSlug(slugOf("a ".repeat(100))));
});

test("a name alone makes a whole manifest for each platform", () => {
  for (const platform of Object.keys(platforms)) {
    const values = typed(platform);
    assert.deepEqual(faultsOf(values), {});
    const manifest = manifestOf(values);
    assert.equal(manifest.app_name, "Trail Notes");
    for (const name of schema.required) assert.ok(name in manifest, name);
    for (const name of Object.keys(manifest)) assert.ok(name in schema.properties, name);
    assert.ok([undefined, ...schema.properties.dialect.enum].includes(manifest.dialect));
  }
  assert.deepEqual(manifestOf(typed()), {
    app_name: "Trail Notes",
    default_locale: "en",
    surfaces: ["home", "microsurvey"],
  });
  assert.deepEqual(manifestOf(typed("ios")).attributes, { app_version: "string", os_version: "string" });
  assert.deepEqual(schema.properties.attributes.additionalProperties.anyOf[0].enum, attributeTypes);
});

test("the first template asks on the surface of questions", () => {
  const [first] = templates;
  for (const { surfaces } of Object.values(platforms)) {
    const { messages } = documentOf(first, { slug: "one", surfaces });
    assert.equal(messages.one.surface, "microsurvey");
  }
});

test("what is typed is in the manifest, and nothing that is empty", () => {
  const values = typed("web", {
    origins: "shop.example, https://a.example:8443/path?x",
    locale: "de-at",
    locales: "fr, DE-at en",
    surfaces: "home,  banner home",
    attributes: [["plan", "string"], [" ", "number"], [" age ", "number"]],
    events: ["signed_up", "", " left "],
  });
  assert.deepEqual(faultsOf(values), {});
  assert.deepEqual(manifestOf(values), {
    app_name: "Trail Notes",
    default_locale: "de-AT",
    surfaces: ["home", "banner"],
    web: { origins: ["https://shop.example", "https://a.example:8443"] },
    attributes: { plan: "string", age: "number" },
    events: { signed_up: {}, left: {} },
  });
  assert.deepEqual(furtherLocales(values), ["fr", "en"]);
  // The addresses of pages are those of web pages only.
  assert.equal(manifestOf({ ...values, platform: "server" }).web, undefined);
});

test("each fault is one of its field", () => {
  const wrong = {
    name: " ",
    id: "Trail Notes",
    origins: "https://a.example ftp://b.example",
    locale: "not a language",
    locales: "en x_y_z!",
    surfaces: " , ",
    attributes: [["a", "string"], [" a", "number"]],
    events: ["a", "a "],
  };
  for (const [field, value] of Object.entries(wrong)) {
    assert.deepEqual(Object.keys(faultsOf(typed("web", { [field]: value }))), [field]);
  }
  assert.deepEqual(faultsOf(typed("ios", { origins: wrong.origins })), {});
  const fields = {
    "/web/origins/1": "origins",
    "/attributes/plan": "attributes",
    "/default_locale": "locale",
    "": "id",
  };
  for (const [pointer, field] of Object.entries({ ...fields, "/app": "id" })) assert.equal(fieldOf(pointer), field);
});

test("names, addresses and languages are read as people type them", () => {
  assert.deepEqual(namesIn(" a, b;c  a\n"), ["a", "b", "c"]);
  assert.equal(originOf("localhost:3000"), "http://localhost:3000");
  assert.equal(originOf("http://localhost:3000/x"), "http://localhost:3000");
  assert.equal(originOf("HTTPS://Shop.Example"), "https://shop.example");
  assert.equal(originOf("https://"), undefined);
  assert.equal(tagOf("pt-br"), "pt-BR");
  assert.equal(tagOf("e"), undefined);
});

test("the lines name the app, the daemon and the token", () => {
  const of = { origin: "https://feedback.example", app: "shop", token: "bw_1", locale: "de" };
  assert.equal(
    linesOf("web", of),
    '<script async src="https://feedback.example/bellwether.js" data-app="shop" data-token="bw_1"></script>',
  );
  for (const platform of ["ios", "android", "server"]) {
    assert.equal(
      linesOf(platform, of),
      'curl "https://feedback.example/v1/apps/shop/messages?client_id=me&locale=de" \\\n' +
        '  -H "Authorization: Bearer bw_1"',
    );
  }
  assert.match(linesOf("web", { ...of, token: "" }), /data-token="…"/);
  assert.equal(platformOf({ dialect: "android" }), "android");
  assert.equal(platformOf({}), "web");
  assert.equal(platformOf({ dialect: "toString" }), "web");
});
