import{a,b}from"./chunkJSXPTM53-JSXPTM53.js";import"./chunkX32MU3R4-X32MU3R4.js";import"./chunkRMPDV43T-RMPDV43T.js";export{b as changeLine,a as placeInWords};
