import{a,b}from"./chunkUY6MSJCW-UY6MSJCW.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkZ5JICYKU-Z5JICYKU.js";export{b as changeLine,a as placeInWords};
