// Tests the client of apps against the real daemon, in Node and in Deno.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { files } from "../../client/files.js";
import { memory, open } from "../../client/index.js";
import { openTest } from "../../client/testing.js";
import { Daemon, eventually } from "./daemon.mjs";

/** @type {Daemon} */
let daemon;
before(async () => daemon = await Daemon.start());
after(() => daemon.end());

/** An address at which nothing listens. */
const nowhere = "http://127.0.0.1:1";
const offline = async () => {
  throw new TypeError("offline");
};

/** @param {string} app @param {object} [options] */
const opened = (app, options) => open({ app, base: daemon.url, storage: memory(), refresh: "manual", ...options });

/** A storage that refuses every call. */
const refusing = () => {
  const refuse = async () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  return { getItem: refuse, setItem: refuse, removeItem: refuse, getAllKeys: refuse };
};

/** Runs work while the clock of this program is wrong. @param {number} milliseconds @param {() => any} work */
async function withClock(milliseconds, work) {
  const Real = Date;
  globalThis.Date = class extends Real {
    /** @param {any[]} values */
    constructor(...values) {
      super(...(values.length > 0 ? values : [Real.now() + milliseconds]));
    }
    static now() {
      return Real.now() + milliseconds;
    }
  };
  try {
    return await work();
  } finally {
    globalThis.Date = Real;
  }
}

test("a message is there after the start, and is shown as often as its cap says", async () => {
  const client = await opened(await daemon.app(), { refresh: undefined });
  await client.refresh();
  const [message] = client.messages("home");
  assert.equal(message.text, "Hello");
  assert.deepEqual(client.messages("microsurvey").map(({ key }) => key), ["mood"]);
  client.record("message", "displayed", message);
  client.record("message", "displayed", message);
  assert.equal(await client.flush(), 0);
  await client.refresh();
  assert.deepEqual(client.messages("home"), []);
  await client.close();
});

test("an app that starts without network has the messages of the last good answer, and their age", async () => {
  const app = await daemon.app();
  const storage = memory();
  const first = await opened(app, { storage });
  assert.equal(await first.refresh(), true);
  const told = first.snapshot;
  await first.close();
  const second = await opened(app, { storage, base: nowhere });
  assert.deepEqual(second.snapshot, told);
  assert.equal(second.messages("home")[0].text, "Hello");
  assert.ok(second.age !== null && second.age >= 0);
  assert.equal(await second.refresh(), false);
  assert.equal(second.messages("home")[0].text, "Hello");
  assert.equal(await withClock(-86_400_000, () => second.age), 0);
  // Another client does not see them.
  second.reset();
  assert.deepEqual(second.messages(), []);
  await second.close();
});

test("a start without network shows no message beyond its cap", async () => {
  const storage = memory();
  const app = await daemon.app();
  const client = await opened(app, { storage });
  await client.refresh();
  client.record("message", "displayed", client.messages("home")[0]);
  await client.close();
  const again = await opened(app, { storage, base: nowhere });
  assert.equal(again.messages("home")[0].display_count, 1);
  again.record("message", "displayed", again.messages("home")[0]);
  await again.close();
  const last = await opened(app, { storage, base: nowhere });
  assert.deepEqual(last.messages("home"), []);
  await last.close();
});

test("a snapshot is replaced as a whole and never changes", async () => {
  const app = await daemon.app();
  const client = await opened(app);
  let changes = 0;
  const stop = client.onChange(() => changes += 1);
  await client.refresh();
  const { snapshot } = client;
  assert.throws(() => Reflect.get(snapshot, "messages").push({}), TypeError);
  assert.throws(() => Object.assign(snapshot.messages[0], { text: "" }), TypeError);
  await client.refresh();
  assert.notEqual(client.snapshot, snapshot);
  assert.equal(changes, 2);
  stop();
  await client.refresh();
  assert.equal(changes, 2);
  await client.close();
});

