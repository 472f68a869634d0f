// The newest records of the log, as they arrive. Only one request waits at a time, and only while the page is visible.

import { path } from "../api.js";
import { h } from "../../shared/dom.js";
import { button, sectionHead, time } from "../elements/parts.js";
import { table } from "../elements/table.js";
import { t } from "../texts.js";

const shown = 20;
const waitSeconds = 25;
/** The pause after a failure, in milliseconds. */
const failurePause = 5_000;

/** @typedef {{at?: string, client_id?: string, category?: string, name?: string, extra?: unknown}} LogRecord */

/** @param {string} app @param {AbortSignal} signal */
export function logSection(app, signal) {
  const over = new AbortController();
  signal.addEventListener("abort", () => over.abort());
  const content = h("div", {}, h("p", { class: "panel empty" }, t("health.log.none")));
  const words = h("span", { class: "muted", role: "status" }, t("health.log.live"));
  let isRunning = true;
  /** @type {LogRecord[]} */
  let records = [];
  let cursor = "";
  const stop = button(t("health.log.stop"), "pause", () => {
    isRunning = !isRunning;
    stop.lastChild?.replaceWith(t(isRunning ? "health.log.stop" : "health.log.go"));
    words.textContent = t(isRunning ? "health.log.live" : "health.log.paused");
    if (isRunning) void follow();
  }, "quiet");

  /** @returns {Promise<void>} */
  async function follow() {
    while (isRunning && !over.signal.aborted) {
      if (document.hidden) {
        await seen(over.signal);
        continue;
      }
      const query = cursor ? `after=${encodeURIComponent(cursor)}&wait=${waitSeconds}` : `last=${shown}`;
      const response = await fetch(`${path("apps", app, "telemetry")}?${query}`, { signal: over.signal }).catch(() =>
        undefined
      );
      if (over.signal.aborted) return;
      if (!response?.ok) {
        cursor = "";
        await new Promise((resolve) => setTimeout(resolve, failurePause));
        continue;
      }
      const text = await response.text();
      cursor = response.headers.get("Bellwether-Next") ?? cursor;
      if (isRunning) take(text);
    }
  }

  /** @param {string} text NDJSON */
  function take(text) {
    const fresh = text.split("\n").filter(Boolean).map((line) => /** @type {LogRecord} */ (JSON.parse(line)));
    if (fresh.length === 0) return;
    records = [...fresh.toReversed(), ...records].slice(0, shown);
    const rows = records.map((record) => [
      h("td", {}, time(record.at ?? null)),
      h("th", { scope: "row" }, `${record.category ?? ""}.${record.name ?? ""}`),
      h("td", {}, h("bdi", {}, record.client_id ?? "")),
      h("td", {}, h("code", { class: "log-extra" }, JSON.stringify(record.extra ?? {}))),
    ]);
    content.replaceChildren(
      table(
        t("health.log"),
        ["at", "event", "client", "extra"].map((name) => ({ text: t(`health.log.${name}`) })),
        rows,
      ),
    );
  }

  void follow();
  const head = sectionHead(t("health.log"));
  head.append(words, stop);
  return { element: h("section", {}, head, content), leave: () => over.abort() };
}

/** Waits until the page is visible. @param {AbortSignal} signal @returns {Promise<void>} */
const seen = (signal) =>
  new Promise((resolve) => {
    const done = () => {
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
