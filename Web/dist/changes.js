import{a,b}from"./chunkJKOUS4XU-JKOUS4XU.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkJKHLYMEH-JKHLYMEH.js";export{b as changeLine,a as placeInWords};
