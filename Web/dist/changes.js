import{a,b}from"./chunkFAISFG54-FAISFG54.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkX5LS6TC4-X5LS6TC4.js";export{b as changeLine,a as placeInWords};
