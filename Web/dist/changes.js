import{a,b}from"./chunkFAHRHYN7-FAHRHYN7.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkHYBDZEGM-HYBDZEGM.js";export{b as changeLine,a as placeInWords};
