import{a,b}from"./chunkHRL6ATGQ-HRL6ATGQ.js";import"./chunkX32MU3R4-X32MU3R4.js";import"./chunkFFQYI4YY-FFQYI4YY.js";export{b as changeLine,a as placeInWords};
