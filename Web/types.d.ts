// The bodies of the API, and the documents that the daemon has checked. Their keys are those of docs/reference. A count of
// null is withheld, because too few clients are in it.

declare namespace API {
  type Count = number | null;
  type Interval = [number, number] | null;

  interface App {
    app: string;
    app_name?: string | null;
    recipes: number;
    read_only?: boolean;
    default_locale: string;
    locales: string[];
  }

  interface Clients {
    clients: Count;
  }

  interface Estimate {
    value: number;
    interval: Interval;
  }

  /** The steps of a message by all clients, or by those of a branch. */
  interface Steps {
    [step: string]: any;
    shown: Clients;
  }

  interface BranchSteps extends Steps {
    branch?: string;
    is_control?: boolean;
    exposed: Clients;
  }

  interface Answers {
    branch?: string;
    answers: Count;
    options: { option: string; count: Count }[];
    mean?: Estimate;
    nps?: Estimate;
    scale?: string;
  }

  interface MessageResults {
    message: string;
    is_control: boolean;
    is_microsurvey: boolean;
    is_complete: boolean;
    funnel: { all: Steps; branches: BranchSteps[]; is_complete: boolean; since?: string };
    all: Answers;
    branches: Answers[];
    days: { day: string | null; answers: Count }[];
    options: { option: string; text?: string }[];
  }

  interface Choice {
    id?: string;
    label?: string;
    count: number;
  }

  interface Spread {
    label: string;
    buckets: import("./console/statistics.js").Bucket[] | null;
    median?: number | null;
    kind: string;
  }

  interface QuestionResults {
    id: string;
    type: string;
    title?: string;
    label?: string;
    total_answered: Count;
    buckets: import("./console/statistics.js").Bucket[];
    choices?: Choice[];
    distribution?: Spread;
    units?: { labels: string; count: Count }[];
    amounts?: Spread[];
    rows?: { id: string; title?: string; choices: Choice[]; total_answered: Count }[];
    recent_answers: { response_id: string; answer: unknown; text?: string; created_at: string; option?: string }[];
    [key: string]: any;
  }

  /** The results of a recipe: of its messages, or of its runs. */
  interface Results {
    kind: string;
    messages: MessageResults[];
    enrollment?: import("./console/views/results-branches.js").Enrollment;
    questions?: QuestionResults[];
    branches: any[];
    steps: any[];
    goals?: Goals | null;
    [key: string]: any;
  }

  interface Bounds {
    low: number;
    high: number;
  }

  interface GoalEstimate {
    difference: number | null;
    lift: number | null;
    standard_error: number | null;
    interval: Bounds | null;
    lift_interval: Bounds | null;
  }

  interface GoalComparison extends GoalEstimate {
    branch: string;
    critical: number | null;
    cuped: GoalEstimate & { theta: number; variance_reduction: number } | null;
    verdict: "better" | "worse" | "no_difference_shown" | "too_little_data";
  }

  interface GoalCell {
    branch: string;
    exposed: Count;
    converted: Count;
    sum: number | null;
  }

  interface GoalBranch extends GoalCell {
    ratio: number;
    mean: number | null;
    interval: Bounds | null;
  }

  interface Goal {
    name: string;
    event: string | { message: string };
    counts: "converted" | "sum";
    property: string | null;
    cap: number | null;
    within_days: number;
    direction: "up" | "down";
    primary: boolean;
    plan: { mean: number; mde: number; plan_clients: number; information: number | null } | null;
    branches: GoalBranch[];
    comparisons: GoalComparison[];
    days: { day: string; branches: GoalCell[] }[];
  }

  interface GoalGuard {
    goal: string;
    worse_than?: number | null;
    worse_by?: number | null;
    branch: string | null;
    state: "armed" | "fired" | "off";
    fired: GoalEstimate & { at: string; branch: string; exposed: Count } | null;
  }

  /** The goals of a recipe in one of its periods (docs/reference/goals.md#results). */
  interface Goals {
    period: number;
    periods: number;
    since: string;
    control: string;
    level: number;
    sample_ratio: { statistic: number | null; p: number | null; warning: boolean };
    goals: Goal[];
    guards: GoalGuard[];
  }

  interface Blocker {
    gate: string;
    trigger?: string;
    values: Record<string, any>;
    wanted?: any;
    expression?: string;
    undefined?: string[];
    error?: any;
  }

  /** A gate of a message or of an enrollment. */
  interface Gate {
    gate: string;
    holds: boolean;
    values: Record<string, any>;
    error?: string;
    blocked_by?: Blocker[];
  }

  interface Condition {
    name: string;
    expression: string;
    value?: unknown;
    error?: { message: string };
  }

  interface ExplainedMessage {
    [key: string]: any;
    key: string;
    reason: string;
    eligible: boolean;
    priority: number | null;
    malformed?: string;
    gates: Gate[];
    triggers: Condition[];
    exclusions: Condition[];
    blocked_by: Blocker[];
  }

  interface ExplainedEnrollment {
    slug: string;
    status: string;
    reason?: string;
    branch?: string;
    conflict_slug?: string;
    gates?: Gate[];
  }

  interface Explanation {
    selected: string | null;
    messages: ExplainedMessage[];
    enrollments: ExplainedEnrollment[];
    not_served: {
      slug: string;
      reason: string;
      date: string | null;
      guard?: { goal: string; branch: string } | null;
    }[];
    feature?: ExplainedFeature;
  }

  interface ExplainedFeature {
    id: string;
    flags: { key: string; value?: unknown; reason: string; recipe?: string; variant?: string }[];
    recipes: ExplainedEnrollment[];
  }

  /** A response of a list of responses, or of a person. */
  interface ResponseItem {
    texts: any[];
    comments?: any[];
    [key: string]: any;
  }

  /** The document of a recipe, or a part of it. */
  interface Document {
    branches: any[];
    features: any[];
    fields: any[];
    questions: any[];
    steps: any[];
    [key: string]: any;
  }

  /** A question of a questionnaire or a survey. */
  interface Question {
    id: string;
    options: any[];
    fields: any[];
    table_questions: any[];
    sub_questions?: any[];
    [key: string]: any;
  }

  /** A step of a flow, a block of a step, or one in a block. */
  interface Part {
    fields?: any[];
    items?: any[];
    images?: any[];
    children?: any[];
    providers?: any[];
    quick_replies?: any[];
    [key: string]: any;
  }

  /** A recipe of a list with `counts=true`. */
  interface CountedRecipe {
    slug: string;
    kind: string;
    counts?: { last_at: string | null };
  }
}
