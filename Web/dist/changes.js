import{a,b}from"./chunkYQDEMUJD-YQDEMUJD.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkE34TZ7CD-E34TZ7CD.js";export{b as changeLine,a as placeInWords};
