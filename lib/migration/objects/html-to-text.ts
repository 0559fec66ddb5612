/** The names of U+00A0 to U+00FF in order (HTML Living Standard, "Named character references"). */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute " +
  "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring " +
  "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml " +
  "times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil " +
  "egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash " +
  "ugrave uacute ucirc uuml yacute thorn yuml";

/** Other names that mail programs use. */
const OTHERS: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  sbquo: "‚",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  lsaquo: "‹",
  rsaquo: "›",
  bull: "•",
  euro: "€",
  trade: "™",
  dagger: "†",
  permil: "‰",
  minus: "−",
  larr: "←",
  rarr: "→",
  OElig: "Œ",
  oelig: "œ",
  Scaron: "Š",
  scaron: "š",
  Yuml: "Ÿ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  zwnj: "\u200c",
  zwj: "\u200d",
};

const NAMED = new Map([
  ...LATIN_1.split(" ").map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries(OTHERS),
]);

/**
 * The characters for numbers from 128 to 159, which authors mean as Windows-1252 (HTML Living Standard, "Numeric
 * character reference end state").
 */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const INVISIBLE_ELEMENTS = new Set(["style", "script", "head", "title", "template"]);

const BLOCKS = new Set([
  "p",
  "div",
  "tr",
  "table",
  "ul",
  "ol",
  "blockquote",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
  "section",
  "article",
  "header",
]);

function codePoint(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\u{fffd}";
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,7}));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex) return codePoint(Number.parseInt(hex, 16));
      if (decimal) return codePoint(Number(decimal));
      return NAMED.get(name ?? "") ?? whole;
    },
  );
}

/** The separator that a tag adds to the text: blocks and breaks end a line, cells and items get a space or dash. */
function layout(tag: string, closes: boolean): string {
  if (tag === "br" || BLOCKS.has(tag)) return "\n";
  if (tag === "li") return closes ? "" : "\n- ";
  return tag === "td" || tag === "th" ? " " : "";
}

/**
 * The position where the element that opened as `tag` ends; the end of the text if it is not closed. The tags of a head
 * may be left out: the body ends it, and without either all of it is shown (HTML Living Standard, "Optional tags").
 */
function skipElement(lower: string, tag: string, from: number, endOfHead: number): number {
  if (tag === "head") return Math.max(from, endOfHead);
  const end = lower.indexOf(`</${tag}`, from);
  return end === -1 ? lower.length : end;
}

/** The end of the comment or tag that begins at `start`. */
function endOfMarkup(html: string, start: number): number {
  const isComment = html.startsWith("<!--", start);
  const end = html.indexOf(isComment ? "-->" : ">", start + 1);
  return end === -1 ? html.length : end + (isComment ? 3 : 1);
}

function tidy(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * The text of an HTML body, one line per block, for reading and search. Takes two passes, so no body can make it slow.
 */
export function htmlToText(html: string): string {
  // Of ASCII only: İ in lower case is two characters, and every position behind it would be another one.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  // Sought once, so that many heads without an end do not make it slow.
  const endOfHead = lower.search(/<\/head[\s/>]|<body[\s/>]/);
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    parts.push(html.slice(at, open === -1 ? html.length : open).replaceAll(/\s+/g, " "));
    if (open === -1) break;
    const markup = /^<(?:(\/?)([a-z][a-z0-9]*)|[!?/])/.exec(lower.slice(open, open + 20));
    if (!markup) parts.push("<");
    const [, slash, tag = ""] = markup ?? [];
    at = markup ? endOfMarkup(html, open) : open + 1;
    parts.push(layout(tag, slash === "/"));
    if (!slash && INVISIBLE_ELEMENTS.has(tag)) at = skipElement(lower, tag, at, endOfHead);
  }
  return tidy(decodeEntities(parts.join("")));
}
