// The reasons for the messages of a client. Kind, time and drafts are in the address; the client and the suppositions
// are in the fragment, which no server sees.

import { consult, get, path } from "../api.js";
import { copied } from "../elements/copy.js";
import { ask } from "../elements/note.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { can, demand } from "../session.js";
import { addTexts, t } from "../texts.js";
import explainTexts from "../texts/en_explain.js";
import { h } from "../../shared/dom.js";
import { personas, removePersona, savePersona } from "./explain-personas.js";
import { fragment, questionOf, readFragment } from "./explain-question.js";
import { tree, verdict } from "./explain-tree.js";

addTexts(explainTexts);

/** @typedef {import("./explain-question.js").Supposition} Supposition */

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function explain(context, shell) {
  demand("read");
  const { app } = context.parameters;
  const [manifest, all] = await Promise.all([
    get(path("apps", app, "manifest"), { signal: context.signal }),
    recipes.load(app, context.signal, () => undefined),
  ]);
  const page = new ExplainPage({ app, manifest, all, shell, signal: context.signal });
  setPageKeys({ "/": () => page.client.focus() });
  await page.turn();
  // Whoever opens the page without a client types its id.
  const focus = page.client.value || !can("respond") ? undefined : () => page.client.focus();
  return { element: page.element, title: t("explain.title"), update: () => void page.turn(), focus };
}

class ExplainPage {
  /** @param {{app: string, manifest: any, all: recipes.Recipe[], shell: import("../main.js").Shell, signal: AbortSignal}} of */
  constructor(of) {
    this.of = of;
    /** Ends the request of the former question. */
    this.asking = new AbortController();
    this.chips = h("div", { class: "chips" });
    this.verdict = h("p", { class: "finding-sentence", role: "status" });
    this.answer = h("div", { class: "stack" });
    this.form();
    this.element = h(
      "div",
      { class: "explain" },
      h("p", { class: "lead" }, t("explain.lead")),
      this.fields,
      this.chips,
      this.verdict,
      this.answer,
    );
  }

  /** @private */
  form() {
    this.client = h("input", {
      class: "field",
      maxlength: 256,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("explain.client.hint"),
      "aria-label": t("explain.client"),
    });
    const set = (/** @type {Record<string, string | undefined>} */ values) => this.go(values);
    const select = (/** @type {(value: string) => Record<string, string | undefined>} */ change) => {
      const element = h("select", { class: "field", onchange: () => set(change(element.value)) });
      return element;
    };
    this.persona = select((value) => ({ persona: value || undefined }));
    this.what = select((value) =>
      value.startsWith("f:")
        ? { feature: value.slice(2), surface: undefined }
        : { surface: value.slice(2), feature: undefined }
    );
    this.locale = h("input", {
      class: "field short",
      maxlength: 35,
      placeholder: this.of.manifest.default_locale,
      onchange: () => set({ locale: this.locale.value.trim() || undefined }),
    });
    this.when = h("input", {
      class: "field",
      type: "datetime-local",
      onchange: () => set({ at: this.when.value ? `${this.when.value}:00Z` : undefined }),
    });
    this.with = select((value) => ({ with: value ? [...this.drafts(), value].join(",") : undefined }));
    this.with.append(...this.draftOptions());
    this.fields = this.filters();
  }

  /** @private The drafts that can stand in for what is live. */
  draftOptions() {
    const drafts = this.of.all.filter(({ draft }) => draft).map((recipe) =>
      h(
        "option",
        { value: `${recipe.slug}:draft` },
        t("explain.with.draft", { name: recipes.nameOf(recipe), revision: recipe.draft?.revision }),
      )
    );
    return [h("option", { value: "" }, t("explain.with.none")), ...drafts];
  }

