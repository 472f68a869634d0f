import{a,b}from"./chunk6MMPLJ2H-6MMPLJ2H.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkAEDDG2AL-AEDDG2AL.js";export{b as changeLine,a as placeInWords};