test("one request for messages is under way at a time", async () => {
  const app = await daemon.app();
  let [running, most, count] = [0, 0, 0];
  const counted = async (/** @type {any} */ address, /** @type {any} */ init) => {
    if (!String(address).endsWith("/messages")) return fetch(address, init);
    count += 1;
    most = Math.max(most, ++running);
    try {
      return await fetch(address, init);
    } finally {
      running -= 1;
    }
  };
  const client = await opened(app, { fetch: counted });
  const first = client.refresh();
  await eventually(() => running === 1 || count === 1);
  await Promise.all([first, ...Array.from({ length: 50 }, () => client.refresh())]);
  assert.equal(most, 1);
  assert.equal(count, 2);
  await client.close();
});

test("an event triggers the message of the next refresh, and its properties are stored", async () => {
  const app = await daemon.app();
  const client = await opened(app);
  client.track("opened", { count: 2 });
  await client.refresh();
  assert.equal(client.messages("home")[0].text, "Opened");
  assert.equal(await client.flush(), 0);
  const records = await daemon.telemetry(app);
  assert.deepEqual(records.filter(({ name }) => name === "opened").map(({ extra }) => extra.count), [2]);
  await client.close();
});

test("attributes choose the message", async () => {
  const client = await opened(await daemon.app());
  client.setAttributes({ plan: "pro" });
  await client.refresh();
  assert.equal(client.messages("home")[0].text, "Pro");
  await client.close();
});

test("identify twice is one request, another user is another client, and answers are the user's", async () => {
  const app = await daemon.app();
  /** @type {string[]} */
  const asked = [];
  const listening = (/** @type {any} */ address, /** @type {any} */ init) => {
    asked.push(String(address).split("/").at(-1) ?? "");
    return fetch(address, init);
  };
  const client = await opened(app, { fetch: listening });
  assert.equal(client.userId, undefined);
  const { clientId } = client;
  assert.equal(await client.identify("ann"), true);
  assert.equal(await client.identify("ann"), true);
  assert.equal(client.userId, "ann");
  assert.equal(client.clientId, clientId);
  assert.equal(asked.filter((path) => path === "identify").length, 1);
  const submit = async () => {
    const { form } = await client.questionnaire("feedback");
    assert.ok(form);
    form.answers.stars = 5;
    return form.submit();
  };
  await submit();
  // Neither waits for the other: the answer is the user's in the order of the calls.
  client.identify("ben");
  assert.equal(client.userId, "ben");
  assert.notEqual(client.clientId, clientId);
  await submit();
  const responses = await daemon.responses(app, "feedback");
  assert.deepEqual(responses.map((/** @type {any} */ one) => one.user_id).sort(), ["ann", "ben"]);
  client.reset();
  assert.equal(client.userId, undefined);
  await client.close();
});

test("a user whom the daemon refuses is nobody", async () => {
  const client = await opened(await daemon.app());
  assert.equal(await client.identify("x".repeat(200)), false);
  assert.equal(client.userId, undefined);
  await client.close();
});

test("what is identified and answered without network is the user's later", async () => {
  const app = await daemon.app();
  const storage = memory();
  const client = await opened(app, { storage, fetch: offline });
  assert.equal(await client.identify("ann"), false);
  assert.equal(client.userId, "ann");
  client.track("offline");
  assert.equal((await client.answer({ key: "mood", revision: 1, locale: "en" }, "0").outcome).state, "queued");
  const anns = client.clientId;
  client.identify("ben");
  assert.equal((await client.answer({ key: "mood", revision: 1, locale: "en" }, "1").outcome).state, "queued");
  assert.equal(await client.flush(), 5);
  await client.close();
  const later = await opened(app, { storage });
  await eventually(async () => await later.flush() === 0);
  assert.equal(later.userId, "ben");
  assert.equal(await daemon.count(app, "offline"), 1);
  for (const [user, id] of [["ann", anns], ["ben", later.clientId]]) {
    const copy = JSON.stringify(await daemon.call("GET", `${app}/users/${user}/export`));
    assert.ok(copy.includes(id), copy);
  }
  await later.close();
});

