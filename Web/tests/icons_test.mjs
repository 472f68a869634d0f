// The names of icons: the widget's drawings are those that publishing knows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawings, nameOf } from "../widget/parts/icons.js";

const source = await Deno.readTextFile(
  new URL("../../Sources/BellwetherCore/Microsurvey/PhoneIcon.swift", import.meta.url),
);

test("publishing and the widget know the same icons", () => {
  const [, list] = /let names: Set<String> = \[([^\]]*)\]/.exec(source) ?? [];
  assert.deepEqual([...list.matchAll(/"(\w+)"/g)].map(([, name]) => name), Object.keys(drawings));
});

test("the longest name that the icon begins with is drawn, and words for its variant are not looked at", () => {
  const wanted = {
    homeLarge: "home",
    home: "home",
    tabTrayLarge: "tabTray",
    tabLarge: "tab",
    lockSlashFillLarge: "lock",
    noSuchIcon: undefined,
    homely: undefined,
    tab2: undefined,
  };
  for (const [icon, name] of Object.entries(wanted)) assert.equal(nameOf(icon), name);
});
