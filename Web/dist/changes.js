import{a,b}from"./chunkDJACMAJZ-DJACMAJZ.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkI3FJ4IBE-I3FJ4IBE.js";export{b as changeLine,a as placeInWords};