test("a draft is resumed on another device of the user, and the submission has a receipt", async () => {
  const app = await daemon.app();
  const phone = await opened(app);
  await phone.identify("ann");
  const begun = (await phone.questionnaire("feedback")).form;
  assert.ok(begun);
  begun.answers.why = "Because";
  await begun.draft();
  const tablet = await opened(app);
  await tablet.identify("ann");
  const { form } = await tablet.questionnaire("feedback");
  assert.ok(form);
  assert.deepEqual(form.answers, { why: "Because" });
  const refused = await form.submit();
  assert.ok(refused.state === "answered" && refused.status === 422);
  assert.equal(refused.body.errors[0].question_id, "stars");
  form.answers.stars = 4;
  const outcome = await form.submit();
  assert.ok(outcome.state === "answered" && outcome.status === 200);
  assert.equal(outcome.body.was_submitted, true);
  const [response] = await daemon.responses(app, "feedback");
  assert.deepEqual(response.answers, { stars: 4, why: "Because" });
  assert.deepEqual(await tablet.questionnaire("feedback"), { form: null, reason: "already_responded" });
  await phone.close();
  await tablet.close();
});

test("a draft that was not sent is there after a restart, and a complete answer closes its form", async () => {
  const app = await daemon.app();
  const storage = memory();
  const first = await opened(app, { storage });
  await first.questionnaire("feedback");
  await first.close();
  const second = await opened(app, { storage, base: nowhere });
  const found = await second.questionnaire("feedback");
  assert.ok(found.form && found.form.at > 0);
  found.form.answers.stars = 3;
  assert.equal((await found.form.draft()).state, "queued");
  await second.close();
  const third = await opened(app, { storage, base: nowhere });
  const { form } = await third.questionnaire("feedback");
  assert.ok(form);
  assert.deepEqual(form.answers, { stars: 3 });
  assert.equal((await form.submit()).state, "queued");
  assert.equal((await third.questionnaire("feedback")).form, null);
  await third.close();
  const last = await opened(app, { storage });
  await eventually(async () => await last.flush() === 0);
  assert.deepEqual((await daemon.responses(app, "feedback")).map(({ status, answers }) => [status, answers]), [[
    "new",
    { stars: 3 },
  ]]);
  await last.close();
});

test("a recipe that asks again is open in the next round", async () => {
  const app = await daemon.app();
  const client = await opened(app);
  for (const stars of [1, 2]) {
    const { form } = await client.questionnaire("again");
    assert.ok(form);
    assert.deepEqual(form.answers, {});
    form.answers.stars = stars;
    await form.submit();
  }
  assert.equal((await daemon.responses(app, "again")).length, 2);
  await client.close();
});

test("surveys, and what is not there or not reachable", async () => {
  const app = await daemon.app();
  const client = await opened(app);
  const { form } = await client.survey("habits");
  assert.ok(form);
  assert.equal(form.definition.questions[0].id, "snack");
  form.answers.snack = "Fruit";
  assert.equal((await form.submit()).state, "answered");
  assert.equal((await daemon.responses(app, "habits", "surveys")).length, 1);
  assert.deepEqual(await client.survey("missing"), { form: null, reason: "not_found" });
  const away = await opened(app, { base: nowhere });
  assert.deepEqual(await away.survey("habits"), { form: null, reason: "unreachable" });
  assert.deepEqual(await away.flow("welcome"), { flow: null, reason: "unreachable" });
  await client.close();
  await away.close();
});

