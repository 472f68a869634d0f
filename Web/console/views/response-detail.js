// One response: its questions and answers, its status, its notes.

import { path } from "../api.js";
import { button, time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { isMac } from "../keys.js";
import { can, session } from "../session.js";
import { t } from "../texts.js";
import { h, uniqueId } from "../../shared/dom.js";
import { questionId, whoOf } from "./response-table.js";
import { duration } from "./results-words.js";

/**
 * @typedef {any} Item a response
 * @typedef {{app: string, triage: (status: string) => void, move: (step: number) => void, addNote: (body: string) => void,
 *   editNote: (note: any) => void, removeNote: (note: any) => void, remove: () => void}} Acts
 */

/** The statuses that can be set, by the keys 1 to 4. */
export const statuses = ["new", "in_review", "addressed", "dismissed"];

/** @param {Item} item */
export const isTriable = ({ status }) => statuses.includes(status);

/** @param {string} app @param {Item} item */
const personLink = (app, item) =>
  `/console/a/${encodeURIComponent(app)}/people#${item.user_id ? "user" : "client"}=${
    encodeURIComponent(item.user_id ?? item.client_id ?? "")
  }`;

/**
 * @param {Item} item in the format of lists, or complete
 * @param {{words: string[], draft: string, acts: Acts}} of `words` are the search terms; `draft` is an unfinished note
 */
export function responseDetail(item, { words, draft, acts }) {
  const who = whoOf(item);
  return h(
    "section",
    { class: "panel response", "aria-label": t("response.of", { who }), tabindex: "-1" },
    headOf(item, who, acts),
    h(
      "div",
      { class: "response-body" },
      h("div", {}, answersOf(item, words, acts), attributesOf(item)),
      notesOf(item, draft, acts),
    ),
    h(
      "div",
      { class: "response-actions" },
      item.user_id || item.client_id
        ? [
          h(
            "a",
            { class: "button quiet", href: personLink(acts.app, item) },
            icon("person"),
            t("response.all", { who }),
          ),
          h("a", { class: "button quiet danger", href: `${personLink(acts.app, item)}&erase=` }, t("response.erase")),
        ]
        : null,
      button(t("response.delete"), "trash", acts.remove, "quiet danger"),
    ),
  );
}

/** @param {Item} item @param {string} who @param {Acts} acts */
function headOf(item, who, acts) {
  const took = item.submitted_at && !item.origin ? Date.parse(item.submitted_at) - Date.parse(item.created_at) : 0;
  const facts = [
    t("response.revision", item),
    item.round && t("response.round", { round: item.round }),
    item.branch,
    item.run_status && t(`response.run.${item.run_status}`, { step: item.step_id ?? "" }),
    took > 0 && t("response.took", { time: duration(took) }),
    item.is_dev && t("response.dev"),
    item.origin && t("response.imported", item.origin),
  ].filter(Boolean);
  const select = h(
    "select",
    { class: "field", onchange: () => acts.triage(select.value) },
    statuses.map((status) => h("option", { value: status }, t(`response.status.${status}`))),
  );
  if (isTriable(item)) select.value = item.status;
  return h(
    "div",
    { class: "response-head" },
    h("h2", {}, h("bdi", {}, who)),
    h(
      "span",
      { class: "muted" },
      time(item.submitted_at ?? item.created_at),
      facts.map((fact) => [" · ", h("bdi", {}, fact)]),
    ),
    h(
      "span",
      { class: "actions" },
      isTriable(item)
        ? h("label", {}, t("response.status"), " ", select)
        : h("span", { class: "muted", title: t("response.status.none") }, t(`response.status.${item.status}`)),
      button(t("responses.previous"), "up", () => acts.move(-1), "quiet icon-only"),
      button(t("responses.next"), "down", () => acts.move(1), "quiet icon-only"),
    ),
  );
}

/**
 * The answers. Sensitive answers stay out of the document until each is requested.
 * @param {Item} item
 * @param {string[]} words
 * @param {Acts} acts
 */
function answersOf(item, words, acts) {
  const sensitive = new Set(item.sensitive ?? []);
  const pointer = (/** @type {{id: string, step_id?: string}} */ text) =>
    text.step_id ? `/${escaped(text.step_id)}/${escaped(text.id)}` : text.id;
  if (item.texts.length === 0) return h("p", { class: "empty" }, t("response.answers.none"));
  const files = filesOf(item.answers);
  return [
    h(
      "dl",
      { class: "response-answers" },
      item.texts.map((/** @type {any} */ text) => {
        const place = h("dd", {});
        const show = () => place.replaceChildren(h("bdi", { class: "answer" }, marked(text.answer, words)));
        if (sensitive.has(pointer(text))) place.append(hidden(text, show));
        else show();
        return h(
          "div",
          {},
          h("dt", {}, h("bdi", {}, text.question), " ", h("bdi", { class: "code muted" }, questionId(text))),
          place,
        );
      }),
    ),
    files.length > 0 && h(
      "p",
      {},
      files.map((
        digest,
        place,
      ) => [
        h(
          "a",
          { href: path("apps", acts.app, "files", digest), download: "", target: "_blank" },
          icon("download"),
          t("response.file", { number: place + 1 }),
        ),
        " ",
      ]),
    ),
  ];
}

/** @param {string} token a token of a pointer */
const escaped = (token) => token.replaceAll("~", "~0").replaceAll("/", "~1");

/** @param {any} text @param {() => void} show */
function hidden(text, show) {
  const reveal = h("button", {
    type: "button",
    class: "button quiet",
    "aria-label": t("response.show.of", text),
    onclick: show,
  });
  reveal.append(icon("eye"), t("response.show"));
  return h(
    "span",
    { class: "hidden-answer" },
    icon("lock"),
    h("span", { class: "muted" }, t("response.hidden")),
    reveal,
  );
}

/** The digests of the files in an answer. @param {unknown} value @returns {string[]} */
function filesOf(value) {
  if (Array.isArray(value)) return value.flatMap(filesOf);
  if (value === null || typeof value !== "object") return [];
  const digest = Reflect.get(value, "sha256");
  if (typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest)) return [digest];
  return Object.values(value).flatMap(filesOf);
}

