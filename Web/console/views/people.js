// One person: the stored data, the responses, a copy, and the erasure. The id is in the fragment, which no server sees;
// the routes of a client or a user send it to the daemon.

import { path, Problem, readText, write } from "../api.js";
import { download } from "../csv.js";
import { show } from "../elements/dialog.js";
import { button, sectionHead, time } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { can, demand } from "../session.js";
import { addTexts, t } from "../texts.js";
import responseTexts from "../texts/en_responses.js";
import { h, uniqueId } from "../../shared/dom.js";
import { triage } from "./response-table.js";

addTexts(responseTexts);

/** @typedef {{kind: "user" | "client", id: string, isErasing: boolean}} Person */

/** The members of a copy that are shown separately, or contain no data about the person. */
const own = ["responses", "files", "app", "client_id", "user_id", "exported_at"];

/** @returns {Person | undefined} the person in the address */
function named() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const kind = parts.get("user") ? "user" : parts.get("client") ? "client" : undefined;
  return kind && { kind, id: parts.get(kind) ?? "", isErasing: parts.has("erase") };
}

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function people(context, shell) {
  demand("respond");
  const { app } = context.parameters;
  const { form, kind, id } = personForm((hash) => {
    if (location.hash === hash) void look();
    else shell.go(location.pathname + hash);
  });
  const place = h("div", { "aria-live": "polite" });
  const all = await recipes.load(app, context.signal, () => undefined);
  let asked = 0;

  async function look() {
    const person = named();
    const turn = asked += 1;
    if (!person) return place.replaceChildren();
    [kind.value, id.value] = [person.kind, person.id];
    place.setAttribute("aria-busy", "true");
    const found = await kept(app, person, context.signal).catch((error) => error);
    if (turn !== asked || context.signal.aborted) return;
    place.removeAttribute("aria-busy");
    place.replaceChildren(
      ...found instanceof Error ? [refused(found, person)] : personParts({ app, person, all, found, again: look }),
    );
    if (person.isErasing && !(found instanceof Error)) void erase(app, person, look);
  }

  setPageKeys({ "/": () => id.focus() });
  const element = h("div", {}, h("p", { class: "lead" }, t("people.lead")), form, place);
  void look();
  // The page without a person is the question for one.
  const focus = named() ? undefined : () => id.focus();
  return { element, title: t("people.title"), update: () => void look(), focus };
}

/** The form for the person's id. @param {(hash: string) => void} choose */
function personForm(choose) {
  const kind = h(
    "select",
    { class: "field" },
    ["user", "client"].map((value) => h("option", { value }, t(`people.${value}`))),
  );
  const id = h("input", { class: "field", required: true, maxlength: 256, autocomplete: "off", spellcheck: "false" });
  const form = h(
    "form",
    {
      class: "filters",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        choose(`#${kind.value}=${encodeURIComponent(id.value.trim())}`);
      },
    },
    h("label", {}, t("people.kind"), kind),
    h("label", {}, t("people.id"), id),
    h("button", { type: "submit", class: "button primary" }, t("people.look")),
  );
  return { form, kind, id };
}

/** @param {string} app @param {Person} person */
const address = (app, { kind, id }) => path("apps", app, `${kind}s`, id);

/** @param {string} app @param {Person} person @param {AbortSignal} signal */
async function kept(app, person, signal) {
  return JSON.parse((await readText(`${address(app, person)}/export`, signal)).text);
}

/** @param {Error} error @param {Person} person */
function refused(error, { kind }) {
  const isNone = error instanceof Problem && error.status === 404;
  return h(
    "p",
    { class: "panel empty", role: "alert" },
    isNone ? t("people.none", { kind: t(`people.${kind}`).toLowerCase() }) : recipes.sentence(error),
  );
}

/**
 * @param {{app: string, person: Person, all: recipes.Recipe[], found: any, again: () => void}} of
 * @returns {HTMLElement[]}
 */
function personParts({ app, person, all, found, again }) {
  const copy = () => {
    const file = `${person.kind}-${person.id.replaceAll(/[^\w-]+/g, "-").slice(0, 60)}.json`;
    download(file, [JSON.stringify(found, null, 2) + "\n"], "application/json");
    toast(t("people.exported", { file }));
  };
  const explain = `/console/a/${encodeURIComponent(app)}/explain#client=${encodeURIComponent(person.id)}`;
  if (
    Object.entries(found).every(([name, value]) =>
      name === "app" || name === "exported_at" || name === `${person.kind}_id` || isEmpty(value)
    )
  ) {
    return [h("p", { class: "panel empty" }, t("people.none", { kind: t(`people.${person.kind}`).toLowerCase() }))];
  }
  return [
    h(
      "div",
      { class: "page-head" },
      h("h2", { class: "person" }, icon("person"), h("bdi", {}, person.id)),
      h(
        "div",
        { class: "actions" },
        person.kind === "client" && can("read") &&
          h("a", { class: "button", href: explain }, icon("question"), t("people.explain")),
        button(t("people.export"), "download", copy),
        button(t("people.erase"), "trash", () => void erase(app, person, again), "danger"),
      ),
    ),
    h(
      "div",
      { class: "recipe-grid" },
      h("div", { class: "stack" }, responsesOf(app, found, all)),
      h("div", { class: "stack" }, membersOf(found)),
    ),
  ];
}

