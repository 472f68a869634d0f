import{a,b}from"./chunkPBC77G7F-PBC77G7F.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkZ6EQVSAW-Z6EQVSAW.js";export{b as changeLine,a as placeInWords};
