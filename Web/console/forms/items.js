// The items of a list of a document, each as a link to its form.

import { drawing } from "../ask/drawings.js";
import { questionsBefore } from "../ask/subjects.js";
import { ListEditor } from "../elements/list.js";
import { h } from "../../shared/dom.js";
import { t } from "../texts.js";
import { titleOf } from "./sections.js";

/**
 * @typedef {import("./sections.js").Place} Place
 * @typedef {import("./fields.js").FormContext} FormContext
 */

/**
 * The items of a place as a list.
 * @param {Place} place @param {FormContext} context @param {(pointer: string) => void} opened
 * @param {Partial<import("../elements/list.js").ListOptions>} [others]
 */
export function itemsOf(place, context, opened, others = {}) {
  const { section, base } = place;
  const noun = t(`item.${section.label}`);
  return new ListEditor({
    document: context.document,
    pointer: base,
    name: noun,
    isMap: section.items === "map",
    cells: (pointer) => [itemLink(place, pointer, context)],
    nameOf: (pointer) => titleOf(section, context.document, pointer),
    blank: () => structuredClone(section.blank ?? {}),
    announce: context.announce,
    opened,
    idKey: section.key,
    taken: () => takenIds(section, context),
    ...others,
  });
}

/**
 * The ids of all questions, because sub-questions may not reuse the id of a question.
 * @param {import("./fields.js").Section} section
 * @param {FormContext} context
 */
const takenIds = ({ key }, { document }) => key === "/id" ? questionsBefore(document.get("")).map(({ id }) => id) : [];

/** @param {Place} place @param {string} pointer @param {FormContext} context */
function itemLink({ section }, pointer, context) {
  const picture = section.type && h("span", { class: "item-picture" });
  const link = h("a", { href: address(pointer) });
  const more = h("span", { class: "muted ellipsis" });
  return {
    element: h("div", { class: "item-link" }, picture, link, more),
    update: () => {
      link.textContent = context.nameOf(titleOf(section, context.document, pointer));
      if (picture) {
        const type = String(context.document.get(pointer + section.type));
        picture.replaceChildren(drawing(type));
        more.textContent = section.typeName?.(type) ?? type;
        return;
      }
      const value = context.document.get(pointer);
      const text = value?.text || value?.title || value?.description || value?.type || value?.question_type ||
        value?.id;
      more.textContent = typeof text === "string" && text !== link.textContent ? text : "";
    },
  };
}

/** The address of the page with another place. @param {string} at */
export function address(at) {
  const url = new URL(location.href);
  url.searchParams.set("at", at);
  return url.pathname + url.search;
}
