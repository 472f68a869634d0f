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
    fields: changed(
      format.pick(
        "",
        "targeting isEnrollmentPaused bucketConfig/randomizationUnit bucketConfig/namespace bucketConfig/start " +
          "bucketConfig/count bucketConfig/total",
      ),
      { targeting: { field: "audience" } },
    ),
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
