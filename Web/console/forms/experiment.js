// The fields of experiments and rollouts.

import { field } from "./field.js";
import { messaging } from "./message.js";

/** @type {import("./message.js").Section[]} */
export const experiment = [
  {
    label: "name",
    icon: "pencil",
    fields: [
      field("text", "/userFacingName", "name"),
      field("long", "/userFacingDescription", "description"),
      field("switch", "/isRollout", "rollout", { default: false, hint: "rollout" }),
      field("text", "/appName", "appName", { isOptional: true }),
      field("text", "/channel", "channel", { isOptional: true }),
    ],
  },
  {
    label: "who",
    icon: "person",
    fields: [
      field("expression", "/targeting", "targeting", { isOptional: true, hint: "targeting" }),
      field("switch", "/isEnrollmentPaused", "enrollment.paused", { hint: "enrollment.paused" }),
      field("choice", "/bucketConfig/randomizationUnit", "unit", { options: ["nimbus_id", "user_id"], hint: "unit" }),
      field("text", "/bucketConfig/namespace", "namespace", { hint: "namespace" }),
      field("number", "/bucketConfig/start", "bucket.start"),
      field("number", "/bucketConfig/count", "bucket.count", { hint: "bucket.count" }),
      field("number", "/bucketConfig/total", "bucket.total"),
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
      field("text", "/slug", "slug"),
      field("number", "/ratio", "ratio", { hint: "ratio" }),
      field("long", "/description", "description", { isOptional: true }),
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
        field("text", "/featureId", "feature", { suggest: "features" }),
        field("value", "/value", "value", { when: { pointer: "/featureId", isNot: "messaging" } }),
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
      field("date", "/startDate", "start", { isOptional: true }),
      field("date", "/endDate", "end", { isOptional: true }),
      field("number", "/proposedEnrollment", "enrollment.days"),
      field("number", "/proposedDuration", "duration.days", { isOptional: true }),
      field("text", "/referenceBranch", "reference", { isOptional: true, suggest: "branches", hint: "reference" }),
    ],
  },
];
