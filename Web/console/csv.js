// CSV (RFC 4180) in the daemon's format: an apostrophe precedes a text that a spreadsheet would run as a formula.

/** The byte order mark, by which spreadsheets know UTF-8. */
export const mark = "\ufeff";

/** @param {(string | number | null | undefined)[]} fields numbers stay unchanged, and null is empty */
export const line = (fields) => fields.map(field).join(",") + "\r\n";

/** @param {string | number | null | undefined} value */
function field(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet skips a tab or a line break before the sign.
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {API.ResponseItem} item */
const questionOf = (item) => item.step_id ? `${item.step_id}/${item.id}` : item.id;

/** Responses with their notes: a header, then one line per response. @param {API.ResponseItem[]} items @returns {string[]} */
export function responseLines(items) {
  const questions = [...new Set(items.flatMap(({ texts }) => texts.map(questionOf)))];
  const attributes = [...new Set(items.flatMap((item) => Object.keys({ ...item.attribution, ...item.attributes })))];
  const plain = [
    "id",
    "status",
    "created_at",
    "submitted_at",
    "client_id",
    "user_id",
    "revision",
    "message",
    "experiment",
    "branch",
    "is_dev",
    ...(items.some(({ round }) => round) ? ["round"] : []),
  ];
  const rows = items.map((item) => {
    const answers = new Map(item.texts.map((text) => [questionOf(text), text.answer]));
    const kept = { ...item.attribution, ...item.attributes };
    return line([
      ...plain.map((name) => typeof item[name] === "boolean" ? String(item[name]) : item[name]),
      ...attributes.map((name) => typeof kept[name] === "boolean" ? String(kept[name]) : kept[name]),
      ...questions.map((id) => answers.get(id)),
      (item.comments ?? []).map((note) => `${note.author}, ${note.created_at}: ${note.body}`).join(
        "\n",
      ),
    ]);
  });
  return [line([...plain, ...attributes.map((name) => `attribute.${name}`), ...questions, "notes"]), ...rows];
}

/** Downloads a file. @param {string} name @param {BlobPart[]} parts @param {string} type */
export function download(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
