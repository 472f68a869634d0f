import{a,b}from"./chunkVEOFYEJC-VEOFYEJC.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunk5SCSDBJA-5SCSDBJA.js";export{b as changeLine,a as placeInWords};
