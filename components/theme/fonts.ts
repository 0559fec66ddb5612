import localFont from "next/font/local";

/**
 * Inter, from its npm package. Next serves the file, and sizes the fallback like it, so that nothing moves when it
 * comes.
 */
const latin = localFont({
  src: "../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-latin",
});

/** Further letters of European languages, which are fetched only where a page has one. */
const latinExt = localFont({
  src: "../../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
  variable: "--font-latin-ext",
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0100-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20CF,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
});

/** The class of the page's root, which defines the variables that the theme names. */
export const fontVariables = `${latin.variable} ${latinExt.variable}`;
