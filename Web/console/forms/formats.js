// The formats of the kinds of documents, as the daemon's schemas describe them. Each is loaded once.

import { get, path } from "../api.js";
import { schemaOf } from "../kinds.js";
import { Format } from "./schema.js";

/** @type {Map<string, Format>} */
const formats = new Map();

/** The format of a kind, if it is loaded. @param {string} kind */
export const formatOf = (kind) => formats.get(schemaOf(kind));

/** @param {string} kind @param {import("./schema.js").Schema} schema */
export const useSchema = (kind, schema) => void formats.set(schemaOf(kind), new Format(schema));

/** Loads the format of a kind. @param {string} kind @param {AbortSignal} signal */
export async function loadFormat(kind, signal) {
  if (!formatOf(kind)) useSchema(kind, await get(path("schemas", schemaOf(kind)), { signal }));
}