test("a flow goes from step to step, says its faults, and waits without network", async () => {
  const app = await daemon.app();
  let isOnline = true;
  const changing = (/** @type {any} */ address, /** @type {any} */ init) => isOnline ? fetch(address, init) : offline();
  const client = await opened(app, { fetch: changing });
  const { flow } = await client.flow("welcome");
  assert.ok(flow);
  assert.equal(flow.run.step_id, "first");
  const refused = await flow.advance("next", {});
  assert.ok(refused.state === "answered" && refused.status === 422);
  isOnline = false;
  assert.equal((await flow.advance("next", { name: "Ann" })).state, "queued");
  assert.equal(flow.run.step_id, "first");
  assert.deepEqual((await flow.waiting()).response, { name: "Ann" });
  isOnline = true;
  await eventually(async () => await client.flush() === 0);
  await flow.reload();
  assert.equal(flow.run.step_id, "second");
  await flow.advance("next", { age: 30 });
  assert.equal(flow.run.status, "completed");
  const runs = (await daemon.call("GET", `${app}/flows/welcome/runs`)).items;
  assert.equal(runs.length, 1);
  await client.close();
});

test("a microsurvey is answered once, and is gone at once", async () => {
  const app = await daemon.app();
  const client = await opened(app);
  await client.refresh();
  const [mood] = client.messages("microsurvey");
  const { outcome } = client.answer(mood, mood.microsurvey.options[0].id);
  assert.deepEqual(client.messages("microsurvey"), []);
  const answered = await outcome;
  assert.ok(answered.state === "answered" && answered.status === 201);
  const again = await client.answer(mood, "1").outcome;
  assert.ok(again.state === "answered" && again.status === 409);
  const records = await daemon.telemetry(app);
  assert.equal(records.filter(({ name }) => name === "submit_button_tapped").length, 1);
  await client.close();
});

test("nothing is read, stored or sent before consent, and a withdrawal deletes everything", async () => {
  const app = await daemon.app();
  let calls = 0;
  const inner = memory();
  const storage = new Proxy(inner, {
    get(target, name) {
      calls += 1;
      return Reflect.get(target, name);
    },
  });
  const asking = (/** @type {any} */ address, /** @type {any} */ init) => {
    calls += 1;
    return fetch(address, init);
  };
  const client = await opened(app, { storage, fetch: asking, consent: "required", refresh: undefined });
  assert.equal((await client.track("early").outcome).state, "dropped");
  assert.equal(await client.identify("ann"), undefined);
  assert.deepEqual(await client.questionnaire("feedback"), { form: null, reason: "consent" });
  await client.refresh();
  assert.equal(calls, 0);
  await client.consent(true);
  client.track("allowed");
  await client.refresh();
  assert.equal(await client.flush(), 0);
  assert.equal(await daemon.count(app, "allowed"), 1);
  assert.equal(await daemon.count(app, "early"), 0);
  assert.ok((await inner.getAllKeys()).length > 0);
  await client.consent(false);
  assert.deepEqual(await inner.getAllKeys(), []);
  assert.deepEqual(client.messages(), []);
  assert.equal((await client.track("late").outcome).state, "dropped");
  await client.close();
});

test("beforeSend changes or drops what is recorded, and its fault drops it", async (context) => {
  const app = await daemon.app();
  const told = context.mock?.method(console, "error", () => {});
  const client = await opened(app, {
    beforeSend({ path, body }) {
      const [event] = body.events ?? [];
      if (event?.name === "secret") return null;
      if (event?.name === "broken") throw new Error("a fault of the app");
      return path === "events" ? { ...body, events: [{ ...event, name: `app_${event.name}` }] } : body;
    },
  });
  assert.equal((await client.track("secret").outcome).state, "dropped");
  assert.equal((await client.track("broken").outcome).state, "dropped");
  assert.equal((await client.track("opened").outcome).state, "answered");
  const behavior = (await daemon.telemetry(app)).filter(({ category }) => category === "behavior");
  assert.deepEqual(behavior.map(({ name }) => name), ["app_opened"]);
  assert.equal(told?.mock.callCount() ?? 1, 1);
  await client.close();
});