  /** @private The form with all fields. */
  filters() {
    const label = (/** @type {string} */ key, /** @type {HTMLElement} */ field) => h("label", {}, t(key), field);
    return h(
      "form",
      {
        class: "filters",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.go({}, { client: this.client.value.trim() });
        },
      },
      can("respond") && label("explain.client", this.client),
      label("explain.persona", this.persona),
      label("explain.locale", this.locale),
      label("explain.what", this.what),
      label("explain.when", this.when),
      label("explain.with", this.with),
      h("button", { type: "submit", class: "button primary" }, t("explain.do")),
      h("span", { class: "count" }),
      button(t("explain.persona.save"), "person", () => void this.save(), "quiet"),
      button(t("explain.copy"), "link", () => void this.copy(), "quiet"),
    );
  }

  /**
   * Asks again at another address, as a new entry of the history.
   * @private
   * @param {Record<string, string | undefined>} values
   * @param {{client?: string, supposed?: Supposition[]}} [about]
   */
  go(values, about = {}) {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(values)) {
      if (value) url.searchParams.set(name, value);
      else url.searchParams.delete(name);
    }
    url.hash = fragment({ ...readFragment(url.hash), ...about });
    if (url.href === location.href) void this.turn();
    else this.of.shell.go(url.href);
  }

  /** @private @returns {string[]} */
  drafts() {
    return (new URLSearchParams(location.search).get("with") ?? "").split(",").filter(Boolean);
  }

  /** The values of the address. @private */
  read() {
    const { app, manifest, all } = this.of;
    const query = new URLSearchParams(location.search);
    const { client, supposed } = readFragment(location.hash);
    const known = personas(app, manifest);
    const persona = known.find(({ name }) => name === query.get("persona"));
    const feature = query.get("feature") ?? "";
    const surface = query.get("surface") ?? (feature ? "" : persona?.question.surface ?? usual(app, manifest, all));
    const suppose = this.drafts().flatMap((text) => {
      const at = text.lastIndexOf(":");
      const [slug, word] = [text.slice(0, at), text.slice(at + 1)];
      const revision = word === "draft" ? all.find((recipe) => recipe.slug === slug)?.draft?.revision : Number(word);
      return revision ? [{ slug, revision }] : [];
    });
    return {
      surface,
      feature,
      client,
      supposed,
      suppose,
      persona: persona?.question,
      at: query.get("at") ?? "",
      locale: query.get("locale") ?? "",
      known,
    };
  }

  async turn() {
    this.asking.abort();
    const { signal } = this.asking = new AbortController();
    const parts = this.read();
    this.tell(parts);
    if (!parts.surface && !parts.feature) return this.verdict.textContent = t("explain.nosurface");
    localStorage.setItem(
      `bellwether-explain:${this.of.app}`,
      parts.surface || usual(this.of.app, this.of.manifest, this.of.all),
    );
    this.answer.setAttribute("aria-busy", "true");
    try {
      const answer = await this.consult(parts, AbortSignal.any([signal, this.of.signal]));
      if (!signal.aborted) this.show(answer, parts.surface);
    } catch (error) {
      if (signal.aborted || this.of.signal.aborted) return;
      this.verdict.textContent = "";
      this.answer.replaceChildren(h("p", { class: "panel empty", role: "alert" }, recipes.sentence(error)));
    } finally {
      if (!signal.aborted) this.answer.removeAttribute("aria-busy");
    }
  }

  /**
   * Requests the explanation. A supposed branch needs the client's enrollments, so a first request loads them.
   * @private
   * @param {ReturnType<ExplainPage["read"]>} parts
   * @param {AbortSignal} signal
   */
  async consult(parts, signal) {
    const address = path("apps", this.of.app, "explain");
    const put = (/** @type {ReturnType<typeof questionOf>} */ question) =>
      consult(address, JSON.stringify(this.question = question), signal);
    const answer = await put(questionOf(parts));
    if (!parts.supposed.some(({ sort }) => sort === "branch")) return answer;
    return put(questionOf(parts, answer.enrollments));
  }

  /** @private @param {any} answer @param {string} surface */
  show(answer, surface) {
    const of = {
      app: this.of.app,
      all: this.of.all,
      surface,
      suppose: (/** @type {Parameters<ExplainPage["suppose"]>[0]} */ one) => void this.suppose(one),
      at: (/** @type {string} */ at) => this.go({ at }),
    };
    this.verdict.textContent = verdict(answer, of);
    this.answer.replaceChildren(...tree(answer, of).flat().filter(Boolean));
  }

  /** @private @param {{sort: Supposition["sort"], name: string, value?: string}} one */
  async suppose({ sort, name, value }) {
    const chosen = value ?? (await ask({
      title: t("explain.suppose.title"),
      body: t("explain.suppose.body"),
      action: t("explain.suppose.do"),
      fields: [{
        label: sort === "event" ? t("explain.chip.event", { name, count: 2 }) : t("explain.suppose.value", { name }),
        value: sort === "event" ? "1" : "",
        hint: sort === "event" ? undefined : t("explain.suppose.hint"),
        maximum: 1000,
      }],
    }))?.[0];
    if (chosen === undefined || (chosen === "" && sort !== "branch")) return;
    const { supposed } = readFragment(location.hash);
    const before = supposed.find((other) => other.sort === sort && other.name === name);
    const sum = sort === "event" && before ? String(Number(before.value) + Number(chosen)) : chosen;
    this.go({}, { supposed: [...supposed.filter((other) => other !== before), { sort, name, value: sum }] });
  }

  /** @private @param {ReturnType<ExplainPage["read"]>} parts */
  tell({ surface, feature, client, supposed, at, locale, known }) {
    const { manifest } = this.of;
    if (document.activeElement !== this.client) this.client.value = client;
    this.locale.value = locale;
    this.when.value = at.slice(0, 16);
    this.with.value = "";
    const group = (/** @type {string} */ key, /** @type {string} */ prefix, /** @type {string[]} */ names) =>
      names.length > 0 &&
      h("optgroup", { label: t(key) }, names.map((name) => h("option", { value: `${prefix}:${name}` }, name)));
    const features = Object.keys(manifest.features ?? {});
    this.what.replaceChildren(
      ...[group("explain.surfaces", "s", manifest.surfaces ?? []), group("explain.features", "f", features)].filter((
        one,
      ) => one instanceof HTMLElement),
    );
    this.what.value = feature ? `f:${feature}` : `s:${surface}`;
    const chosen = new URLSearchParams(location.search).get("persona") ?? "";
    const named = (/** @type {boolean} */ isShared) =>
      known.filter((one) => one.isShared === isShared).map(({ name }) => h("option", { value: name }, name));
    this.persona.replaceChildren(...[
      h("option", { value: "" }, t("explain.persona.none")),
      h("optgroup", { label: t("explain.persona.own") }, named(false)),
      h("optgroup", { label: t("explain.persona.app") }, named(true)),
      chosen && !known.some(({ name }) => name === chosen) &&
      h("option", { value: chosen }, t("explain.persona.gone", { name: chosen })),
    ].filter((one) => one instanceof HTMLElement));
    this.persona.value = chosen;
    this.tellChips(supposed, known.find(({ name, isShared }) => name === chosen && !isShared)?.name);
  }

  /** @private @param {Supposition[]} supposed @param {string | undefined} persona a persona that can be removed here */
  tellChips(supposed, persona) {
    const chip = (/** @type {string} */ text, /** @type {() => void} */ run) =>
      h(
        "span",
        { class: "chip" },
        h("bdi", {}, text),
        button(t("explain.remove", { what: text }), "close", run, "quiet icon-only chip-remove"),
      );
    const words = (/** @type {Supposition} */ { sort, name, value }) => {
      if (sort === "branch" && value === "") return t("explain.chip.branch.none", { name });
      return t(`explain.chip.${sort}`, { name, value, count: Number(value) });
    };
    const drafts = this.drafts();
    const live = new URL(location.href);
    live.searchParams.delete("with");
    this.chips.replaceChildren(...[
      ...drafts.map((text) =>
        chip(
          draftWords(text, this.of.all),
          () => this.go({ with: drafts.filter((other) => other !== text).join(",") || undefined }),
        )
      ),
      ...supposed.map((one) =>
        chip(words(one), () => this.go({}, { supposed: supposed.filter((other) => other !== one) }))
      ),
      drafts.length > 0 && h("a", { href: live.href }, icon("swap"), t("explain.live")),
      persona && button(t("explain.persona.remove"), "trash", () => {
        removePersona(this.of.app, persona);
        this.go({ persona: undefined });
      }, "quiet"),
    ].filter((one) => one instanceof HTMLElement));
  }

  /** @private */
  async save() {
    const typed = await ask({
      title: t("explain.persona.save"),
      body: t("explain.persona.body"),
      action: t("explain.persona.keep"),
      fields: [{ label: t("explain.persona.name"), value: "", maximum: 100 }],
    });
    const [name] = typed ?? [];
    if (!name) return;
    savePersona(this.of.app, name, this.question ?? {});
    toast(t("explain.persona.saved", { name }));
    this.go({ persona: name }, { supposed: [] });
  }

  /** @private */
  async copy() {
    toast(t(await copied(location.href) ? "explain.copied" : "explain.uncopied"));
  }
}

/** @param {string} text `slug:draft`, `slug:3` @param {recipes.Recipe[]} all */
function draftWords(text, all) {
  const at = text.lastIndexOf(":");
  const recipe = all.find(({ slug }) => slug === text.slice(0, at));
  const name = recipe ? recipes.nameOf(recipe) : text.slice(0, at);
  const word = text.slice(at + 1);
  return word === "draft"
    ? t("explain.with.draft", { name, revision: recipe?.draft?.revision ?? "?" })
    : t("explain.with.revision", { name, revision: word });
}

/**
 * The last used surface, or else one with a live recipe.
 * @param {string} app
 * @param {any} manifest
 * @param {recipes.Recipe[]} all
 * @returns {string}
 */
function usual(app, manifest, all) {
  const surfaces = manifest.surfaces ?? [];
  const last = localStorage.getItem(`bellwether-explain:${app}`) ?? "";
  if (surfaces.includes(last)) return last;
  const live = all.filter(({ state }) => state === "live").flatMap((recipe) => recipe.surfaces);
  return surfaces.find((/** @type {string} */ surface) => live.includes(surface)) ?? surfaces[0] ?? "";
}
