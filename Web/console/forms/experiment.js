// The fields of experiments and rollouts.

import { messaging } from "./message.js";

/** @type {import("./message.js").Section[]} */
export const experiment = [
  {
    label: "name",
    icon: "pencil",
    fields: [
      { pointer: "/userFacingName", field: "text", label: "name" },
      { pointer: "/userFacingDescription", field: "long", label: "description" },
      { pointer: "/isRollout", field: "switch", label: "rollout", default: false, hint: "rollout" },
      { pointer: "/appName", field: "text", label: "appName", isOptional: true },
      { pointer: "/channel", field: "text", label: "channel", isOptional: true },
    ],
  },
  {
    label: "who",
    icon: "person",
    fields: [
      { pointer: "/targeting", field: "expression", label: "targeting", isOptional: true, hint: "targeting" },
      { pointer: "/isEnrollmentPaused", field: "switch", label: "enrollment.paused", hint: "enrollment.paused" },
      {
        pointer: "/bucketConfig/randomizationUnit",
        field: "choice",
        label: "unit",
        options: ["nimbus_id", "user_id"],
        hint: "unit",
      },
      { pointer: "/bucketConfig/namespace", field: "text", label: "namespace", hint: "namespace" },
      { pointer: "/bucketConfig/start", field: "number", label: "bucket.start" },
      { pointer: "/bucketConfig/count", field: "number", label: "bucket.count", hint: "bucket.count" },
      { pointer: "/bucketConfig/total", field: "number", label: "bucket.total" },
    ],
  },
  {
    label: "branches",
    icon: "flask",
    pointer: "/branches",
    items: "list",
    title: ["/slug"],
    key: "/slug",
    blank: { slug: "treatment", ratio: 1, features: [] },
    each: [
      { pointer: "/slug", field: "text", label: "slug" },
      { pointer: "/ratio", field: "number", label: "ratio", hint: "ratio" },
      { pointer: "/description", field: "long", label: "description", isOptional: true },
    ],
    sections: [{
      label: "features",
      icon: "feature",
      pointer: "/features",
      items: "list",
      title: ["/featureId"],
      key: "/featureId",
      blank: { featureId: "messaging", value: {} },
      each: [
        { pointer: "/featureId", field: "text", label: "feature", suggest: "features" },
        { pointer: "/value", field: "value", label: "value", when: { pointer: "/featureId", isNot: "messaging" } },
      ],
      sections: messaging.map((section) => ({
        ...section,
        pointer: `/value${section.pointer ?? ""}`,
        when: { pointer: "/featureId", is: "messaging" },
      })),
    }],
  },
  {
    label: "when",
    icon: "clock",
    fields: [
      { pointer: "/startDate", field: "date", label: "start", isOptional: true },
      { pointer: "/endDate", field: "date", label: "end", isOptional: true },
      { pointer: "/proposedEnrollment", field: "number", label: "enrollment.days" },
      { pointer: "/proposedDuration", field: "number", label: "duration.days", isOptional: true },
      {
        pointer: "/referenceBranch",
        field: "text",
        label: "reference",
        isOptional: true,
        suggest: "branches",
        hint: "reference",
      },
    ],
  },
];