/** @param {string} app @param {{responses?: API.ResponseItem[]}} found @param {recipes.Recipe[]} all */
function responsesOf(app, { responses = [] }, all) {
  const name = (/** @type {string} */ slug) => {
    const recipe = all.find((recipe) => recipe.slug === slug);
    return recipe ? recipes.nameOf(recipe) : slug;
  };
  const rows = responses.map(({ id, slug, status, created_at: at, submitted_at: end, texts = [] }) =>
    h(
      "li",
      {},
      h("a", { href: `${recipes.recipeLink(app, slug, "responses")}/${encodeURIComponent(id)}` }, name(slug)),
      h(
        "span",
        { class: "muted ellipsis" },
        h("bdi", {}, texts.map(({ answer }) => answer).join(" · ")),
      ),
      h("span", { class: "end" }, triage(status), " ", time(end ?? at)),
    )
  );
  const content = rows.length > 0
    ? h("ul", { class: "rows" }, rows)
    : h("p", { class: "empty" }, t("people.responses.none"));
  return h("section", {}, sectionHead(t("people.responses"), rows.length), h("div", { class: "panel" }, content));
}

/** The name of a part of the export. @param {string} name */
function partName(name) {
  const text = t(`people.part.${name}`);
  return text.startsWith("people.part.") ? name.replaceAll("_", " ") : text;
}

/** The other parts of the export, each collapsed. @param {any} found */
function membersOf(found) {
  const parts = Object.entries(found).filter(([name, value]) => !own.includes(name) && !isEmpty(value));
  const size = (/** @type {unknown} */ value) =>
    value !== null && typeof value === "object"
      ? t("people.kept.members", { count: Array.isArray(value) ? value.length : Object.keys(value).length })
      : String(value);
  const files = found.files?.length ?? 0;
  return h(
    "section",
    {},
    sectionHead(t("people.kept")),
    h(
      "div",
      { class: "panel kept" },
      files > 0 && h("p", {}, t("people.kept.files"), ": ", files),
      parts.map(([name, value]) =>
        value !== null && typeof value === "object"
          ? h(
            "details",
            {},
            h("summary", {}, partName(name), " ", h("span", { class: "muted" }, size(value))),
            h(
              "pre",
              { class: "document", tabindex: "0", "aria-label": partName(name) },
              JSON.stringify(value, null, 2),
            ),
          )
          : h("p", {}, partName(name), " ", h("bdi", { class: "muted" }, size(value)))
      ),
    ),
  );
}

/** Whether a value contains no data. @param {unknown} value @returns {boolean} */
const isEmpty = (value) =>
  value === null || value === "" || value === 0 || value === true ||
  (typeof value === "object" && Object.values(value).every(isEmpty));

/** Erases a person after their id was typed. @param {string} app @param {Person} person @param {() => void} again */
async function erase(app, person, again) {
  const { id } = person;
  if (await typed(id) !== "yes") return;
  try {
    await write("DELETE", address(app, person));
    toast(t("people.erased", { id }));
  } catch (error) {
    toast(recipes.sentence(error));
  }
  history.replaceState(history.state, "", `${location.pathname}#${person.kind}=${encodeURIComponent(id)}`);
  again();
}

/** @param {string} id */
function typed(id) {
  const [title, text, label, fault] = ["title", "text", "id", "fault"].map(uniqueId);
  const input = h("input", {
    class: "field",
    id: label,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": fault,
  });
  const wrong = h("div", { class: "finding", id: fault, role: "alert" });
  const cancel = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.cancel"));
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": title, "aria-describedby": text });
  const form = h(
    "form",
    {
      class: "ask",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (input.value.trim() === id) return dialog.close("yes");
        wrong.textContent = t("people.erase.wrong");
        input.focus();
      },
    },
    h("div", { class: "form-field" }, h("label", { for: label }, t("people.erase.type")), input, wrong),
    h(
      "div",
      { class: "dialog-actions" },
      cancel,
      h("button", { type: "submit", class: "button danger primary" }, t("people.erase.do")),
    ),
  );
  dialog.append(
    h("h2", { id: title }, t("people.erase.title", { id })),
    h("p", { id: text }, t("people.erase.body")),
    form,
  );
  return show(dialog, input);
}
