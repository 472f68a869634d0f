import{a,b}from"./chunkDH7KDWKG-DH7KDWKG.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkCFOB6NDR-CFOB6NDR.js";export{b as changeLine,a as placeInWords};
