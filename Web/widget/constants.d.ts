/** The address of the renderer's file, relative to the loader's; put in by Scripts/web-bundle. */
declare const RENDERER: string;
