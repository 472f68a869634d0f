/** The address of the renderer's file, relative to the loader's; put in by Scripts/web-bundle. */
declare const RENDERER: string;
/** The files of the renderer's parts, beside the renderer's; put in by Scripts/web-bundle. */
declare const PARTS: { [name: string]: string };
