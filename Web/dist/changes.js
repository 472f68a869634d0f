import{a,b}from"./chunk2HAQD67N-2HAQD67N.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkC7HWRD45-C7HWRD45.js";export{b as changeLine,a as placeInWords};
