// The daemon's commonest findings in the language of the console. A row has a pattern of the daemon's sentence, whose
// named groups fill in the text. A sentence that no pattern matches stays as the daemon wrote it.

import { addTexts, known, quoted, t } from "../texts.js";
import english from "../texts/en_findings.js";

addTexts(english);

/** @type {Map<string, [pattern: string, text: string][]>} The rows by the code of the finding (docs/findings.md). */
export const rows = new Map(Object.entries({
  required: [['the member "(?<member>.+)" is missing', "required"]],
  type: [["expected (?<wanted>an? \\w+), found (?<found>an? \\w+|null)", "type"]],
  length: [
    ["expected 1 to \\d+ characters, found 0", "blank"],
    ["expected (?<least>\\d+) to (?<most>\\d+) characters, found (?<count>\\d+)", "length"],
  ],
  range: [
    ["expected a number (?<least>-?\\d+) to (?<most>-?\\d+), found (?<value>-?\\d+)", "range"],
    ["expected a number of at least (?<least>-?\\d+), found (?<value>-?\\d+)", "least"],
    ["expected a number (?:of at most) (?<most>-?\\d+), found (?<value>-?\\d+)", "most"],
    ["a stage is larger than the one before: above \\d+", "stage.larger"],
    ["a stage is not earlier than the one before", "stage.later"],
    ["there are (?<count>\\d+) buckets from the first one on", "buckets"],
  ],
  choice: [['expected one of (?<words>.+), found "(?<value>.*)"', "choice"]],
  blank: [["the text is blank|the expression is empty", "blank"]],
  duplicate: [
    ["another .+ has the (same id|id .+)", "twice.id"],
    ["another .+ has the same (text|label)", "twice.text"],
    ["a branch before it has the same slug", "twice.branch"],
  ],
  time: [['"(?<text>.*)" is (no RFC 3339 time .+|neither a date nor an RFC 3339 time)', "time"]],
  dates: [
    ["endDate is before startDate", "dates"],
    ["endDate is the same time as startDate: .+", "dates.same"],
  ],
  unknown_key: [
    ['nothing reads the key "(?<key>.+)": did you mean "(?<meant>.+)"\\?', "key.meant"],
    ['nothing reads the key "(?<key>.+)" here: its place is (?<place>.+)', "key.place"],
    ['nothing reads the key "(?<key>[^"]+)"( of the type ".+")?', "key"],
  ],
  unknown_surface: [
    ['"(?<name>.+)" is none of (?<words>.+)', "surface"],
    ['without a surface the offer is for "(?<name>.+)", which the manifest does not have', "surface.none"],
  ],
  unknown_trigger: [['there is no trigger "(?<name>.+)"', "trigger"]],
  unknown_style: [['there is no style "(?<name>.+)"', "style"]],
  unknown_action: [['there is no action "(?<name>.+)"', "action"]],
  empty_text: [["a message without text is malformed", "text"]],
  undeclared_identifier: [['"(?<name>.+)" is no attribute that the manifest declares', "attribute"]],
  unknown_segment: [['no segment "(?<name>.+)" is live: .+', "segment"]],
  end_passed: [["endDate is in the past: .+", "passed"]],
  recipe_ended: [['recipe "(?<slug>.+)" has ended for good, .+', "ended"]],
  priority_tie: [
    ['on surface "(?<surface>.+)" priority (?<priority>-?\\d+) is also that of (?<names>.+): .+', "tie"],
  ],
  missing_translation: [['"(?<id>.+)" has no translation for (?<locales>.+)', "translation"]],
  unknown_string_id: [['no table has "(?<id>.+)": .+', "id"]],
  plain_text: [
    ["the text is no id, so it has no translation for (?<locales>.+), and (?<count>\\d+) more like it", "plain.more"],
    ["the text is no id, so it has no translation for (?<locales>.+)", "plain"],
  ],
  never_true: [
    ["nobody is targeted", "nobody"],
    ["the expression is never true(, whatever .+ may be)?", "nobody"],
  ],
  reference: [
    ["no goal has this name", "goal"],
    ["no branch but the control has this name", "branch"],
    ["the recipe has no guards", "guards"],
  ],
}));

/** What follows from a finding about a message. */
const consequence = /: (it is left out, and a message without text|the message) is malformed$/;

/** @param {string} code @param {string} message the daemon's sentence */
export function findingInWords(code, message) {
  // The place in bytes of an expression is for programs.
  const whole = message.replace(/ \(at byte \d+\)$/, "");
  const sentence = whole.replace(consequence, "");
  for (const [pattern, key] of rows.get(code) ?? []) {
    const match = new RegExp(`^(?:${pattern})$`).exec(sentence);
    if (!match) continue;
    const words = t(`finding.${key}`, Object.fromEntries(Object.entries(match.groups ?? {}).map(shown)));
    return sentence === whole ? words : `${words} ${t("finding.malformed")}`;
  }
  return whole;
}

/** A part of the daemon's sentence in the language of the console. @param {[string, string]} part */
function shown([name, value]) {
  if (name === "words" || name === "names") return [name, value.replaceAll(/"(.*?)"/g, (_, word) => quoted(word))];
  if (name === "member") return [name, known(`member.${value}`) ?? quoted(value)];
  if (name === "wanted" || name === "found") {
    return [name, known(`finding.kind.${value.replace(/^an? /, "")}`) ?? value];
  }
  return [name, /^-?\d+$/.test(value) ? Number(value) : value];
}
