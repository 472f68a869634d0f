import type { Client, Message, Options, Post } from "./index.d.ts";

export interface TestOptions extends Partial<Options> {
  /** The messages that a refresh receives. */
  messages?: Partial<Message>[];
  /** Answers to other requests, by their path below the app, such as `surveys/habits`. */
  answers?: Record<string, { status?: number; body?: unknown }>;
}

/** Opens a client that sends nothing. `calls` has what it has recorded, in order. */
export function openTest(options?: TestOptions): Promise<{ client: Client; calls: Post[] }>;
