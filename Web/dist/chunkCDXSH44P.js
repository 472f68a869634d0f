import{a,b}from"./chunkIMAH54BT-IMAH54BT.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunkT67TEXPI-T67TEXPI.js";export{b as changeLine,a as placeInWords};
