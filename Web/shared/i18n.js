// The widget's own texts in English; Web/widget/texts has them in other languages. The page's texts have precedence
// over a definition's texts, and these over the widget's own. A page can replace every text by its key
// (docs/web.md#texts).

/** @type {{[key: string]: string}} */
export const english = {
  title: "Questionnaire",
  submitButton: "Submit",
  skipButton: "Skip",
  nextButton: "Next",
  backButton: "Back",
  doneButton: "Done",
  cancelButton: "Cancel",
  consentTitle: "Quick favor?",
  consentBody: "Have a minute to answer a few questions?",
  consentAccept: "Sure, happy to help",
  consentLater: "Maybe later",
  consentNever: "Don't ask again",
  doNotShowAgain: "Don't show this again",
  successTitle: "Thanks!",
  successBody: "Your answers were sent.",
  errorTitle: "Something went wrong",
  errorRequiredMissing: "Please answer this question.",
  errorGeneric: "Please try again.",
  npsLowLabel: "Not likely",
  npsHighLabel: "Very likely",
  openButton: "Open",
  close: "Close",
  feedbackButton: "Feedback",
  sheetSize: "Height of this sheet",
  progress: "Question {n} of {total}",
  step: "Step {n} of {total}",
  errorSummary: "Please check these answers",
  required: "required",
  optional: "optional",
  chooseYear: "Choose a year",
  chooseOption: "Choose",
  units: "Units",
  addText: "Add another",
  removeText: "Remove",
  showPassword: "Show password",
  hidePassword: "Hide password",
  passwordStrength: "Password strength",
  weak: "Weak",
  fair: "Fair",
  good: "Good",
  strong: "Strong",
  less: "Less",
  more: "More",
  day: "Day",
  month: "Month",
  year: "Year",
  hold: "Press and hold",
  colorOther: "Another color",
  popular: "Popular",
  neverTitle: "Stop asking?",
  neverBody: "You will see no more questionnaires.",
  queuedTitle: "Saved",
  queuedBody: "Your answers are kept on this device, and are sent as soon as possible.",
  closedTitle: "Not open",
  closedBody: "This takes no answers at the moment.",
  answeredBody: "You have answered this already. Thank you!",
  loadError: "This could not be loaded.",
  retry: "Try again",
  working: "One moment, please …",
  stillWorking: "This takes longer than usual. Please wait …",
  stopTitle: "Keep your answers?",
  stopBody: "You can go on later, or stop now.",
  keep: "Keep it for later",
  stop: "Stop",
  endTitle: "You can close this page now.",
  noAnswer: "No answer yet",
  typing: "Writing …",
  sign: "Sign",
  progressBar: "Progress",
  send: "Send",
  yourMessage: "Your message",
  chatFirst: "Please write a message first.",
  rateChat: "How was this conversation?",
  notPossible: "This is not possible here.",
  continueWith: "Continue with {name}",
  lowest: "lowest value",
  highest: "highest value",
  colorChoice: "Color {n} of {total}",
  range: "This is outside of the range.",
  too_long: "This is too long.",
  not_option: "Please choose one of the options.",
  duplicate: "The same answer stands here twice.",
  pattern: "This is not in the expected form.",
  type: "This is not in the expected form.",
  unknown_key: "This answer is no longer asked for.",
  faultBetween: "Enter a number from {min} to {max}.",
  faultMinimum: "Enter {min} or more.",
  faultMaximum: "Enter {max} or less.",
  faultMaximumLength: "Enter at most {max} characters.",
  faultDateBetween: "Choose {min} at the earliest and {max} at the latest.",
  faultMinimumDate: "Choose {min} or later.",
  faultMaximumDate: "Choose {max} or earlier.",
};

/** The keys of sentences with both bounds, and of reasons that share a sentence. @type {{[reason: string]: string}} */
const withBoth = { minimum: "between", maximum: "between", minimumDate: "dateBetween", maximumDate: "dateBetween" };
/** @type {{[reason: string]: string}} */
const shared = { maximumChips: "maximumOptions", maximumStars: "between" };

