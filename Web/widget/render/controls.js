// Controls made of the browser's own elements: radios in a fieldset, text fields, selects. Each reads its answer and
// shows its fault. No control moves to the next question by itself.
import { characters } from "../../shared/characters.js";
import { h, safeImage, setAttribute, svg, uniqueId } from "../../shared/dom.js";
import { plainNumber } from "../../shared/numbers.js";

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {() => any} read the answer; undefined if there is none
 * @property {(message: string | null) => void} setError
 * @property {() => void} focus
 * @property {() => import("../../shared/problems.js").Fault | undefined} [fault] the fault of what is no answer yet
 * @property {import("./questions.js").Units} [units] the units of a text that may have several
 */
/**
 * @typedef {object} Caption
 * @property {string} title
 * @property {string} [header] a small text above
 * @property {string} [hint] a text below
 * @property {string} [unit] a text after the input
 * @property {string} [note] a text next to the title, such as "required"
 * @property {boolean} [isHeading] the title is the heading of its page
 * @property {boolean} [isHidden] the title is for screen readers only, because it is already visible above
 * @property {string} [part]
 */
/**
 * @typedef {object} Choice
 * @property {any} value
 * @property {string} label
 * @property {string} [hint]
 * @property {Node} [icon]
 * @property {boolean} [isFree] the choice has a text field
 * @property {boolean} [isNumber]
 */
/**
 * The layout of choices.
 * @typedef {"list" | "grid" | "pair" | "three" | "scale" | "joined" | "stars" | "faces" | "pills"} Look
 */

/** @type {{[look in Look]: string}} */
const looks = {
  list: "",
  grid: "grid",
  pair: "grid two",
  three: "grid three",
  scale: "scale plain",
  joined: "scale plain joined",
  stars: "scale stars",
  faces: "scale faces",
  pills: "pills",
};

/**
 * An icon of an option, an item or a block: a character or a picture; names of a phone's icons are not drawn.
 * @param {any} icon
 * @returns {any}
 */
export function iconOf(icon) {
  if (typeof icon !== "string") return undefined;
  if (/\p{Extended_Pictographic}/u.test(icon)) return h("span", { class: "icon", "aria-hidden": "true" }, icon);
  const source = /^(https:|data:)/.test(icon) ? safeImage(icon) : undefined;
  return source && h("img", { class: "icon", src: source, alt: "", referrerpolicy: "no-referrer" });
}

/** A star, or one of its halves. @param {"left" | "right"} [half] */
export const star = (half) =>
  svg(
    "svg",
    { viewBox: half ? `${half === "left" ? 0 : 12} 0 12 24` : "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.1 1.1-6.5L2.6 9.5l6.5-.9z" }),
  );

/** A face for a position on a scale, from sad to glad. @param {number} index @param {number} count */
function face(index, count) {
  const mood = 2 * index / Math.max(1, count - 1) - 1;
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 10 }),
    svg("path", { d: `M8.5 9v.6M15.5 9v.6M7.5 ${15.4 - mood * 1.6}q4.5 ${mood * 5} 9 0` }),
  );
}

/** The value of a key, which is in a field's config or directly in a block. @param {API.Part} field @param {string} key */
export const keyOf = (field, key) => (field.config ?? field.field_config)?.[key] ?? field[key];

/** The layout of a field's options. @param {API.Part} field @returns {Look} */
export function lookOf(field) {
  if (keyOf(field, "display") !== "grid") return "list";
  const columns = Number(keyOf(field, "columns") ?? keyOf(field, "grid_columns"));
  return columns === 2 ? "pair" : columns === 3 ? "three" : "grid";
}

/** The choices of a flow's options; a text is an option with this id. @param {any} options @returns {Choice[]} */
export const choicesOf = (options) =>
  (options ?? []).map((/** @type {any} */ option) =>
    typeof option === "string" ? { value: option, label: option } : {
      value: option.id ?? option.value,
      label: option.label ?? option.id ?? option.value,
      hint: option.subtitle,
      icon: iconOf(option.icon ?? option.image_url),
    }
  );

/** @param {Caption} caption @param {string} errorId */
function captionParts(caption, errorId) {
  const hintId = caption.hint ? uniqueId("hint") : null;
  return {
    header: caption.header ? h("span", { class: "header bidi" }, caption.header) : null,
    hint: caption.hint ? h("p", { class: "muted bidi", id: hintId, part: "hint" }, caption.hint) : null,
    title: [
      h("span", { class: "bidi" }, caption.title),
      caption.note ? h("span", { class: "muted" }, ` (${caption.note})`) : null,
    ],
    error: h("p", { class: "error", id: errorId, part: "error" }),
    describedBy: [hintId, errorId].filter(Boolean).join(" "),
  };
}

