import{a,b}from"./chunkSMEQU3LV-SMEQU3LV.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkGKNNUMJH-GKNNUMJH.js";export{b as changeLine,a as placeInWords};
