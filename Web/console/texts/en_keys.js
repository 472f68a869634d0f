// The names and sentences of the keys of formats. In English they come from the schema (docs/reference/schemas.md).
// Other languages have `says.TEXT` for a text of the schema, and `word.WORD` for a word of a choice.

export default {};
