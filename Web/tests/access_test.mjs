// What somebody may do in an app, and roles in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rolesInWords } from "../console/roles.js";
import { mayIn } from "../console/session.js";

const many = { can: ["read", "review", "publish"], can_in: { notes: ["read", "review"], blog: ["read", "publish"] } };
const everywhere = { can: ["read", "admin"], can_in: { "*": ["read", "admin"], notes: ["read", "review"] } };

test("an ability holds in the app of its role, and in no other", () => {
  assert.equal(mayIn(many, "review", "notes"), true);
  assert.equal(mayIn(many, "review", "blog"), false);
  assert.equal(mayIn(many, "read", "shop"), false);
});

test("a role in all apps counts in each, beside the role in an app", () => {
  assert.equal(mayIn(everywhere, "admin", "shop"), true);
  assert.equal(mayIn(everywhere, "review", "notes"), true);
  assert.equal(mayIn(everywhere, "review", "shop"), false);
  assert.equal(mayIn(everywhere, "admin", "*"), true);
  assert.equal(mayIn(many, "publish", "*"), false);
});

test("on a page without an app an ability in one app is enough", () => {
  assert.equal(mayIn(many, "publish", ""), true);
  assert.equal(mayIn(many, "admin", ""), false);
});

const apps = [
  { app: "trail-notes", app_name: "Trail Notes", recipes: 0, default_locale: "en", locales: [] },
  { app: "blog", app_name: null, recipes: 0, default_locale: "en", locales: [] },
];

test("roles are told in words, with the names of the apps, and all apps first", () => {
  assert.deepEqual(rolesInWords({ "trail-notes": "owner" }, apps), ["Owner of Trail Notes"]);
  assert.deepEqual(rolesInWords({ "trail-notes": "reviewer", "blog": "support", "*": "admin" }, apps), [
    "Administrator of all apps",
    "Support for blog",
    "Reviewer of Trail Notes",
  ]);
  assert.deepEqual(rolesInWords({ gone: "reader" }, apps), ["Reader of gone"]);
});
