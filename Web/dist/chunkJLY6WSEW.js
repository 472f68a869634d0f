import{a,b}from"./chunk35HAQYQC-35HAQYQC.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunk2BDRZQDU-2BDRZQDU.js";export{b as changeLine,a as placeInWords};
