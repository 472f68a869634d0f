// CSV (RFC 4180) as the daemon writes it: a text that a spreadsheet would run as a formula has an apostrophe in front.

/** @param {(string | number | null | undefined)[]} fields numbers stand as they are, nothing for null */
export const line = (fields) => fields.map(field).join(",") + "\r\n";

/** @param {string | number | null | undefined} value */
function field(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet skips a tab or a line break in front of the sign.
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Gives a file to whoever asked for it. @param {string} name @param {BlobPart[]} parts @param {string} type */
export function download(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
