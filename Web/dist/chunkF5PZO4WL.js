import{a,b}from"./chunkF2XMRSZQ-F2XMRSZQ.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunkFFQYI4YY-FFQYI4YY.js";export{b as changeLine,a as placeInWords};
