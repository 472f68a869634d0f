// `bellwether.mjs`: the entry for pages with their own modules (docs/web.md#the-module).
import { Bellwether } from "./client.js";
import { openQueue } from "./open_queue.js";
import { PageStream } from "./stream.js";

/** @type {string} */
const renderer = RENDERER;

/**
 * @param {import("./client.js").Options} options
 * @returns {Bellwether}
 */
export function create(options) {
  const bellwether = new Bellwether({
    base: new URL(".", import.meta.url).href,
    renderer: new URL(renderer, import.meta.url).href,
    openQueue,
    Stream: options.poll === "manual" ? undefined : PageStream,
    ...options,
  });
  bellwether.start();
  return bellwether;
}
