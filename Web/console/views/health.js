// The health of the daemon: its parts, its rates, the readers of its log, pending and failed webhooks.

import { get, heartbeat, path, Problem, write } from "../api.js";
import { h } from "../../shared/dom.js";
import { button, lastingTime, sectionHead, status, time } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { setPageKeys } from "../keys.js";
import { rate, rateNames, reading } from "../metrics.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { addTexts, number, t } from "../texts.js";
import english from "../texts/en_run.js";
import { table } from "../elements/table.js";
import { logSection } from "./health-log.js";

addTexts(english);

/** The pauses between two readings, in milliseconds; the first pause is shorter. */
const [firstPause, pause] = [2_000, 10_000];
const webhooksShown = 100;

/** @param {import("../router.js").Context} context @returns {Promise<import("../router.js").View>} */
export async function health(context) {
  const { app } = context.parameters;
  const { signal } = context;
  const log = can("log") ? logSection(app, signal) : undefined;
  const parts = h("section", {});
  const sections = {
    problems: h("section", { hidden: !can("read") }),
    webhooks: h("section", { hidden: !can("read") }),
    consumers: h("section", {}),
  };
  const rates = new Rates();
  const show = async () => {
    const [beat, version, activity, webhooks, consumers] = await Promise.all([
      heartbeat(signal).catch(() => ({ checks: { daemon: "error" } })),
      get("/__version__", { signal }).catch(() => undefined),
      can("read") ? read(path("apps", app, "activity"), signal) : undefined,
      can("read") ? read(`${path("apps", app, "webhooks")}?limit=${webhooksShown}`, signal) : undefined,
      read(path("apps", app, "consumers"), signal),
    ]);
    parts.replaceChildren(...partsOf(beat, version));
    const fill = (/** @type {keyof typeof sections} */ name, /** @type {HTMLElement[] | undefined} */ content) =>
      sections[name].replaceChildren(...(content ?? [sectionHead(t(`health.${name}`)), unread()]));
    fill("problems", activity && problemsOf(app, activity));
    fill("webhooks", webhooks && webhooksOf(app, webhooks, show));
    fill("consumers", consumers && consumersOf(consumers.consumers));
  };
  await show();
  setPageKeys({});
  void rates.read(signal);
  const timer = repeat(signal, [firstPause, pause], async () => {
    await Promise.all([rates.read(signal), show()]);
  });
  const element = h(
    "div",
    { class: "home-grid" },
    halves([parts, rates.element]),
    sections.problems,
    sections.webhooks,
    sections.consumers,
    log?.element,
  );
  return {
    element,
    title: t("health.title"),
    leave() {
      clearTimeout(timer.id);
      log?.leave();
    },
  };
}

/**
 * A response, or undefined if the store does not respond, because this page must then report it.
 * @param {string} address
 * @param {AbortSignal} signal
 */
const read = (address, signal) =>
  get(address, { signal }).catch((error) => {
    if (error instanceof Problem && error.isPassing) return undefined;
    throw error;
  });

const unread = () => h("p", { class: "panel empty" }, t("health.unread"));

/** @param {HTMLElement[]} sections */
function halves(sections) {
  for (const section of sections) section.classList.add("half");
  return sections;
}

/**
 * Repeats the work while the page is visible: after the first pause, then after each second pause.
 * @param {AbortSignal} signal
 * @param {[number, number]} pauses
 * @param {() => Promise<void>} work
 */
function repeat(signal, [first, rest], work) {
  const timer = { id: setTimeout(() => void next(), first) };
  const next = async () => {
    if (!document.hidden) await work().catch(() => undefined);
    if (!signal.aborted) timer.id = setTimeout(() => void next(), rest);
  };
  return timer;
}

/** @param {string} state */
const looks = { ok: "live", degraded: "paused", error: "fault" };

/** @param {any} beat @param {any} version */
function partsOf({ checks, reasons, backups }, version) {
  const newest = backups?.newest_at;
  const rows = Object.entries(checks).map(([part, state]) => {
    const why = reasons?.[part] ?? [];
    return h(
      "li",
      {},
      h(
        "span",
        {},
        t(`health.part.${part}`),
        why.map((/** @type {string} */ reason) => h("small", { class: "row-result", dir: "auto" }, reason)),
        part === "backups" && newest &&
          h("small", { class: "row-result" }, withTime("health.backups.newest", time(newest))),
      ),
      h("span", { class: "end" }, status(Reflect.get(looks, String(state)) ?? "fault", t(`health.state.${state}`))),
    );
  });
  return [
    sectionHead(t("health.parts")),
    h("div", { class: "panel" }, h("ul", { class: "rows is-plain" }, rows)),
    version && h("p", { class: "hint" }, t("health.version", { version: version.version })),
  ].filter(Boolean);
}

/** The rates of the daemon, for all apps together. */
class Rates {
  constructor() {
    this.element = h(
      "section",
      {},
      sectionHead(t("health.rates")),
      h("p", { class: "panel empty" }, t("health.rates.first")),
    );
    /** @type {import("../metrics.js").Reading | undefined} */
    this.last = undefined;
  }

