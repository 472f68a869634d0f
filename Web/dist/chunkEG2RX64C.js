import{a,b}from"./chunkC6IAIXFS-C6IAIXFS.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunkURS3B3FQ-URS3B3FQ.js";export{b as changeLine,a as placeInWords};
