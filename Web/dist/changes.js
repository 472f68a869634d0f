import{a,b}from"./chunk5JFMJQXN-5JFMJQXN.js";import"./chunkXGWADZSD-XGWADZSD.js";import"./chunk42QZTYHR-42QZTYHR.js";export{b as changeLine,a as placeInWords};
