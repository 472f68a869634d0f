import{a,b}from"./chunkBR3LQUOB-BR3LQUOB.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunkXC6ONOMY-XC6ONOMY.js";export{b as changeLine,a as placeInWords};
