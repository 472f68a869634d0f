// The script of the documents' pages: the search in the header, and keys for what scrolls sideways. A page can be read
// without it.

import { h } from "../shared/dom.js";
import { find } from "./search.js";

const RESULTS = 12;

/** A function that loads the index once, and again after a failure. @param {string} address */
function loaderOf(address) {
  /** @type {Promise<import("./search.js").Index> | undefined} */
  let loading;
  return () => {
    loading ??= fetch(address).then((answer) => answer.ok ? answer.json() : Promise.reject(answer.status));
    loading.catch(() => loading = undefined);
    return loading;
  };
}

/** Fills in the search form, and returns its field. The index is loaded when the field first gets the focus. */
function searchIn(/** @type {HTMLFormElement} */ form) {
  const pages = form.dataset.pages ?? "";
  const load = loaderOf(`${pages}search.json`);
  const status = h("p", { role: "status" });
  const list = h("ol", { id: "found" });
  const panel = h("div", { class: "found", hidden: true }, status, list);
  const field = h("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Search",
    "aria-keyshortcuts": "/",
    "aria-controls": "found",
  });
  const show = (/** @type {import("./search.js").Found[]} */ results, text = wordsFor(results.length)) => {
    panel.hidden = field.value.trim() === "";
    status.textContent = panel.hidden ? "" : text;
    list.replaceChildren(
      ...results.map(({ address, page, heading }) =>
        h("li", {}, h("a", { href: pages + address }, h("b", {}, heading), h("span", {}, page)))
      ),
    );
  };
  form.append(h("label", { class: "hidden-text", for: "search" }, "Search the documents"), field, panel);
  field.addEventListener("focus", () => void load().catch(() => {}));
  field.addEventListener("input", () => {
    load().then((index) => show(find(index, field.value, RESULTS)), () => show([], "The search could not be loaded."));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.addEventListener("focusout", (event) => {
    if (!form.contains(/** @type {Node | null} */ (event.relatedTarget))) panel.hidden = true;
  });
  form.addEventListener("keydown", (event) => moveBy(event, [field, ...list.querySelectorAll("a")], panel));
  form.hidden = false;
  return field;
}

/** @param {number} count */
const wordsFor = (count) => count === 0 ? "Nothing was found." : count === 1 ? "1 section" : `${count} sections`;

/**
 * The arrows move through the field and the results; Escape returns to the field and closes the results.
 * @param {KeyboardEvent} event @param {HTMLElement[]} stops @param {HTMLElement} panel
 */
function moveBy(event, stops, panel) {
  const place = stops.indexOf(/** @type {HTMLElement} */ (event.target));
  if (event.key === "Escape") {
    stops[0].focus();
    panel.hidden = true;
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && place >= 0) {
    event.preventDefault();
    stops[Math.min(Math.max(place + (event.key === "ArrowDown" ? 1 : -1), 0), stops.length - 1)].focus();
  }
}

/** Lets keys scroll a table or a block of code while it is wider than its column. */
function reachByKeys(/** @type {Element} */ box) {
  let heading = box.previousElementSibling;
  while (heading !== null && !/^H\d$/.test(heading.tagName)) heading = heading.previousElementSibling;
  const kind = box.tagName === "PRE" ? "Code" : "Table";
  if (box.scrollWidth > box.clientWidth) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `${kind}: ${heading?.textContent ?? document.title}`);
  } else {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}

const form = document.querySelector("form.search");
if (form instanceof HTMLFormElement) {
  const field = searchIn(form);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
const sizes = new ResizeObserver((entries) => entries.forEach((entry) => reachByKeys(entry.target)));
for (const box of document.querySelectorAll("article pre, .wide")) sizes.observe(box);

const pages = document.getElementById("pages");
const current = pages?.querySelector("[aria-current]");
if (pages && current instanceof HTMLElement && current.offsetTop + current.offsetHeight > pages.clientHeight) {
  pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
}
