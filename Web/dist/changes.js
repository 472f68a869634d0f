import{a,b}from"./chunkO4SDM7VE-O4SDM7VE.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkULHVAPNH-ULHVAPNH.js";export{b as changeLine,a as placeInWords};
