// The fields of quotas: limits of the answers to a message and an offer.

/** @typedef {import("./message.js").Field} Field */

/** @type {Field[]} */
export const quotas = [
  { pointer: "/pacing/response_limit", field: "number", label: "pacing.responses", isOptional: true },
  {
    pointer: "/pacing/quotas",
    field: "rows",
    label: "quotas",
    hint: "quotas",
    isCards: true,
    blank: { name: "quota", when: true, limit: 100 },
    title: "/name",
    of: [
      { pointer: "/name", field: "text", label: "name", isHalf: true },
      { pointer: "/limit", field: "number", label: "quota.limit", isHalf: true },
      { pointer: "/when", field: "conditions", label: "quota.when", dialect: "core", blank: true },
      {
        pointer: "/action",
        field: "choice",
        label: "quota.action",
        options: ["end", "continue"],
        isOptional: true,
        default: "end",
      },
    ],
  },
];
