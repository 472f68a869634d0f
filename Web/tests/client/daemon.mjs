// Starts the real daemon for the tests of the client. BELLWETHER names the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const manifest = {
  app_name: "clients",
  default_locale: "en",
  surfaces: ["home", "microsurvey"],
  attributes: { plan: "string" },
};
const questions = [
  { id: "stars", type: "rating", title: "How is it?", scale: 5, required: true },
  { id: "why", type: "text", title: "Why?" },
];
const step = (/** @type {string} */ id, /** @type {object[]} */ fields) => ({
  id,
  type: "form",
  config: { title: id, fields },
});
const recipes = {
  news: { messages: { news: { surface: "home", text: "Hello", style: "NEWS" } }, styles: { NEWS: style(50) } },
  often: {
    messages: { often: { surface: "home", text: "Opened", style: "OFTEN", "trigger-if-all": ["OPENED"] } },
    triggers: { OPENED: "'opened'|eventSum('Years', 1, 0) >= 1" },
    styles: { OFTEN: style(90) },
  },
  pro: {
    messages: { pro: { surface: "home", text: "Pro", style: "PRO", "trigger-if-all": ["PRO"] } },
    triggers: { PRO: "plan == 'pro'" },
    styles: { PRO: style(99) },
  },
  mood: {
    messages: {
      mood: { surface: "microsurvey", text: "How?", microsurveyConfig: { options: ["Good", "Bad"] }, style: "MOOD" },
    },
    styles: { MOOD: style(50) },
  },
  feedback: { kind: "questionnaire", name: "Feedback", schema: { version: 1, questions } },
  again: { kind: "questionnaire", name: "Again", repeat: { days: 0 }, schema: { version: 1, questions } },
  habits: {
    kind: "survey",
    name: "Habits",
    questions: [{ id: "snack", question: "What?", question_type: "single_select", options: ["Fruit", "Bread"] }],
    submit: { button_title: "Send" },
  },
  welcome: {
    kind: "flow",
    name: "Welcome",
    steps: [
      step("first", [{ id: "name", type: "text", label: "Name", required: true, config: {} }]),
      step("second", [{ id: "age", type: "number", label: "Age", config: {} }]),
    ],
  },
};

/** A message that may be shown twice. @param {number} priority */
function style(priority) {
  return { priority, "max-display-count": 2 };
}

export class Daemon {
  /** @param {string} [settings] further lines of its file */
  static async start(settings = "") {
    const daemon = new Daemon();
    daemon.folder = mkdtempSync(join(tmpdir(), "bellwether-client-"));
    daemon.settings = settings;
    daemon.apps = 0;
    await daemon.run();
    return daemon;
  }

  /** Starts the program; again after `stop`, on the same port and data. */
  async run() {
    const config = join(this.folder, "bellwether.yaml");
    writeFileSync(config, `${this.settings}telemetry:\n  behavior: true\n`);
    const port = this.url ? new URL(this.url).port : "0";
    const data = join(this.folder, "data");
    const options = ["serve", "--dev", "--config", config, "--port", port, "--workers", "1", "--data", data];
    this.process = spawn(process.env.BELLWETHER ?? "", options, { stdio: ["ignore", "pipe", "ignore"] });
    const lines = createInterface({ input: this.process.stdout });
    const [line] = await once(lines, "line");
    assert.match(line, /^listening on /);
    this.url = line.split(" ").at(-1);
  }

  async stop() {
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    await ended;
  }

  async end() {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  /** A new app with all recipes. @returns {Promise<string>} its name */
  async app() {
    const app = `app${++this.apps}`;
    await this.call("PUT", `${app}/manifest`, manifest);
    for (const [slug, recipe] of Object.entries(recipes)) await this.call("PUT", `${app}/recipes/${slug}`, recipe);
    return app;
  }

  /** @param {string} method @param {string} path below `/v1/apps/` @param {unknown} [body] */
  async call(method, path, body) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${this.url}/v1/apps/${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  /** All records of an app, oldest first. @param {string} app */
  async telemetry(app) {
    const answer = await fetch(`${this.url}/v1/apps/${app}/telemetry?limit=10000`);
    return (await answer.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  /** How often a behaviour event is in the log. @param {string} app @param {string} name */
  async count(app, name) {
    const records = await this.telemetry(app);
    return records.filter((record) => record.category === "behavior" && record.name === name).length;
  }

  /** The responses to a recipe, newest first. @param {string} app @param {string} slug @param {string} [kind] */
  async responses(app, slug, kind = "questionnaires") {
    return (await this.call("GET", `${app}/${kind}/${slug}/responses`)).items;
  }
}

/** Waits until a condition holds; only a failure waits as long as the bound. @param {() => any} check */
export async function eventually(check) {
  for (let tries = 0; tries < 3000; tries += 1) {
    const value = await check();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`not within a minute: ${check}`);
}
