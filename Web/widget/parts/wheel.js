// Wheels, which the respondent turns to a value. Each wheel is a range for the keyboard and for screen readers, and a
// list that a pointer scrolls or presses.
import { h } from "../../shared/dom.js";
import { keyOf } from "../render/controls.js";

/** The height of an item in pixels. */
const itemHeight = 40;

/**
 * @param {{labels: string[], index: number, label?: string, isSmall?: boolean}} options
 * @param {import("../render/paint.js").Paint} paint
 */
export function wheel({ labels, index, label, isSmall }, paint) {
  const last = labels.length - 1;
  const input = h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": label, class: "turn" });
  input.value = String(Math.min(last, Math.max(0, index || 0)));
  const items = labels.map((text, place) => h("span", { onclick: () => turn(place) }, text));
  const list = h("div", { class: "reel", "aria-hidden": "true", tabindex: "-1" }, items);
  const box = h("div", { class: `wheel ${isSmall ? "low" : ""}`.trim() }, list, input);
  const now = () => Number(input.value);
  const show = (/** @type {"auto" | "smooth"} */ behavior) => {
    list.scrollTo({ top: now() * itemHeight, behavior });
    for (const [place, item] of items.entries()) item.classList.toggle("now", place === now());
  };
  const turn = (/** @type {number} */ place) => {
    input.value = String(place);
    input.dispatchEvent(new Event("input"));
  };
  input.addEventListener("input", () => show("smooth"));
  // Only the respondent's scrolling is an answer, not the script's.
  let isTurned = false;
  let timer = 0;
  for (const name of ["wheel", "touchmove", "pointerdown"]) {
    list.addEventListener(name, () => isTurned = true, { passive: true });
  }
  list.addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const place = Math.round(list.scrollTop / itemHeight);
      if (isTurned && place !== now()) turn(place);
      isTurned = false;
    }, 120);
  });
  // The list can scroll only after it has a size on the page.
  const placed = new ResizeObserver(() => {
    if (list.clientHeight === 0) return;
    show("auto");
    placed.disconnect();
  });
  placed.observe(list);
  paint.set(box, { "--item": `${itemHeight}px` });
  /** Hides the items from this count on, such as the 31st in some months. */
  const limit = (/** @type {number} */ count) => {
    input.max = String(count - 1);
    for (const [place, item] of items.entries()) item.hidden = place >= count;
    show("auto");
  };
  return { box, input, now, limit };
}

/** @param {any} text */
function dayOf(text) {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(typeof text === "string" ? text : "") ?? [];
  return year ? { year: Number(year), month: Number(month) - 1, day: Number(day) } : undefined;
}

/** @param {number} year @param {number} month */
const daysIn = (year, month) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** A wheel for a birthday starts this many years before today. */
const birthdayYears = 30;

/**
 * The day at which wheels start: today, or for a day that can only be in the past, a usual birthday.
 * @param {API.Part} field
 * @param {{first: number, last: number, today: Date}} bounds the years on the wheel
 */
function usual(field, { first, last, today }) {
  const latest = String(keyOf(field, "max_date") ?? "").slice(0, 10);
  const isPast = keyOf(field, "allow_future") === false ||
    (dayOf(latest) !== undefined && latest <= today.toISOString().slice(0, 10));
  const year = today.getFullYear();
  if (!isPast) return { year: Math.max(first, Math.min(last, year)), month: today.getMonth(), day: today.getDate() };
  return { year: Math.max(first, Math.min(last, year - birthdayYears)), month: 0, day: 1 };
}

/**
 * Wheels for day, month and year, in the order of the language.
 * @param {import("./fields_common.js").FieldContext} context
 * @param {import("../render/paint.js").Paint} paint
 */
export function dateWheels({ field, value, texts }, paint) {
  const today = new Date();
  const year = today.getFullYear();
  const first = dayOf(keyOf(field, "min_date"))?.year ?? (keyOf(field, "allow_past") === false ? year : year - 110);
  const last = dayOf(keyOf(field, "max_date"))?.year ?? (keyOf(field, "allow_future") === false ? year : year + 20);
  const start = dayOf(value) ?? dayOf(keyOf(field, "default_date_value")) ?? usual(field, { first, last, today });
  const locale = texts.locale;
  const names = new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" });
  const count = (/** @type {number} */ length, /** @type {number} */ from) =>
    Array.from({ length }, (_, index) => String(from + index));
  const column = (/** @type {string} */ key, /** @type {string[]} */ labels, /** @type {number} */ index) => ({
    labels,
    ...wheel({ labels, index, label: texts.get(key) }, paint),
  });
  const months = Array.from({ length: 12 }, (_, month) => names.format(Date.UTC(2024, month, 1)));
  /** @type {{[part: string]: ReturnType<typeof column>}} */
  const wheels = {
    day: column("day", count(31, 1), start.day - 1),
    month: column("month", months, start.month),
    year: column("year", count(Math.min(400, last - first + 1), first), start.year - first),
  };
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: "short" }).formatToParts(today).map(({ type }) => type)
    .filter((type) => type in wheels);
  const now = () => ({ year: first + wheels.year.now(), month: wheels.month.now(), day: wheels.day.now() + 1 });
  const settle = () => wheels.day.limit(daysIn(now().year, now().month));
  settle();
  const iso = () => {
    const { year, month, day } = now();
    const real = Math.min(day, daysIn(year, month));
    return [String(year).padStart(4, "0"), String(month + 1).padStart(2, "0"), String(real).padStart(2, "0")].join("-");
  };
  return {
    columns: parts.map((part) => h("div", { class: `column of-${part}` }, wheels[part].box)),
    inputs: parts.map((part) => ({
      input: wheels[part].input,
      text: () => wheels[part].labels[wheels[part].now()],
    })),
    settle,
    iso,
    text: () =>
      new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${iso()}T00:00:00Z`)),
  };
}