/** The reason of a fault of a question, whose bounds show what is meant. @param {import("./problems.js").Fault} fault */
function reasonOf({ code, bounds = {} }) {
  if (code === "too_long") return bounds.max === undefined ? undefined : "maximumLength";
  const bound = bounds.min ?? bounds.max;
  if (code !== "range" || bound === undefined) return undefined;
  const name = bounds.min === undefined ? "maximum" : "minimum";
  return String(bound).length === 10 ? `${name}Date` : name;
}

export class Texts {
  /**
   * @param {{[key: string]: string}} page the page's own texts
   * @param {{[key: string]: unknown}} [definition] the texts in the daemon's response
   * @param {{[key: string]: string}} [builtIn] the widget's own texts in the respondent's language
   * @param {string} [locale] the respondent's language
   */
  constructor(page, definition = {}, builtIn = {}, locale = undefined) {
    this.page = page;
    this.definition = definition;
    this.builtIn = builtIn;
    this.locale = locale;
  }

  /** @param {{[key: string]: unknown}} [definition] */
  with(definition) {
    return new Texts(this.page, definition, this.builtIn, this.locale);
  }

  /** These texts, and more of the widget's own in English. @param {{[key: string]: string}} more */
  over(more) {
    return new Texts(this.page, this.definition, { ...more, ...this.builtIn }, this.locale);
  }

  /** @param {string} locale @param {{[key: string]: string}} builtIn */
  in(locale, builtIn) {
    return new Texts(this.page, this.definition, builtIn, Intl.DateTimeFormat.supportedLocalesOf([locale])[0]);
  }

  /**
   * @param {string} key
   * @param {{[name: string]: string | number}} [values] the values for `{name}`
   * @returns {string}
   */
  get(key, values = {}) {
    const own = this.definition[key];
    const said = typeof own === "string" && own !== "" ? own : undefined;
    const text = this.page[key] ?? said ?? this.builtIn[key] ?? english[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);
  }

  /**
   * The sentence of a fault of an answer, with its bounds; of a rule, its author's message.
   * @param {import("./problems.js").Fault} fault
   */
  fault(fault) {
    const { code, message, reason, bounds = {} } = fault;
    if (code === "rule" && !reason) return message ?? this.get("pattern");
    const isSize = /Bytes$/.test(reason ?? "");
    const values = Object.entries(bounds).map(([name, bound]) => [name, this.#bound(bound, isSize)]);
    return this.get(this.#sentence(fault), Object.fromEntries(values));
  }

  /** The key of a fault's sentence. @param {import("./problems.js").Fault} fault */
  #sentence(fault) {
    const { code, bounds = {} } = fault;
    const reason = fault.reason ?? reasonOf(fault) ?? "";
    const hasBoth = bounds.min !== undefined && bounds.max !== undefined;
    const name = shared[reason] ?? (hasBoth && withBoth[reason] || reason);
    const key = `fault${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    if (key in this.builtIn || key in english) return key;
    return code === "required" ? "errorRequiredMissing" : code in english ? code : "errorGeneric";
  }

  /** A bound in the reader's language. @param {any} bound @param {boolean} isSize a number of bytes */
  #bound(bound, isSize) {
    const { locale } = this;
    if (typeof bound === "number") {
      /** @type {Intl.NumberFormatOptions} */
      const size = { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 };
      return new Intl.NumberFormat(locale, isSize ? size : { maximumFractionDigits: 10 })
        .format(isSize ? Math.floor(bound / 1000) : bound);
    }
    if (Array.isArray(bound)) return bound.map((type) => String(type).replace(/^(image\/|\.)/, "")).join(", ");
    const [, day, time] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d)?/.exec(bound) ?? [];
    if (!day && !time) return String(bound);
    // Times of answers have no zone.
    return new Intl.DateTimeFormat(locale, {
      timeZone: "UTC",
      ...(day ? { dateStyle: "long" } : {}),
      ...(time ? { timeStyle: "short" } : {}),
    }).format(new Date(`${day ?? "2000-01-01"}T${time ?? "00:00"}Z`));
  }
}
