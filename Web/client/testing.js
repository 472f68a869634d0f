// A client for the tests of apps: nothing is sent, and calls are recorded.
import { Client } from "./client.js";
import { memory } from "./posts.js";

/**
 * @param {{messages?: any[], answers?: {[path: string]: {status?: number, body?: any}}} & Partial<import("./client.js").ClientOptions>} [options]
 *   `messages`: those that a refresh receives; `answers`: to requests, by their path below the app
 */
export async function openTest({ messages = [], answers = {}, ...options } = {}) {
  /** What the client has recorded, in order. @type {{path: string, body: any}[]} */
  const calls = [];
  const root = "http://daemon.test/v1/apps/test/";
  const client = new Client({
    app: "test",
    base: "http://daemon.test",
    storage: memory(),
    ...options,
    beforeSend(post) {
      const body = options.beforeSend ? options.beforeSend(post) : post.body;
      if (body) calls.push({ path: post.path, body });
      return body;
    },
    fetch: async (address) => {
      const path = String(address).slice(root.length).split("?")[0];
      const polled = path === "messages" ? { body: { messages, next_poll_seconds: 300 } } : {};
      const { status = 200, body = {} } = answers[path] ?? polled;
      return new Response(JSON.stringify(body), { status });
    },
  });
  await client.start();
  return { client, calls };
}
