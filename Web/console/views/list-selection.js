// The selected rows of the list, and the actions on all of them. Each row shows its outcome.

import { path, readText } from "../api.js";
import { confirm } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { t } from "../texts.js";
import { h, setAttribute } from "../../shared/dom.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

export class Selection {
  /**
   * @param {string} app
   * @param {() => Recipe[]} listed the recipes that the list shows, in its order
   * @param {() => void} refresh
   */
  constructor(app, listed, refresh) {
    this.app = app;
    this.listed = listed;
    this.refresh = refresh;
    /** @type {Set<string>} */
    this.slugs = new Set();
    /** @type {Map<string, string>} The outcome of the last action, by slug. */
    this.results = new Map();
    this.bar = h("div", { class: "selection", role: "group", "aria-label": t("list.actions"), hidden: true });
    this.all = h("input", {
      type: "checkbox",
      "aria-label": t("list.select.all"),
      onchange: () => this.choose(this.all.checked ? listed().map(({ slug }) => slug) : []),
    });
    this.isBusy = false;
  }

  /** @param {string[]} slugs */
  choose(slugs) {
    this.slugs = new Set(slugs);
    this.results.clear();
    this.refresh();
  }

  /** @param {string} slug */
  toggle(slug) {
    if (!this.slugs.delete(slug)) this.slugs.add(slug);
    this.tell();
  }

  /** The checkbox of a row. @param {Recipe} recipe */
  box(recipe) {
    return h("input", {
      type: "checkbox",
      checked: this.slugs.has(recipe.slug),
      "aria-label": t("list.select", { name: recipes.nameOf(recipe) }),
      onchange: () => this.toggle(recipe.slug),
    });
  }

  /** The recipes that are selected and listed. */
  get chosen() {
    return this.listed().filter(({ slug }) => this.slugs.has(slug));
  }

  tell() {
    const chosen = this.chosen;
    this.all.checked = chosen.length > 0 && chosen.length === this.listed().length;
    this.all.indeterminate = chosen.length > 0 && !this.all.checked;
    this.bar.hidden = chosen.length === 0;
    if (this.bar.hidden) return;
    const had = this.bar.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.bar.replaceChildren(
      h("strong", { role: "status" }, t("list.selected", { count: chosen.length })),
      ...this.actions(chosen),
      button(t("list.export"), "download", () => void this.exportJSON(), "quiet"),
      button(t("list.deselect"), "close", () => this.choose([]), "quiet"),
    );
    setAttribute(this.bar, "aria-busy", this.isBusy ? "true" : null);
    for (const item of had ? this.bar.querySelectorAll("button") : []) if (item.textContent === had) item.focus();
  }

  /** @private @param {Recipe[]} chosen */
  actions(chosen) {
    const some = (/** @type {(recipe: Recipe) => boolean} */ isMeant) => chosen.some(isMeant);
    const state = (/** @type {string} */ to) => (/** @type {Recipe} */ recipe) =>
      recipes.putState(this.app, recipe, to);
    const ended = (/** @type {Recipe} */ recipe) => recipe.state === "ended" && !recipe.archived && can("publish");
    return [
      some((recipe) => recipes.isChangeable(recipe) && recipe.state === "live") &&
      button(
        t("action.pause"),
        "pause",
        () => void this.each((recipe) => recipes.isChangeable(recipe) && recipe.state === "live", state("paused")),
        "quiet",
      ),
      some((recipe) => recipes.isChangeable(recipe) && recipe.state === "paused") &&
      button(
        t("action.resume"),
        "play",
        () => void this.each((recipe) => recipes.isChangeable(recipe) && recipe.state === "paused", state("live")),
        "quiet",
      ),
      some(recipes.isChangeable) && button(t("action.end"), "stop", () => void this.end(), "quiet danger"),
      some(ended) &&
      button(
        t("action.archive"),
        "note",
        () => void this.each(ended, ({ slug }) => recipes.putNote(this.app, slug, { archived: true })),
        "quiet",
      ),
    ].filter(Boolean);
  }

  /** @private */
  async end() {
    const count = this.chosen.filter(recipes.isChangeable).length;
    const texts = { title: t("list.end.title", { count }), body: t("end.body"), action: t("end.do") };
    if (!await confirm(texts)) return;
    await this.each(recipes.isChangeable, (recipe) => recipes.putState(this.app, recipe, "ended"));
  }

  /** @private @param {(recipe: Recipe) => boolean} isMeant @param {(recipe: Recipe) => Promise<unknown>} run */
  async each(isMeant, run) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.results.clear();
    this.tell();
    for (const recipe of this.chosen.filter(isMeant)) {
      const outcome = await run(recipe).then(() => t("list.done"), recipes.sentence);
      this.results.set(recipe.slug, outcome);
    }
    this.isBusy = false;
    this.tell();
    recipes.changed(this.app);
  }

  /** Exports the recipes in the format of the import route: `{"data": […]}`. @private */
  async exportJSON() {
    try {
      const { signal } = new AbortController();
      const data = [];
      for (const { slug } of this.chosen) {
        const { text } = await readText(path("apps", this.app, "recipes", slug), signal);
        data.push({ slug, ...JSON.parse(text) });
      }
      const file = new Blob([JSON.stringify({ data }, null, 2) + "\n"], { type: "application/json" });
      const address = URL.createObjectURL(file);
      h("a", { href: address, download: `${this.app}-recipes.json` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      toast(recipes.sentence(error));
    }
  }
}
