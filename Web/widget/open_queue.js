// The queue of a page, which a preview does not have.
import { IndexedPosts } from "../client/browser.js";
import { Queue } from "../client/queue.js";

/** @param {import("./client.js").Bellwether} client @param {string} name of the database */
export const openQueue = (client, name) => new Queue(client, new IndexedPosts(name), name);
