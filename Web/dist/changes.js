import{a,b}from"./chunkWLPJGNQM-WLPJGNQM.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkXCA7QTUF-XCA7QTUF.js";export{b as changeLine,a as placeInWords};