  /** @param {AbortSignal} signal */
  async read(signal) {
    const response = await fetch("/metrics", { signal, cache: "no-store" }).catch(() => undefined);
    if (!response?.ok) return this.show(h("p", { class: "panel empty" }, t("health.rates.none")));
    const now = reading(await response.text(), Date.now());
    const before = this.last;
    this.last = now;
    const seconds = before ? (now.at - before.at) / 1000 : 0;
    const rows = rateNames.map((name) => {
      const value = before ? rate(before, now, name) : undefined;
      return [
        h("th", { scope: "row" }, t(`health.rate.${name}`)),
        h("td", { class: "end" }, value === undefined ? "—" : number(value, { maximumFractionDigits: 1 })),
        h("td", { class: "end" }, number(now.sums.get(name) ?? 0)),
      ];
    });
    const heads = ["name", "now", "total"].map((name) => ({ text: t(`health.rate.${name}`), isEnd: name !== "name" }));
    this.show(
      table(t("health.rates"), heads, rows),
      h(
        "p",
        { class: "hint" },
        before ? t("health.rates.of", { seconds: Math.round(seconds) }) : t("health.rates.first"),
      ),
    );
  }

  /** @private @param {...HTMLElement} content */
  show(...content) {
    this.element.replaceChildren(sectionHead(t("health.rates")), ...content);
  }
}

/** @param {string} app @param {{problems: any[], since: string}} activity */
function problemsOf(app, { problems, since }) {
  const rows = problems.map(({ code, slug, count, last_at: last, detail }) => [
    h("th", { scope: "row" }, t(`problem.${code}`)),
    h("td", { class: "end" }, number(count)),
    h("td", {}, time(last)),
    h("td", {}, h("bdi", {}, detail)),
    h("td", {}, slug ? h("a", { href: recipes.recipeLink(app, slug) }, slug) : "—"),
  ]);
  const heads = ["code", "count", "last", "detail", "recipe"].map((name) => ({
    text: t(`health.problem.${name}`),
    isEnd: name === "count",
  }));
  return [
    sectionHead(t("health.problems"), problems.length),
    problems.length === 0
      ? h("p", { class: "panel empty" }, t("health.problems.none"))
      : table(t("health.problems"), heads, rows),
    h("p", { class: "hint" }, withTime("health.problems.since", lastingTime(since))),
  ];
}

/** A text with an element in place of its time. @param {string} key @param {HTMLElement} element */
function withTime(key, element) {
  const [before, after] = t(key, { time: "\u0000" }).split("\u0000");
  return [before, element, after];
}

/** @param {string} app @param {{items: any[], has_more: boolean}} page @param {() => Promise<void>} refresh */
function webhooksOf(app, { items, has_more: hasMore }, refresh) {
  const again = async (/** @type {{recipe: string, slug: string, id: string, [key: string]: string}} */ item) => {
    if (await recipes.tried(app, write("POST", path("apps", app, "webhooks", item.id, "retry"), {}))) {
      toast(t("health.webhook.sent"));
    }
    await refresh();
  };
  const rows = items.map((item) => {
    const isDead = item.state === "dead";
    const host = URL.canParse(item.url) ? new URL(item.url).host : item.url;
    const send = isDead && can("publish") && button(t("health.webhook.again"), "redo", () => void again(item), "quiet");
    if (send) send.setAttribute("aria-label", t("health.webhook.again.of", { host }));
    return [
      h("th", { scope: "row" }, h("bdi", {}, item.url)),
      h("td", {}, status(isDead ? "fault" : "scheduled", t(`health.webhook.${item.state}`))),
      h("td", { class: "end" }, number(item.attempts)),
      h("td", {}, h("bdi", {}, item.last_failure ?? "—")),
      h("td", {}, time(item.dead_at ?? item.created_at)),
      h("td", { class: "end" }, send),
    ];
  });
  const heads = ["url", "state", "attempts", "failure", "since"].map((name) => ({
    text: t(`health.webhook.${name}`),
    isEnd: name === "attempts",
  }));
  return [
    sectionHead(t("health.webhooks"), items.length),
    items.length === 0
      ? h("p", { class: "panel empty" }, t("health.webhooks.none"))
      : table(t("health.webhooks"), [...heads, { text: t("list.actions"), isHidden: true }], rows),
    hasMore && h("p", { class: "hint" }, t("health.webhooks.more")),
  ].filter(Boolean);
}

/** @param {any[]} consumers */
function consumersOf(consumers) {
  const rows = consumers.map(({ name, lag, updated_at: updated, expired }) => [
    h("th", { scope: "row" }, h("bdi", {}, name)),
    h("td", { class: "end" }, t("health.consumer.records", { count: lag })),
    h("td", {}, time(updated)),
    h("td", {}, expired && status("fault", t("health.consumer.expired"))),
  ]);
  const heads = [
    { text: t("health.consumer.name") },
    { text: t("health.consumer.lag"), isEnd: true },
    { text: t("health.consumer.updated") },
    { text: t("history.state"), isHidden: true },
  ];
  return [
    sectionHead(t("health.consumers"), consumers.length),
    consumers.length === 0
      ? h("p", { class: "panel empty" }, t("health.consumers.none"))
      : table(t("health.consumers"), heads, rows),
  ];
}
