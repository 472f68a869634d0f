// The names and sentences of the keys of formats. In English they come from the schema (docs/reference/schemas.md).
// Other languages have `key.NAME` for a key, `says.SENTENCE` for a sentence, and `word.WORD` for a word of a choice.

export default {};