/**
 * Several inputs with one legend.
 * @param {Caption} caption
 * @param {Node[]} content
 * @param {{isRadioGroup?: boolean}} [options]
 */
export function group(caption, content, { isRadioGroup = false } = {}) {
  const errorId = uniqueId("error");
  const parts = captionParts(caption, errorId);
  const legend = h(
    "legend",
    {
      class: caption.isHidden ? "visually-hidden" : "legend",
      part: "question",
      "data-heading": caption.isHeading,
      id: uniqueId("legend"),
    },
    parts.header,
    parts.title,
  );
  const element = h(
    "fieldset",
    {
      class: "question",
      part: caption.part,
      role: isRadioGroup ? "radiogroup" : undefined,
      "aria-describedby": parts.describedBy,
    },
    legend,
    parts.hint,
    content,
    parts.error,
  );
  const setError = (/** @type {string | null} */ message) => {
    parts.error.textContent = message ?? "";
    const marked = isRadioGroup ? [element] : element.querySelectorAll("input, select, textarea");
    for (const item of marked) {
      setAttribute(item, "aria-invalid", message ? "true" : null);
      if (!isRadioGroup) setAttribute(item, "aria-describedby", message ? errorId : null);
    }
  };
  const focus = () => element.querySelector("input:checked, input, select, textarea, button")?.focus();
  return { element, setError, focus, errorId };
}

/** The text of an input; a number is in the daemon's syntax. @param {HTMLInputElement} input */
export const written = (input) => /^(decimal|numeric)$/.test(input.inputMode) ? plainNumber(input.value) : input.value;

/**
 * One input with a label.
 * @param {Caption} caption
 * @param {any} input
 * @returns {Control}
 */
export function labelled(caption, input) {
  const errorId = uniqueId("error");
  const parts = captionParts(caption, errorId);
  input.id = uniqueId("input");
  const unit = caption.unit
    ? h("span", { class: "muted bidi", id: uniqueId("unit"), part: "hint" }, caption.unit)
    : null;
  input.setAttribute("aria-describedby", unit ? `${unit.id} ${parts.describedBy}` : parts.describedBy);
  input.setAttribute("part", "input");
  const look = caption.isHidden ? "visually-hidden" : "label";
  const label = h("label", { class: look, for: input.id, part: "question" }, parts.title);
  const title = caption.isHeading ? h("h2", { "data-heading": true }, label) : label;
  const element = h(
    "div",
    { class: "question", part: caption.part },
    parts.header,
    title,
    parts.hint,
    unit ? h("div", { class: "measure" }, input, unit) : input,
    parts.error,
  );
  return {
    element,
    read: () => input.value === "" ? undefined : written(input),
    setError(message) {
      parts.error.textContent = message ?? "";
      setAttribute(input, "aria-invalid", message ? "true" : null);
    },
    focus: () => input.focus(),
  };
}

/** The field of a free text. @param {Choice} choice @param {string | undefined} value @param {() => void} onChange */
const freeInput = ({ isNumber, label }, value, onChange) =>
  h("input", {
    type: "text",
    inputmode: isNumber ? "decimal" : undefined,
    enterkeyhint: "next",
    "aria-label": label,
    value: value ?? "",
    part: "input",
    oninput: onChange,
  });

/**
 * Radios, or checkboxes if the respondent may choose several.
 * @param {Caption} caption
 * @param {{choices: Choice[], isMultiple?: boolean, look?: Look, ends?: [string, string], value?: any, isRequired?: boolean}} options
 *   `value`: the choice; an array for several choices; `{choice: text}` for a free text
 * @param {() => void} onChange
 * @returns {Control}
 */
