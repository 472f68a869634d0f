import{a,b}from"./chunkBIWSVKCG-BIWSVKCG.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkH263CF2P-H263CF2P.js";export{b as changeLine,a as placeInWords};
