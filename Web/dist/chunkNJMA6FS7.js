import{a,b}from"./chunkMFV6W4UM-MFV6W4UM.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunk7MYB3KWV-7MYB3KWV.js";export{b as changeLine,a as placeInWords};