test("calls of the app return at once, whatever the network does, and never throw", async () => {
  const app = await daemon.app();
  /** @type {(value: any) => void} */
  let answer = () => {};
  const held = new Promise((resolve) => answer = resolve);
  const hanging = async (/** @type {any} */ address, /** @type {any} */ init) => {
    await held;
    return fetch(address, init);
  };
  const client = await opened(app, { fetch: hanging, refresh: undefined });
  const receipts = [client.track("opened"), client.answer({ key: "mood", revision: 1, locale: "en" }, "0")];
  client.identify("ann");
  assert.equal(client.userId, "ann");
  assert.deepEqual(client.messages("home"), []);
  assert.deepEqual(await Promise.all(receipts.map(({ stored }) => stored)), [true, true]);
  answer(undefined);
  const outcomes = await Promise.all(receipts.map(({ outcome }) => outcome));
  assert.deepEqual(outcomes.map(({ state }) => state), ["answered", "answered"]);
  await client.close();
});

test("a storage that refuses loses nothing while the program runs", async () => {
  const app = await daemon.app();
  let isOnline = false;
  const changing = (/** @type {any} */ address, /** @type {any} */ init) => isOnline ? fetch(address, init) : offline();
  const client = await opened(app, { storage: refusing(), fetch: changing });
  const receipts = Array.from({ length: 20 }, () => client.track("kept"));
  const { form } = await client.questionnaire("feedback");
  assert.equal(form, null);
  assert.deepEqual(new Set(await Promise.all(receipts.map(({ stored }) => stored))), new Set([false]));
  for (const { outcome } of receipts) assert.equal((await outcome).state, "queued");
  isOnline = true;
  await eventually(async () => await client.flush() === 0);
  assert.equal(await daemon.count(app, "kept"), 20);
  assert.equal(await client.refresh(), true);
  await client.close();
});

test("behaviour events are dropped first, oldest first, and answers never", async () => {
  const app = await daemon.app();
  const client = await opened(app, { fetch: offline });
  client.answer({ key: "mood", revision: 1, locale: "en" }, "0");
  client.record("message", "displayed", { key: "news" });
  for (let number = 0; number < 2000; number += 1) await client.track(`event${number}`).stored;
  const posts = await eventually(async () => {
    const waiting = await client.queue?.store.all();
    return waiting && waiting.length <= 1000 ? waiting : undefined;
  });
  assert.ok(posts.length >= 950, String(posts.length));
  assert.deepEqual(posts.filter((post) => post.path === "responses").length, 1);
  const events = posts.filter((post) => post.path === "events").map((post) => post.body.events[0]);
  assert.equal(events.filter(({ type }) => type === "message").length, 1);
  assert.equal(events.at(-1).name, "event1999");
  assert.ok(!events.some(({ name }) => name === "event0"));
  await client.close();
});

test("an event counts once, whatever the clock says when it is made and when it is sent", async () => {
  const day = 86_400_000;
  for (const [made, sent] of [[0, -day], [day, 0], [400 * day, 400 * day], [-20_000 * day, 0], [0, -400 * day]]) {
    const app = await daemon.app();
    const storage = memory();
    await withClock(made, async () => {
      const client = await opened(app, { storage, fetch: offline });
      await client.track("once").outcome;
      await client.answer({ key: "mood", revision: 1, locale: "en" }, "0").outcome;
      await client.close();
    });
    await withClock(sent, async () => {
      const client = await opened(app, { storage });
      await eventually(async () => await client.flush() === 0);
      await client.track("later").outcome;
      await client.close();
    });
    const counts = [await daemon.count(app, "once"), await daemon.count(app, "later")];
    assert.deepEqual(counts, [1, 1], `${made / day} ${sent / day}`);
    const records = await daemon.telemetry(app);
    assert.equal(records.filter(({ name }) => name === "submit_button_tapped").length, 1);
  }
});

