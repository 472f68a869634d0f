const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The characters of a text as people count them: grapheme clusters. @param {string} text */
export const characters = (text) => Array.from(clusters.segment(text), ({ segment }) => segment);
