// The fields for the start and end dates of a document.

import { below } from "../document/pointers.js";
import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";

/** @typedef {import("../document/document.js").JSONDocument} JSONDocument */

/**
 * The pointers of a document's dates: of an offer, or of each message in its pacing; undefined if its kind has none.
 * @param {JSONDocument} document
 * @returns {{from: string[], until: string[]} | undefined}
 */
function datePlaces(document) {
  if (Array.isArray(document.get("/branches"))) return { from: ["/startDate"], until: ["/endDate"] };
  const shown = document.get("/kind") === undefined
    ? Object.keys(document.get("/messages") ?? {}).map((key) => below("/messages", key))
    : document.get("/offer") === undefined
    ? []
    : ["/offer"];
  if (shown.length === 0) return undefined;
  const places = (/** @type {string} */ name) => shown.map((place) => `${place}/pacing/${name}`);
  return { from: places("start"), until: places("end") };
}

/**
 * @param {JSONDocument} document
 * @param {boolean} isReader
 * @param {() => void} changed
 * @returns {HTMLElement}
 */
export function dateFields(document, isReader, changed) {
  const places = datePlaces(document);
  if (!places) return h("p", { class: "muted" }, t("review.nodates"));
  const isDay = places.from[0] === "/startDate";
  const field = (/** @type {"from" | "until"} */ name) => {
    const input = h("input", {
      class: "field",
      id: uniqueId("date"),
      type: isDay ? "date" : "datetime-local",
      disabled: isReader,
      value: shown(document.get(places[name][0]), isDay),
      onchange: () => {
        for (const place of places[name]) put(document, place, stored(input.value, isDay));
        changed();
      },
    });
    return h(
      "div",
      { class: "form-field" },
      h("label", { for: input.id }, t(name === "from" ? "review.since" : "review.until")),
      input,
    );
  };
  const count = places.from.length;
  return h(
    "div",
    { class: "review-dates" },
    field("from"),
    field("until"),
    h("p", { class: "hint" }, t("review.utc"), count > 1 && ` ${t("review.dates.all", { count })}`),
  );
}

/** @param {JSONDocument} document @param {string} pointer @param {string | undefined} value */
function put(document, pointer, value) {
  const parent = pointer.slice(0, pointer.lastIndexOf("/"));
  if (value === undefined) {
    if (document.get(pointer) !== undefined) document.remove(pointer);
  } else if (parent && document.get(parent) === undefined) {
    document.set(parent, { [pointer.slice(parent.length + 1)]: value });
  } else document.set(pointer, value);
}

/** A time of the document in the format of the field. @param {unknown} value @param {boolean} isDay */
function shown(value, isDay) {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : NaN;
  if (Number.isNaN(time)) return "";
  return new Date(time).toISOString().slice(0, isDay ? 10 : 16);
}

/** @param {string} text @param {boolean} isDay */
const stored = (text, isDay) => text === "" ? undefined : isDay ? text : `${text}:00Z`;
