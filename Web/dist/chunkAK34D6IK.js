import{a,b}from"./chunkC42BH5ND-C42BH5ND.js";import"./chunkLKRCVGOX-LKRCVGOX.js";import"./chunk7YD7UB2X-7YD7UB2X.js";export{b as changeLine,a as placeInWords};
