import{a,b}from"./chunkK4KEPEIC-K4KEPEIC.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunkJCYXLQP2-JCYXLQP2.js";export{b as changeLine,a as placeInWords};
