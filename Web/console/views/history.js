// A recipe's revisions, and the differences between any two.

import { get, path } from "../api.js";
import { approvals } from "../approvals.js";
import { difference } from "../document/difference.js";
import { h } from "../../shared/dom.js";
import { sectionHead, status, time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { changeLine } from "../language/changes.js";
import { recipeLink } from "../recipes.js";
import { can } from "../session.js";
import { t } from "../texts.js";

/** @typedef {{revision: number, state: string, author: string | null, approved_by?: string | null, published_at: string}} Revision */

/** @param {import("./recipe.js").Of} of */
export async function historySection(of) {
  const section = new History(of);
  await section.load();
  return { element: section.element, update: (/** @type {URLSearchParams} */ query) => section.show(query) };
}

class History {
  /** @param {import("./recipe.js").Of} of */
  constructor(of) {
    this.of = of;
    this.address = path("apps", of.app, "recipes", of.recipe.slug, "revisions");
    /** @type {Revision[]} */
    this.newest = [];
    /** @type {Map<number, any>} */
    this.documents = new Map();
    this.compared = h("section", {});
    this.element = h("div", { class: "stack" });
  }

  async load() {
    const { app, recipe, query, signal } = this.of;
    const [{ revisions }, live] = await Promise.all([
      get(this.address, { signal }),
      approvals(app, recipe.slug, signal).catch(() => new Map()),
    ]);
    this.newest = revisions.toReversed();
    const list = h("section", {}, sectionHead(t("recipe.history"), this.newest.length), this.table(live));
    this.element.append(list, this.compared);
    await this.show(query);
  }

  /** The two revisions that are compared. @private @param {URLSearchParams} query */
  chosen(query) {
    const { newest } = this;
    const [from, to] = [Number(query.get("from")), Number(query.get("to"))];
    const last = newest[0]?.revision;
    const wanted = newest.some(({ revision }) => revision === to) ? to : last;
    const before = newest.find(({ revision }) => revision < wanted)?.revision;
    return { from: newest.some(({ revision }) => revision === from) ? from : before, to: wanted };
  }

  /** @private @param {Map<number, import("../approvals.js").Approval>} live */
  table(live) {
    const heads = ["from", "to", "revision", "state", "author", "when", "live"].map((key) => t(`history.${key}`));
    const head = h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)), h("td", {}));
    const rows = this.newest.map((revision) => this.row(revision, live.get(revision.revision)));
    return h(
      "div",
      { class: "table-frame" },
      h("table", { class: "table" }, h("thead", {}, head), h("tbody", {}, rows)),
    );
  }

  /** @private @param {Revision} revision @param {import("../approvals.js").Approval | undefined} approval */
  row({ revision, state, author, approved_by: approver, published_at: at }, approval) {
    const { app, recipe } = this.of;
    return h(
      "tr",
      {},
      ["from", "to"].map((side) => h("td", {}, this.radio(side, revision))),
      h("th", { scope: "row" }, `r${revision}`),
      h("td", {}, status(state === "deleted" ? "ended" : state)),
      h("td", {}, author ?? ""),
      h("td", {}, time(at)),
      h("td", {}, putLive(approval, approver)),
      h("td", { class: "end" }, state === "superseded" && can("publish") && backLink(app, recipe.slug, revision)),
    );
  }

  /** @private @param {string} side @param {number} revision */
  radio(side, revision) {
    return h("input", {
      type: "radio",
      name: `compare-${side}`,
      value: revision,
      "aria-label": `${t(`history.${side}`)} ${revision}`,
      onchange: () => this.of.shell.replace({ [side]: String(revision) }),
    });
  }

  /** @private @param {number} revision */
  async document(revision) {
    const { documents, of: { signal } } = this;
    if (!documents.has(revision)) documents.set(revision, await get(`${this.address}/${revision}`, { signal }));
    return documents.get(revision);
  }

  /** @param {URLSearchParams} query */
  async show(query) {
    const { from, to } = this.chosen(query);
    for (const input of this.element.querySelectorAll("input")) {
      input.checked = Number(input.value) === (input.name === "compare-from" ? from : to);
    }
    if (from === undefined || to === undefined) {
      this.compared.replaceChildren(h("p", { class: "panel empty" }, t("history.one")));
      return;
    }
    const [older, newer] = [await this.document(from), await this.document(to)];
    const changes = difference(older, newer);
    const list = changes.length === 0
      ? h("p", { class: "empty" }, t("history.same"))
      : h("ul", { class: "changes" }, changes.map((change) => changeLine(change, newer, older)));
    this.compared.replaceChildren(
      sectionHead(t("history.compare", { from, to }), changes.length),
      h("div", { class: "panel" }, list),
    );
  }
}

/**
 * Who put a revision live last, and who approved it: another person than its author.
 * @param {import("../approvals.js").Approval | undefined} approval
 * @param {string | null | undefined} approver
 */
const putLive = (approval, approver) => [
  approver ? t("recipe.approvedby", { name: approver }) : h("bdi", {}, approval?.by ?? ""),
  approval && (!approver || approver === approval.by) && [" ", h("span", { class: "muted" }, time(approval.at))],
];

/**
 * The address of the review of an earlier revision before its restoration.
 * @param {string} app
 * @param {string} slug
 * @param {number} revision
 */
const backLink = (app, slug, revision) =>
  h(
    "a",
    {
      class: "button quiet",
      href: `${recipeLink(app, slug, "publish")}?revision=${revision}`,
      "aria-label": `${t("history.back")} r${revision}`,
    },
    icon("undo"),
    t("history.back"),
  );
