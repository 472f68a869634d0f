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

/** @typedef {{revision: number, state: string, author: string | null, published_at: string}} Revision */

/**
 * @param {string} app
 * @param {string} slug
 * @param {() => URLSearchParams} query
 * @param {import("../main.js").Shell} shell
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function historySection(app, slug, query, shell, signal) {
  const address = path("apps", app, "recipes", slug, "revisions");
  const [{ revisions }, live] = await Promise.all([
    get(address, { signal }),
    approvals(app, slug, signal).catch(() => new Map()),
  ]);
  /** @type {Revision[]} */
  const newest = revisions.toReversed();
  const compared = h("section", {});
  const element = h(
    "div",
    { class: "stack" },
    h("section", {}, sectionHead(t("recipe.history"), newest.length), table()),
    compared,
  );
  /** @type {Map<number, any>} */
  const documents = new Map();

  const chosen = () => {
    const [from, to] = [Number(query().get("from")), Number(query().get("to"))];
    const last = newest[0]?.revision;
    const wanted = newest.some(({ revision }) => revision === to) ? to : last;
    const before = newest.find(({ revision }) => revision < wanted)?.revision;
    return { from: newest.some(({ revision }) => revision === from) ? from : before, to: wanted };
  };

  function table() {
    const heads = ["from", "to", "revision", "state", "author", "when", "live"].map((key) => t(`history.${key}`));
    return h(
      "div",
      { class: "table-frame" },
      h(
        "table",
        { class: "table" },
        h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)), h("td", {}))),
        h(
          "tbody",
          {},
          newest.map(({ revision, state, author, published_at }) =>
            h(
              "tr",
              {},
              ["from", "to"].map((side) =>
                h(
                  "td",
                  {},
                  h("input", {
                    type: "radio",
                    name: `compare-${side}`,
                    value: revision,
                    "aria-label": `${t(`history.${side}`)} ${revision}`,
                    onchange: () => shell.replace({ [side]: String(revision) }),
                  }),
                )
              ),
              h("th", { scope: "row" }, `r${revision}`),
              h("td", {}, status(state === "deleted" ? "ended" : state)),
              h("td", {}, author ?? ""),
              h("td", {}, time(published_at)),
              h("td", {}, putLive(live.get(revision))),
              h("td", { class: "end" }, state === "superseded" && can("publish") && backLink(app, slug, revision)),
            )
          ),
        ),
      ),
    );
  }

  /** @param {number} revision */
  async function document_(revision) {
    if (!documents.has(revision)) documents.set(revision, await get(`${address}/${revision}`, { signal }));
    return documents.get(revision);
  }

  async function show() {
    const { from, to } = chosen();
    for (const input of element.querySelectorAll("input")) {
      input.checked = Number(input.value) === (input.name === "compare-from" ? from : to);
    }
    if (from === undefined || to === undefined) {
      compared.replaceChildren(h("p", { class: "panel empty" }, t("history.one")));
      return;
    }
    const [older, newer] = [await document_(from), await document_(to)];
    const changes = difference(older, newer);
    const list = changes.length === 0
      ? h("p", { class: "empty" }, t("history.same"))
      : h("ul", { class: "changes" }, changes.map((change) => changeLine(change, newer, older)));
    compared.replaceChildren(
      sectionHead(t("history.compare", { from, to }), changes.length),
      h("div", { class: "panel" }, list),
    );
  }

  // The query of the page may change without a new page.
  element.addEventListener("bw-show", () => show());
  queueMicrotask(() => element.parentElement?.parentElement?.addEventListener("bw-query", () => show()));
  await show();
  return element;
}

/** @param {import("../approvals.js").Approval | undefined} approval */
const putLive = (approval) =>
  approval ? [h("bdi", {}, approval.by), " ", h("span", { class: "muted" }, time(approval.at))] : "";

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
