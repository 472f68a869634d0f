// Exports single responses as a file: the browser reads page after page, with notes, and writes CSV.

import { runOf } from "../kinds.js";
import { get, path } from "../api.js";
import { download, mark, responseLines } from "../csv.js";
import { show } from "../elements/dialog.js";
import { toast } from "../elements/toast.js";
import { sentence } from "../recipes.js";
import { addTexts, t } from "../texts.js";
import responseTexts from "../texts/en_responses.js";
import { h, uniqueId } from "../../shared/dom.js";

addTexts(responseTexts);

const pageSize = 200;
/** The number of responses whose notes are requested at the same time. */
const notesAtOnce = 4;

/** @typedef {any} Item a response in the format of lists, with `comments` if there are any */

/** @param {string} app @param {import("../recipes.js").Recipe} recipe */
export function listAddress(app, { kind, slug }) {
  const { collection = "", responses = "" } = runOf(kind) ?? {};
  return path("apps", app, collection, slug, responses);
}

/**
 * @param {string} app
 * @param {import("../recipes.js").Recipe} recipe
 * @param {URLSearchParams} asked the filters of the list
 */
export async function exportResponses(app, recipe, asked) {
  const stop = new AbortController();
  const [title, text] = [uniqueId("title"), uniqueId("text")];
  const words = h("p", { id: text, role: "status" }, t("responses.exporting", { count: 0 }));
  const cancel = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.cancel"));
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": title, "aria-describedby": text },
    h("h2", { id: title }, t("responses.export.title")),
    words,
    h("div", { class: "dialog-actions" }, cancel),
  );
  const closed = show(dialog, cancel).then(() => stop.abort());
  try {
    const items = await readAll(app, listAddress(app, recipe), asked, stop.signal, (count) => {
      words.textContent = t("responses.exporting", { count });
    });
    const days = [asked.get("from"), asked.get("to")].filter(Boolean);
    const file = [recipe.slug, "responses", ...days].join("-") + ".csv";
    download(file, [mark, ...responseLines(items)], "text/csv");
    toast(t("responses.exported", { count: items.length, file }));
  } catch (error) {
    if (!stop.signal.aborted) toast(sentence(error));
  }
  dialog.close();
  await closed;
}

/**
 * @param {string} app
 * @param {string} address
 * @param {URLSearchParams} asked
 * @param {AbortSignal} signal
 * @param {(count: number) => void} tell
 */
async function readAll(app, address, asked, signal, tell) {
  /** @type {Item[]} */
  const items = [];
  const query = new URLSearchParams(asked);
  query.set("limit", String(pageSize));
  query.set("export", "true");
  for (let hasMore = true; hasMore;) {
    const page = await get(`${address}?${query}`, { signal });
    items.push(...page.items);
    tell(items.length);
    hasMore = page.has_more;
    if (page.cursor) query.set("cursor", page.cursor);
  }
  const noted = items.filter(({ comments_count: count }) => count > 0);
  for (let place = 0; place < noted.length; place += notesAtOnce) {
    await Promise.all(
      noted.slice(place, place + notesAtOnce).map(async (item) => {
        item.comments = (await get(path("apps", app, "responses", item.id), { signal })).comments;
      }),
    );
  }
  return items;
}
