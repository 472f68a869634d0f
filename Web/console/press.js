// While a person presses a control, the page does not move: a press that ends on another element is no click.

/** What a press activates. */
const controls = "a, button, label, summary, input:not([type=range])";

/** The longest press, in milliseconds. The page may never learn of its end. */
const longest = 2000;

/** @type {Promise<void> | undefined} */
let press;
let resolve = () => {};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** The end of the press that is under way; undefined if there is none. */
export const released = () => press;

/** Watches the presses on a page. @param {EventTarget} page */
export function watchPresses(page) {
  page.addEventListener("pointerdown", ({ target }) => {
    end();
    if (/** @type {Element | null} */ (target)?.closest?.(controls)) begin();
  }, true);
  for (const name of ["pointerup", "pointercancel"]) page.addEventListener(name, end, true);
}

function begin() {
  press = new Promise((done) => resolve = done);
  timer = setTimeout(end, longest);
}

function end() {
  if (!press) return;
  clearTimeout(timer);
  press = undefined;
  // The click comes first.
  setTimeout(resolve);
}