test("a hundred attempts over connections that die after the request leave one event and one answer", async () => {
  const app = await daemon.app();
  let attempts = 0;
  const dying = async (/** @type {any} */ address, /** @type {any} */ init) => {
    await fetch(address, init);
    attempts += 1;
    throw new TypeError("the connection is lost");
  };
  const storage = memory();
  const client = await opened(app, { storage, fetch: dying });
  client.track("once");
  client.answer({ key: "mood", revision: 1, locale: "en" }, "0");
  const form = client.questionnaire("feedback");
  await eventually(async () => await client.flush() === 2 && attempts >= 100);
  assert.equal((await form).form, null);
  await client.close();
  const later = await opened(app, { storage });
  await eventually(async () => await later.flush() === 0);
  assert.equal(await daemon.count(app, "once"), 1);
  const records = await daemon.telemetry(app);
  assert.equal(records.filter(({ name }) => name === "submit_button_tapped").length, 1);
  await later.close();
});

test("the order of posts does not follow a clock that was set back", async () => {
  const storage = memory();
  const app = await daemon.app();
  const client = await opened(app, { storage, fetch: offline });
  await client.track("first").outcome;
  await client.close();
  await withClock(-3_600_000, async () => {
    const again = await opened(app, { storage, fetch: offline });
    await again.track("second").outcome;
    const posts = await again.queue?.store.all();
    assert.deepEqual(posts?.map((post) => post.body.events[0].name), ["first", "second"]);
    await again.close();
  });
});

test("a post stays until a 2xx or a final 4xx", async () => {
  /** The statuses of the next responses. */
  const statuses = [503, 429, 500, 408];
  let last = 200;
  const server = createServer((_, response) => {
    response.writeHead(statuses.shift() ?? last, { "Content-Type": "application/json" });
    response.end("{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  try {
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    for (last of [200, 403]) {
      statuses.splice(0, 9, 503, 429, 500, 408);
      const client = await opened("any", { base });
      assert.equal((await client.track("x").outcome).state, "queued");
      for (const waiting of [1, 1, 1, 0]) assert.equal(await client.flush(), waiting);
      assert.equal(statuses.length, 0);
      await client.close();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("two clients on one folder send each event once, and a value that a kill has cut off is none", async () => {
  const app = await daemon.app();
  const folder = mkdtempSync(join(tmpdir(), "bellwether-files-"));
  try {
    const pair = [await opened(app, { storage: files(folder) }), await opened(app, { storage: files(folder) })];
    await Promise.all(
      pair.map(async (client) => {
        for (let number = 0; number < 50; number += 1) client.track("both");
        await eventually(async () => await client.flush() === 0);
      }),
    );
    assert.equal(await daemon.count(app, "both"), 100);
    for (const client of pair) await client.close();
    writeFileSync(join(folder, "0123.part"), "{");
    writeFileSync(join(folder, `bellwether.${app}.post.x.value`), '{"id":');
    const client = await opened(app, { storage: files(folder) });
    client.track("after");
    assert.equal(await client.flush(), 0);
    assert.equal(await daemon.count(app, "after"), 1);
    assert.ok(readdirSync(folder).length > 0);
    await client.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a part that another process writes stays, whatever the clock says, and one that was left behind goes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bellwether-files-"));
  try {
    const [written, left] = ["written.part", "left.part"].map((name) => join(folder, name));
    writeFileSync(left, "{");
    utimesSync(left, 1_000_000_000, 1_000_000_000);
    writeFileSync(written, "{");
    await withClock(400 * 86_400_000, () => files(folder).getAllKeys());
    assert.ok(existsSync(written));
    assert.ok(!existsSync(left));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a test client sends nothing and records calls", async () => {
  const message = { key: "m", surface: "home", display_count: 0, max_display_count: null };
  const { client, calls } = await openTest({ messages: [message] });
  await client.refresh();
  assert.equal(client.messages("home")[0].key, "m");
  client.track("opened", { properties: { plan: "pro" } });
  client.record("message", "dismissed", message);
  assert.deepEqual(client.messages("home"), []);
  assert.deepEqual(calls.map(({ path, body }) => [path, body.events[0].name ?? body.events[0].action]), [
    ["events", "opened"],
    ["events", "dismissed"],
  ]);
  assert.deepEqual(calls[0].body.events[0].properties, { plan: "pro" });
  await client.close();
});
