// Templates of recipes. Each is a document that can be published unchanged. It contains the template's id in place of
// the recipe's slug.

/** @typedef {{id: string, kind: string, document: any}} Template its name is the text `template.ID` */

/** @param {string} slug @param {string} text */
const variant = (slug, text) => ({
  slug,
  ratio: 1,
  features: [{
    featureId: "messaging",
    value: {
      messages: {
        "try-two-variants": {
          experiment: "try-two-variants",
          surface: "home",
          "trigger-if-all": ["ALWAYS"],
          text,
          "button-label": "Have a look",
          action: "https://example.org/new",
        },
      },
    },
  }],
});

/** @type {Template[]} */
export const templates = [
  {
    id: "ask-one-question",
    kind: "messages",
    document: {
      userFacingName: "Ask one question",
      messages: {
        "ask-one-question": {
          surface: "microsurvey",
          "trigger-if-all": ["ALWAYS"],
          title: "One question, ten seconds.",
          text: "How do you like this page?",
          "button-label": "Answer",
          microsurveyConfig: { options: ["Very much", "It is all right", "Not at all"] },
        },
      },
    },
  },
  {
    id: "try-two-variants",
    kind: "experiment",
    document: {
      schemaVersion: "1.12.0",
      slug: "try-two-variants",
      id: "try-two-variants",
      userFacingName: "Try two variants",
      userFacingDescription: "Which text do more people press?",
      isRollout: false,
      isEnrollmentPaused: false,
      proposedEnrollment: 14,
      targeting: "true",
      bucketConfig: {
        randomizationUnit: "nimbus_id",
        namespace: "try-two-variants",
        start: 0,
        count: 10000,
        total: 10000,
      },
      referenceBranch: "plain",
      branches: [variant("plain", "There is something new here."), variant("short", "Look what is new!")],
    },
  },
  {
    id: "lead-new-users",
    kind: "flow",
    document: {
      kind: "flow",
      id: "lead-new-users",
      name: "Lead new users",
      version: 1,
      active: true,
      hosted: true,
      settings: { progress_style: "segmented_bar", allow_back: true },
      steps: [
        {
          id: "hello",
          type: "welcome",
          config: { title: "Welcome", subtitle: "A few steps, and you are ready.", cta_text: "Begin" },
        },
        {
          id: "goal",
          type: "question",
          config: {
            title: "What brings you here?",
            options: [{ id: "work", label: "Work" }, { id: "study", label: "Study" }, {
              id: "fun",
              label: "Just looking",
            }],
          },
          next_step_rules: [{
            target_step_id: "about",
            conditions: [{ type: "answer_equals", answer_key: "selected", value: "fun" }],
          }],
        },
        {
          id: "good",
          type: "value_prop",
          config: {
            title: "What it does for you",
            items: [{ title: "Search", subtitle: "Find everything again" }, {
              title: "Share",
              subtitle: "Work on lists together",
            }],
            cta_text: "Go on",
          },
        },
        {
          id: "about",
          type: "form",
          config: {
            title: "What shall we call you?",
            skip_enabled: true,
            cta_text: "Done",
            fields: [{ id: "name", type: "text", label: "Name", required: true }],
          },
        },
      ],
    },
  },
  {
    id: "would-you-recommend-us",
    kind: "questionnaire",
    document: {
      kind: "questionnaire",
      name: "Would you recommend us?",
      hosted: true,
      schema: {
        version: 1,
        questions: [
          { id: "recommend", type: "nps", title: "Would you recommend us to a friend?", required: true },
          {
            id: "why",
            type: "text",
            title: "What would make it better?",
            multiline: true,
            show_if: { id: "recommend", operation: "less than", value: 9 },
          },
        ],
      },
    },
  },
  {
    id: "nps-each-quarter",
    kind: "questionnaire",
    document: {
      kind: "questionnaire",
      name: "NPS each quarter",
      schema: {
        version: 1,
        questions: [
          { id: "recommend", type: "nps", title: "Would you recommend us to a friend?", required: true },
          { id: "why", type: "text", title: "Why?", multiline: true },
        ],
      },
      offer: {
        surface: "home",
        text: "Would you recommend us?",
        "button-label": "Answer",
        pacing: { cooldown_seconds: 86400 },
      },
      repeat: { days: 90, unanswered_days: 30 },
    },
  },
  {
    id: "feedback-button",
    kind: "questionnaire",
    document: {
      kind: "questionnaire",
      name: "Feedback",
      hosted: true,
      schema: {
        version: 1,
        questions: [
          { id: "rating", type: "rating", title: "How do you like it?", scale: 5 },
          { id: "text", type: "text", title: "What should we know?", multiline: true, required: true },
        ],
      },
      repeat: { days: 0 },
    },
  },
  {
    id: "ask-after-a-week",
    kind: "questionnaire",
    document: {
      kind: "questionnaire",
      name: "Your first week",
      hosted: true,
      schema: {
        version: 1,
        questions: [
          { id: "rating", type: "rating", title: "How was your first week?", scale: 5, required: true },
          {
            id: "use",
            type: "multi_choice",
            title: "What do you use?",
            options: [{ id: "search", label: "Search" }, { id: "lists", label: "Lists" }, {
              id: "share",
              label: "Sharing",
            }],
          },
          { id: "more", type: "text", title: "Anything else?", multiline: true },
        ],
      },
      offer: {
        surface: "home",
        text: "How was your first week?",
        "button-label": "Tell us",
        trigger: { launches: 3 },
        pacing: { display: "until-answered", cooldown_seconds: 86400 },
      },
    },
  },
  {
    id: "get-to-know-them",
    kind: "survey",
    document: {
      kind: "survey",
      name: "How do you work?",
      hosted: true,
      questions: [
        {
          id: "role",
          question: "What do you do?",
          question_type: "single_select",
          options: ["I make things", "I lead people", "I study", { title: "Something else", type: "freeform" }],
        },
        {
          id: "people",
          question: "How many people do you lead?",
          question_type: "single_text_field",
          input_type: "number",
          required: false,
          show_if: { id: "role", operation: "equals", value: "I lead people" },
          validations: [{
            operation: "less than",
            value: 10000,
            on_fail_message: "Give a number below 10,000.",
          }],
        },
        {
          id: "happy",
          question: "How happy are you with it?",
          question_type: "segment_select",
          values: ["1", "2", "3", "4", "5"],
          low_tag: "Not at all",
          high_tag: "Very",
        },
        {
          id: "when",
          question: "When do you use it?",
          question_type: "table_select",
          options: ["Often", "Sometimes", "Never"],
          table_questions: [{ id: "work", title: "At work" }, { id: "home", title: "At home" }],
        },
        { id: "more", question: "Anything else?", question_type: "single_text_area", required: false },
      ],
      submit: { button_title: "Send" },
    },
  },
  {
    id: "announce-something",
    kind: "messages",
    document: {
      userFacingName: "Announce something",
      messages: {
        "announce-something": {
          surface: "home",
          "trigger-if-all": ["ALWAYS"],
          title: "There is something new",
          text: "Lists can be shared now.",
          "button-label": "Have a look",
          action: "https://example.org/new",
        },
      },
    },
  },
];

/**
 * The document for an app: with its own slug, and on a surface of the app.
 * @param {Template} template
 * @param {{slug: string, surfaces: string[]}} place
 * @returns {any}
 */
export function documentOf(template, { slug, surfaces }) {
  const known = surfaces.length > 0 ? surfaces : ["home", "microsurvey"];
  return JSON.parse(JSON.stringify(template.document), (key, value) => {
    if (key === "surface") return known.includes(value) ? value : known[0];
    if (value === template.id) return slug;
    if (key !== "messages" || value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, message]) => [name === template.id ? slug : name, message]),
    );
  });
}
