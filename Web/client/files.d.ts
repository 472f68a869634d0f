import type { Storage } from "./index.d.ts";

/** A storage in a folder, for Node and Deno. Several processes may use it. */
export function files(folder: string): Storage;
