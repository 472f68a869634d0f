// The app that javascript_test.py starts and kills. It prints a line for each thing that the client has stored.
// usage: node app.mjs BASE APP FOLDER TASK [ARGUMENT]
import process from "node:process";
import { createInterface } from "node:readline";
import { open } from "@bellwether/client";
import { files } from "@bellwether/client/files";

const [base, app, folder, task, argument] = process.argv.slice(2);
const say = (/** @type {unknown} */ line) => process.stdout.write(`${line}\n`);

// A wrong clock, in seconds.
const offset = Number(process.env.CLOCK_OFFSET ?? 0) * 1000;
if (offset !== 0) {
  const Real = Date;
  globalThis.Date = class extends Real {
    /** @param {any[]} values */
    constructor(...values) {
      super(...(values.length > 0 ? values : [Real.now() + offset]));
    }
    static now() {
      return Real.now() + offset;
    }
  };
}

/** Whether requests reach the daemon. */
let isOnline = process.env.NETWORK !== "none";
const client = await open({
  app,
  base,
  storage: files(folder),
  refresh: "manual",
  fetch: async (address, init) => {
    // An app without network waits for an answer that does not come; one whose disk is full is told at once.
    if (!isOnline && task === "append") await new Promise(() => {});
    if (!isOnline) throw new TypeError("offline");
    return fetch(address, init);
  },
});

/** @param {number} number @returns {Promise<boolean>} */
const append = (number) => client.track("made", { properties: { n: number } }).stored;

switch (task) {
  case "append": {
    // Appends until it is killed: an answer first, then events.
    const first = Number(argument);
    const { stored } = client.answer({ key: `mood${first / 1000}`, revision: 1, locale: "en" }, "0");
    say(`${await stored ? "answer" : "refused answer"} ${first / 1000}`);
    for (let number = first; number < first + 1000; number += 1) {
      say(`${await append(number) ? "event" : "refused event"} ${number}`);
    }
    break;
  }
  case "drain":
    // Ends when everything has been sent.
    while (await client.flush() > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    say("empty");
    break;
  case "refuse":
    // Appends where nothing can be stored, and sends when a line has come.
    isOnline = false;
    for (let number = 0; number < 20; number += 1) say(await append(number));
    for await (const _ of createInterface({ input: process.stdin })) break;
    isOnline = true;
    while (await client.flush() > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    say("empty");
    break;
  case "refresh":
    say(await client.refresh());
    break;
  case "start":
    say(JSON.stringify({ messages: client.messages("home"), age: client.age }));
    break;
}
await client.close();
process.exit(0);
