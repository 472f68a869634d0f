// The fields of quotas: limits of the answers to a message and an offer.

import { field } from "./field.js";

/** @typedef {import("./message.js").Field} Field */

/** @type {Field[]} */
export const quotas = [
  field("number", "/pacing/response_limit", "pacing.responses", { isOptional: true }),
  field("rows", "/pacing/quotas", "quotas", {
    hint: "quotas",
    isCards: true,
    blank: { name: "quota", when: true, limit: 100 },
    title: "/name",
    of: [
      field("text", "/name", "name", { isHalf: true }),
      field("number", "/limit", "quota.limit", { isHalf: true }),
      field("conditions", "/when", "quota.when", { dialect: "core", blank: true }),
      field("choice", "/action", "quota.action", { options: ["end", "continue"], isOptional: true, default: "end" }),
    ],
  }),
];
