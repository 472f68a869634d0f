// The form of experiments and rollouts.

import { changed } from "./layout.js";
import { messaging } from "./message.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** @param {Format} format @returns {Section} */
const features = (format) => ({
  label: "features",
  icon: "feature",
  pointer: "/features",
  items: "list",
  title: ["/featureId"],
  key: "/featureId",
  blank: { featureId: "messaging", value: {} },
  each: [
    ...format.pick("feature", "featureId"),
    { pointer: "/value", field: "value", label: "value", when: { pointer: "/featureId", isNot: "messaging" } },
  ],
  sections: messaging(format).map((section) => ({
    ...section,
    pointer: `/value${section.pointer ?? ""}`,
    when: { pointer: "/featureId", is: "messaging" },
  })),
});

/**
 * A number of buckets as a percentage.
 * @type {Partial<import("./fields.js").Field>}
 */
const portion = {
  field: "portion",
  label: "portion",
  literal: undefined,
  help: undefined,
  unit: "%",
  low: 0,
  high: 100,
};

/** @param {Format} format @returns {Section[]} */
export const experiment = (format) => [
  {
    label: "name",
    icon: "pencil",
    fields: changed(format.pick("", "userFacingName userFacingDescription isRollout appName channel"), {
      userFacingDescription: { isTranslatable: false },
    }),
  },
  {
    label: "who",
    icon: "person",
    fields: [
      ...changed(format.pick("", "targeting isEnrollmentPaused bucketConfig/count stages"), {
        targeting: { field: "audience" },
        "bucketConfig/count": { ...portion, hint: "portion" },
        stages: {
          blank: { count: 10_000 },
          make: undefined,
          of: changed(format.pick("stage", "count at guards"), { count: portion }),
        },
      }),
      ...format.pick(
        "",
        "bucketConfig/randomizationUnit bucketConfig/namespace bucketConfig/start bucketConfig/count " +
          "bucketConfig/total",
      ).map((field) => ({ ...field, group: "more" })),
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
    each: changed(format.pick("branch", "slug ratio description"), { description: { isTranslatable: false } }),
    sections: [features(format)],
  },
  {
    label: "when",
    icon: "clock",
    fields: changed(format.pick("", "startDate endDate proposedEnrollment proposedDuration referenceBranch"), {
      proposedDuration: { field: "number" },
    }),
  },
];
