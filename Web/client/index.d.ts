// The declarations of `@bellwether/client`, written by hand. A test compares them with the modules.

/** Values by key. React Native's AsyncStorage is one. */
export interface Storage {
  getItem(key: string): Promise<string | null> | string | null;
  setItem(key: string, value: string): Promise<void> | void;
  removeItem(key: string): Promise<void> | void;
  getAllKeys(): Promise<readonly string[]> | readonly string[];
}

/** Something that is about to be recorded. `body` is that of the route `path` of the app. */
export interface Post {
  path: string;
  body: any;
}

export interface Options {
  /** The name of the app's manifest. */
  app: string;
  /** The address of the daemon. */
  base: string;
  /** A client's token. */
  token?: string;
  /** By default an id that the storage keeps. */
  clientId?: string;
  /** The language of texts, by default that of the system. */
  locale?: string;
  /** The surfaces to request messages for, by default all. */
  surfaces?: string[];
  /** Attributes for targeting. */
  context?: Record<string, unknown>;
  /** Nothing is read, stored or sent before `consent(true)`. */
  consent?: "required";
  /** Where the client stores, by default the browser's IndexedDB and localStorage. */
  storage?: Storage;
  /** By default the global `fetch`. */
  fetch?: typeof fetch;
  /** Messages are requested by `refresh()` only, not at the start and when the page is visible again. */
  refresh?: "manual";
  /** Returns the body to record, changed or not, or null to record nothing. */
  beforeSend?(post: Post): unknown;
}

/** The outcome of the first attempt to send something. */
export type Outcome =
  /** The daemon has answered. */
  | { state: "answered"; status: number; body: any }
  /** It waits for the next attempt. */
  | { state: "queued" }
  /** It is not recorded: without consent, or because of `beforeSend`. */
  | { state: "dropped" };

export interface Receipt {
  /** Whether it survives the end of the program; false: it is in memory only. Never rejects. */
  readonly stored: Promise<boolean>;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
}

/** A message of the poll (docs/reference/http-api.md#the-poll). */
export interface Message {
  readonly key: string;
  readonly surface: string;
  readonly style: string;
  readonly revision: number;
  readonly priority: number;
  readonly max_display_count: number | null;
  readonly display_count: number;
  readonly experiment: string | null;
  readonly branch: string | null;
  readonly locale: string;
  readonly dir: "ltr" | "rtl";
  readonly title: string | null;
  readonly text: string | null;
  readonly button_label: string | null;
  readonly action: { readonly name: string | null; readonly url: string | null; readonly uuid?: string } | null;
  readonly presents:
    | { readonly kind: "questionnaire" | "survey" | "flow"; readonly slug: string; readonly url: string }
    | null;
  readonly microsurvey: Microsurvey | null;
}

export interface Microsurvey {
  readonly question: string;
  readonly icon: string | null;
  readonly options: readonly { readonly id: string; readonly text: string }[];
  readonly header: string | null;
  readonly submit_label: string | null;
  readonly privacy_label: string | null;
  readonly privacy_url: string | null;
  readonly confirmation: { readonly header: string; readonly text: string } | null;
}

/** The last good answer. It is replaced as a whole, and never changes. */
export interface Snapshot {
  readonly messages: readonly Message[];
  /** When it was received, in milliseconds since 1970; null without an answer. */
  readonly at: number | null;
}

export interface ContentOptions {
  /** The key of the message that presents it. */
  message?: string;
}

export interface FormOptions extends ContentOptions {
  /** A preview: answers count nowhere. */
  force?: boolean;
  /** The response to continue. */
  responseId?: string;
}

/** A questionnaire or a survey. Why there is none, `reason` says: the daemon's reason, `not_found`, `unreachable` or `consent`. */
export type FoundForm = { form: Form; reason?: undefined } | { form: null; reason: string };
export type FoundFlow =
  | { flow: Flow; definition: any; reason?: undefined }
  | { flow: null; definition?: undefined; reason: string };

export interface Form {
  /** The document in the client's language. */
  readonly definition: any;
  /** The answers by the id of their question: those of the draft at first. Change them before `draft` and `submit`. */
  answers: Record<string, any>;
  /** Whether there was a draft. */
  readonly isResumed: boolean;
  /** The round of a recipe that asks again. */
  readonly round?: number;
  /** When the definition was received: without network it is the last good one. */
  readonly at: number;
  /** Saves a draft. A later save replaces one that waits. */
  draft(): Promise<Outcome>;
  /** Submits the answers. Faults are status 422, with `question_id` in each of `body.errors`. */
  submit(): Promise<Outcome>;
}

export interface Flow {
  /** The run of the last answer, with its step (docs/reference/flows.md#runs). */
  readonly run: any;
  /** Answers a step. Without network the action waits, and `run` stays until `reload`. */
  advance(
    action: "next" | "skip" | "back",
    response?: Record<string, unknown>,
    options?: { host?: unknown; isSecret?: boolean },
  ): Promise<Outcome>;
  /** The action that waits to be sent. */
  waiting(): Promise<any>;
  /** Requests the run again. */
  reload(): Promise<{ status: number; body: any }>;
  /** Ends the run. */
  dismiss(): Receipt;
}

export interface Client {
  readonly clientId: string;
  /** The user whom this client was assigned to. */
  readonly userId: string | undefined;
  readonly snapshot: Snapshot;
  /** The age of the snapshot in milliseconds; null without an answer. */
  readonly age: number | null;
  /** The messages of the snapshot, of a surface or of all. It never waits. */
  messages(surface?: string): readonly Message[];
  /** Requests the messages. Returns whether there is a new snapshot. Never rejects. */
  refresh(): Promise<boolean>;
  /** Calls a function after each new snapshot, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Assigns the client to a user: true if the daemon has accepted it, false also while that waits to be sent. */
  identify(userId: string, userProof?: string): Promise<boolean | undefined>;
  /** Forgets who this was, for example after signing out. What waits is still sent. */
  reset(): void;
  /** Adds attributes for targeting. */
  setAttributes(attributes: Record<string, unknown>): void;
  /** Counts a behaviour event. */
  track(
    name: string,
    options?: { count?: number; properties?: Record<string, string | number | boolean> },
  ): Receipt;
  /** Records an action on a message. */
  record(type: "message", action: "displayed" | "clicked" | "dismissed", message: Message): Receipt;
  record(
    type: "microsurvey",
    action: "shown" | "privacy_notice_tapped" | "dismiss_button_tapped",
    message: Message,
  ): Receipt;
  /** Answers a microsurvey with the id of an option. */
  answer(message: Message, option: string): Receipt;
  questionnaire(slug: string, options?: FormOptions): Promise<FoundForm>;
  survey(slug: string, options?: FormOptions): Promise<FoundForm>;
  /** Starts a run of a flow, or continues the open one. It needs the network. */
  flow(slug: string, options?: ContentOptions & { context?: Record<string, unknown> }): Promise<FoundFlow>;
  /** Dismisses all questionnaires and surveys. */
  dismissAll(): Receipt;
  /** Gives or withdraws consent. A withdrawal deletes all that is stored, and what was not sent. */
  consent(isGiven: boolean): Promise<void>;
  /** Tries to send all that waits. Returns how much waits still. */
  flush(): Promise<number>;
  /** Ends the client. The next one sends what waits. */
  close(): Promise<void>;
}

/** Opens a client. It waits for the storage, and never for the network. */
export function open(options: Options): Promise<Client>;

/** A storage that ends with the program. */
export function memory(): Storage;
