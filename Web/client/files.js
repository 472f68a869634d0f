// A storage in a folder, for Node and Deno: each value is a file, which is replaced as a whole.
import { randomUUID, webcrypto } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

// Node 18 has no global `crypto`.
globalThis.crypto ??= /** @type {Crypto} */ (webcrypto);

const nameOf = (/** @type {string} */ key) => `${encodeURIComponent(key)}.value`;

/** The age in milliseconds of a part that its process has left behind. */
const leftBehind = 86_400_000;

/** @param {unknown} error */
const isMissing = (error) => /** @type {{code?: string}} */ (error).code === "ENOENT";

/**
 * A storage in a folder, which is made if it is missing. Several processes may use it.
 * @param {string} folder
 * @returns {import("./posts.js").Storage}
 */
export function files(folder) {
  return {
    async getItem(key) {
      try {
        return await readFile(join(folder, nameOf(key)), "utf8");
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async setItem(key, value) {
      await mkdir(folder, { recursive: true });
      // A process that is killed leaves the earlier value, or the new one, never a part.
      const part = join(folder, `${randomUUID()}.part`);
      try {
        const file = await open(part, "wx", 0o600);
        try {
          await file.writeFile(value);
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(part, join(folder, nameOf(key)));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async removeItem(key) {
      await rm(join(folder, nameOf(key)), { force: true });
    },
    async getAllKeys() {
      try {
        const names = await readdir(folder);
        // Both times are the file system's: another process may write a part now, whatever this one's clock says.
        const now = (await stat(folder)).mtimeMs;
        for (const part of names.filter((name) => name.endsWith(".part"))) {
          const { mtimeMs } = await stat(join(folder, part)).catch(() => ({ mtimeMs: now }));
          if (now - mtimeMs > leftBehind) await rm(join(folder, part), { force: true });
        }
        return names.filter((name) => name.endsWith(".value")).map((name) => decodeURIComponent(name.slice(0, -6)));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
  };
}
