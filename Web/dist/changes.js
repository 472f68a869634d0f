import{a,b}from"./chunkGONTFVWQ-GONTFVWQ.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkLMVQ6KQK-LMVQ6KQK.js";export{b as changeLine,a as placeInWords};
