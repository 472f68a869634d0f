// The actions on the selected response. The page shows an action before the daemon has responded, and reverts it if the
// daemon refuses.

import { path, write } from "../api.js";
import { confirm } from "../elements/dialog.js";
import { ask } from "../elements/note.js";
import { toast } from "../elements/toast.js";
import { session } from "../session.js";
import { t } from "../texts.js";
import { isTriable } from "./response-detail.js";

/** @typedef {import("./responses.js").ResponsesPage} Page */

/** The unfinished notes, by response. @type {Map<string, string>} */
export const begun = new Map();

/** @param {Page} page @returns {import("./response-detail.js").Acts} */
export const actsOn = (page) => ({
  app: page.of.app,
  triage: (status) => void triage(page, status),
  move: (step) => page.move(step),
  addNote: (body) => void addNote(page, body),
  editNote: (note) => void editNote(page, note),
  removeNote: (note) => void removeNote(page, note),
  remove: () => void remove(page),
});

/** @param {Page} page @param {string} status */
async function triage(page, status) {
  const { item } = page;
  if (!item || item.status === status) return;
  if (!isTriable(item)) return toast(t("response.status.none"));
  const { id, status: before } = item;
  const set = (/** @type {string} */ value) => {
    const listed = page.items.find((one) => one.id === id);
    for (const one of [listed, page.whole.get(id)]) if (one) one.status = value;
    if (listed) page.table.update(listed);
    if (page.current === id) page.draw();
  };
  set(status);
  page.said.textContent = t("response.status.set", { status: t(`response.status.${status}`) });
  try {
    await write("PATCH", path("apps", page.of.app, "responses", id), { status });
  } catch (error) {
    set(before);
    page.fail(error);
  }
}

/** @param {Page} page @param {string} id @param {(comments: any[]) => any[]} change */
function setNotes(page, id, change) {
  const whole = page.whole.get(id);
  if (!whole) return;
  whole.comments = change(whole.comments ?? []);
  const listed = page.items.find((item) => item.id === id);
  if (listed) {
    listed.comments_count = whole.comments.length;
    page.table.update(listed);
  }
  if (page.current === id) page.draw();
}

/** @param {Page} page @param {string} body */
async function addNote(page, body) {
  const id = page.current ?? "";
  if (!page.whole.has(id)) await page.readOne(id);
  const now = new Date().toISOString();
  const note = { id: `waits-${now}`, body, author: session().name, created_at: now, updated_at: now, isWaiting: true };
  setNotes(page, id, (notes) => [...notes, note]);
  try {
    const kept = await write("POST", path("apps", page.of.app, "responses", id, "comments"), { body });
    setNotes(page, id, (notes) => notes.map((one) => one.id === note.id ? kept : one));
  } catch (error) {
    setNotes(page, id, (notes) => notes.filter((one) => one.id !== note.id));
    const field = page.current === id ? page.detail.querySelector("textarea") : null;
    if (field && !field.value) field.value = body;
    else if (!field && !begun.has(id)) begun.set(id, body);
    page.fail(error);
  }
}

/** @param {Page} page @param {any} note */
async function editNote(page, note) {
  const id = page.current ?? "";
  const typed = await ask({
    title: t("response.note.edit.title"),
    body: t("response.note.edit.body"),
    action: t("response.note.keep"),
    fields: [{ label: t("response.note.label"), value: note.body, isLong: true, maximum: 4000 }],
  });
  if (!typed?.[0] || typed[0] === note.body) return;
  try {
    const kept = await write("PATCH", path("apps", page.of.app, "comments", note.id), { body: typed[0] });
    setNotes(page, id, (notes) => notes.map((one) => one.id === note.id ? kept : one));
  } catch (error) {
    page.fail(error);
  }
}

/** @param {Page} page @param {any} note */
async function removeNote(page, note) {
  const id = page.current ?? "";
  const [title, body] = [t("response.note.delete.title"), t("response.note.delete.body")];
  if (!await confirm({ title, body, action: t("response.note.delete") })) return;
  try {
    await write("DELETE", path("apps", page.of.app, "comments", note.id));
    setNotes(page, id, (notes) => notes.filter((one) => one.id !== note.id));
  } catch (error) {
    page.fail(error);
  }
}

/** @param {Page} page */
async function remove(page) {
  const { item } = page;
  const [title, body] = [t("response.delete.title"), t("response.delete.body")];
  if (!item || !await confirm({ title, body, action: t("response.delete.do") })) return;
  try {
    await write("DELETE", path("apps", page.of.app, "responses", item.id));
  } catch (error) {
    return page.fail(error);
  }
  const at = page.items.findIndex(({ id }) => id === item.id);
  page.items = page.items.filter(({ id }) => id !== item.id);
  page.whole.delete(item.id);
  page.table.set(page.items, page.hasMore);
  page.tell();
  toast(t("response.deleted"));
  page.choose(page.items[Math.min(Math.max(at, 0), page.items.length - 1)]?.id ?? "");
}
