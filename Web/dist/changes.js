import{a,b}from"./chunkK3APNUJS-K3APNUJS.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkEEZUGACP-EEZUGACP.js";export{b as changeLine,a as placeInWords};