export function choices(caption, { choices, isMultiple = false, look = "list", ends, value, isRequired }, onChange) {
  const name = uniqueId("choice");
  const chosen = Array.isArray(value) ? value : value === undefined ? [] : [value];
  /** @type {{choice: Choice, input: HTMLInputElement, free: HTMLInputElement | null}[]} */
  const rows = [];
  const known = new Set(choices.filter((choice) => !choice.isFree).map((choice) => choice.value));
  // Texts that are no option are the free texts, in the order of the free options.
  const freeTexts = chosen.filter((item) => typeof item === "string" && !known.has(item));
  const hasHalves = look === "stars" && choices.length > 1 && choices[0].value < 1;
  const list = choices.map((choice, index) => {
    const before = choice.isFree ? freeText(choice, value, isMultiple ? freeTexts : []) : undefined;
    const input = h("input", {
      type: isMultiple ? "checkbox" : "radio",
      name,
      checked: choice.isFree ? before !== undefined : chosen.includes(choice.value),
      onchange: () => {
        if (free) free.hidden = !input.checked;
        for (const row of rows) if (row.free && !isMultiple) row.free.hidden = !row.input.checked;
        onChange();
      },
    });
    const free = choice.isFree ? freeInput(choice, before, onChange) : null;
    if (free) free.hidden = !input.checked;
    rows.push({ choice, input, free });
    const isDrawn = look === "stars" || look === "faces";
    const text = h(
      "span",
      { class: isDrawn ? "visually-hidden" : "bidi" },
      choice.label,
      choice.hint ? h("span", { class: "muted hint bidi" }, choice.hint) : null,
    );
    const sign = look === "stars"
      ? star(hasHalves ? index % 2 ? "right" : "left" : undefined)
      : look === "faces"
      ? face(index, choices.length)
      : choice.icon;
    return [h("label", { class: "option", part: "option" }, input, sign, text), free];
  });
  const more = hasHalves ? "halves" : look === "scale" && choices.every(isShort) ? "counted" : "";
  const content = [
    h("div", { class: `options ${looks[look]} ${more}`.trim(), part: "options" }, list),
    ends
      ? h("div", { class: "ends" }, h("span", { class: "bidi" }, ends[0]), h("span", { class: "bidi" }, ends[1]))
      : null,
  ].filter(Boolean);
  const { element, setError, focus } = group(caption, /** @type {Node[]} */ (content), { isRadioGroup: !isMultiple });
  if (isRequired && !isMultiple) element.setAttribute("aria-required", "true");
  const read = () => {
    const answers = rows.filter(({ input }) => input.checked).map(({ choice, free }) => {
      if (!free) return choice.value;
      const text = written(free);
      return isMultiple ? text : { [choice.value]: text };
    });
    return isMultiple ? answers.filter((answer) => answer !== "") : answers[0];
  };
  return { element, read, setError, focus };
}

/** Whether the label fits into the narrowest cell of a scale. @param {Choice} choice */
const isShort = ({ label }) => label.length < 3;

/** @param {Choice} choice @param {any} value @param {string[]} rest @returns {string | undefined} */
function freeText(choice, value, rest) {
  if (value && typeof value === "object" && !Array.isArray(value)) return value[choice.value];
  return rest.shift();
}

/**
 * @param {Caption} caption
 * @param {{value?: string, isMultiline?: boolean, type?: string, inputMode?: string, placeholder?: string, maximum?: number, autocomplete?: string, isRequired?: boolean}} options
 *   `maximum`: the maximum number of characters
 * @param {() => void} onChange
 */
export function textField(caption, options, onChange) {
  const { value = "", isMultiline, type = "text", inputMode, placeholder, maximum, autocomplete, isRequired } = options;
  const input = h(isMultiline ? "textarea" : "input", {
    type: isMultiline ? undefined : type,
    inputmode: inputMode,
    placeholder,
    autocomplete,
    enterkeyhint: isMultiline ? undefined : "next",
    // A phone's dictionary must not learn a secret, even while it is visible.
    ...(type === "password" ? { autocapitalize: "none", spellcheck: "false" } : {}),
    dir: type === "text" ? "auto" : undefined,
    "aria-required": isRequired ? "true" : undefined,
  });
  input.value = value;
  if (maximum) limit(input, maximum);
  input.addEventListener("input", onChange);
  return labelled(caption, input);
}

/**
 * Limits the characters of an input; the surplus is cut from the new text.
 * @param {any} input
 * @param {number} maximum
 */
function limit(input, maximum) {
  let before = characters(input.value);
  const cut = (/** @type {any} */ event) => {
    if (event.isComposing) return;
    const now = characters(input.value);
    if (now.length > maximum) {
      let start = 0;
      let end = 0;
      while (start < before.length && before[start] === now[start]) start++;
      while (end < before.length - start && before.at(-1 - end) === now.at(-1 - end)) end++;
      const added = now.slice(start, now.length - end).slice(0, Math.max(0, maximum - start - end));
      const head = [...now.slice(0, start), ...added].join("");
      input.value = head + now.slice(now.length - end).join("");
      input.setSelectionRange(head.length, head.length);
    }
    before = characters(input.value);
  };
  input.addEventListener("input", cut);
  input.addEventListener("compositionend", cut);
}

/**
 * @param {Caption} caption
 * @param {{choices: {value: string, label: string}[], value?: string, empty: string, isRequired?: boolean}} options
 * @param {() => void} onChange
 */
export function selectField(caption, { choices, value, empty, isRequired }, onChange) {
  const options = [{ value: "", label: empty }, ...choices].map((choice) =>
    h("option", { value: choice.value, selected: choice.value === (value ?? "") }, choice.label)
  );
  const select = h("select", { onchange: onChange, "aria-required": isRequired ? "true" : undefined }, options);
  return labelled(caption, select);
}
