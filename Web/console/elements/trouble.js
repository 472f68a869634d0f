// A line at the top while the daemon does not respond, or refuses writes. The line polls the daemon. Its callers
// keep their unsent changes.

import { setOnAnswer } from "../api.js";
import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";

const words = h("p", {});
const again = h("button", { type: "button", class: "button quiet", onclick: () => void ask() });
const line = h("div", { class: "trouble", role: "status", hidden: true }, icon("warning"), words, again);
const longest = 32;

let seconds = 0;
let left = 0;
let key = "";
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

export const troubleLine = line;

/** Observes the responses of the daemon. */
export function watch() {
  again.textContent = t("trouble.now");
  setOnAnswer((status, isWrite) => {
    if (status === 503) begin("trouble.writes");
    else if (status === 0) begin("trouble.none");
    else if (isWrite || key === "trouble.none") end();
  });
}

/** @param {string} what */
function begin(what) {
  key = what;
  if (timer === undefined) {
    seconds = left = 2;
    timer = setInterval(tick, 1000);
  }
  tell();
}

function tell() {
  words.textContent = t(key, { seconds: left });
  line.hidden = false;
}

function tick() {
  left -= 1;
  if (left > 0) return tell();
  void ask();
}

/** Requests the heartbeat, whose status is 200 only if the store works too. */
async function ask() {
  left = seconds = Math.min(seconds * 2, longest);
  const response = await fetch("/__heartbeat__", { cache: "no-store" }).catch(() => undefined);
  if (!response?.ok) {
    key = response ? "trouble.writes" : "trouble.none";
    return tell();
  }
  end();
}

function end() {
  clearInterval(timer);
  timer = undefined;
  words.textContent = "";
  line.hidden = true;
}
