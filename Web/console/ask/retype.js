// A question of another type: its options stand under the key and in the format of that type.

/** @param {any} option */
const titleOf = (option) => typeof option === "string" ? option : String(option?.title ?? "");

/**
 * The question with its options under the key and in the format of the new type.
 * @param {any} question
 * @param {string} type
 */
export function converted(question, type) {
  const { options, values } = question;
  if (type === "segment_select" && Array.isArray(options) && values === undefined) {
    const { options: _, ...others } = question;
    return { ...others, values: options.map(titleOf) };
  }
  const wantsOptions = ["single_select", "multi_select", "table_select"].includes(type);
  if (wantsOptions && Array.isArray(values) && options === undefined) {
    const { values: _, ...others } = question;
    return { ...others, options: values };
  }
  return type === "table_select" && Array.isArray(options) ? { ...question, options: options.map(titleOf) } : question;
}