/** A text with marked search terms. @param {string} text @param {string[]} words */
function marked(text, words) {
  const found = words.filter(Boolean).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (found.length === 0) return [text];
  return text.split(new RegExp(`(${found.join("|")})`, "gi")).map((part, place) =>
    place % 2 ? h("mark", {}, part) : part
  );
}

/** @param {Item} item */
function attributesOf(item) {
  const kept = Object.entries({ ...item.attribution, ...item.attributes });
  if (kept.length === 0) return null;
  return [
    h("h3", {}, t("response.attributes")),
    h(
      "dl",
      { class: "facts" },
      kept.map(([name, value]) => [h("dt", {}, h("bdi", {}, name)), h("dd", {}, h("bdi", {}, String(value)))]),
    ),
  ];
}

/** @param {Item} item @param {string} draft @param {Acts} acts */
function notesOf(item, draft, acts) {
  const { name } = session();
  const [label, hint] = [uniqueId("note"), uniqueId("hint")];
  const input = h("textarea", {
    class: "field note-field",
    id: label,
    rows: 2,
    maxlength: 4000,
    "aria-describedby": hint,
  });
  input.value = draft;
  const add = () => {
    const body = input.value.trim();
    if (!body) return input.focus();
    input.value = "";
    acts.addNote(body);
  };
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") input.closest("section")?.focus();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    // Outside the input, single keys work as shortcuts again.
    if (input.value.trim()) input.closest("section")?.focus();
    add();
  });
  const keys = isMac ? "⌘⏎" : "Ctrl ⏎";
  return h(
    "div",
    { class: "response-notes" },
    h("h3", {}, t("responses.notes")),
    h(
      "ul",
      { class: "notes" },
      (item.comments ?? []).map((/** @type {Parameters<typeof noteOf>[0]} */ note) => noteOf(note, name, acts)),
    ),
    h("label", { for: label }, t("response.note")),
    input,
    h("p", { class: "hint", id: hint }, t("response.note.hint", { keys })),
    button(t("response.note.add"), "note", add),
  );
}

/** @param {any} note @param {string} name @param {Acts} acts */
function noteOf(note, name, acts) {
  const isOwn = note.author === name && !note.isWaiting;
  const [mayEdit, mayDelete] = [isOwn, isOwn || (can("admin") && !note.isWaiting)];
  return h(
    "li",
    {},
    h("p", { class: "muted" }, h("bdi", {}, note.author), ", ", time(note.created_at)),
    h("p", { class: "note-body" }, h("bdi", {}, note.body)),
    (mayEdit || mayDelete) && h(
      "span",
      { class: "note-actions" },
      mayEdit && button(t("response.note.edit"), "pencil", () => acts.editNote(note), "quiet icon-only"),
      mayDelete && button(t("response.note.delete"), "trash", () => acts.removeNote(note), "quiet icon-only"),
    ),
  );
}
