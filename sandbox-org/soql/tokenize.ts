import { malformed } from "../server/api-error";
import { unexpected } from "./soql-error";

export interface Token {
  readonly kind: "name" | "string" | "number" | "date" | "datetime" | "symbol" | "end";
  /** The text unchanged; for strings, the value without quotes and escapes. */
  readonly text: string;
  readonly at: number;
}

/** The first pattern that matches decides, so a datetime comes before a date, and a date before a number. */
const PATTERN = new RegExp(
  [
    /(?<space>\s+)/,
    /(?<datetime>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))/,
    /(?<date>\d{4}-\d\d-\d\d)/,
    /(?<number>[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
    /(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?::\d+)?)/,
    /(?<string>'(?:[^'\\]|\\.)*')/,
    /(?<symbol><=|>=|!=|<>|[=<>(),*])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "sy",
);

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  '"': '"',
  "'": "'",
  "\\": "\\",
  _: "\\_",
  "%": "\\%",
};

/** Resolves SOQL's escapes, except `\_` and `\%`, which LIKE resolves. */
function unescape(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_, letter: string) => {
    if (letter.length === 5) return String.fromCharCode(Number.parseInt(letter.slice(1), 16));
    const value = ESCAPES[letter.toLowerCase()] ?? ESCAPES[letter];
    if (value === undefined)
      throw malformed(
        `Illegal string literal: ${quoted}\nInvalid string literal '${letter}'. Illegal character sequence ` +
          `'\\${letter}' in string literal.`,
      );
    return value;
  });
}

/** Splits SOQL into tokens. The last one is always `end`. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(source);
    if (!match?.groups) throw unexpected(source, at, source[at] ?? "");
    const [kind, text] = Object.entries(match.groups).find(([, value]) => value !== undefined) ?? ["symbol", ""];
    if (kind !== "space")
      tokens.push({ kind: kind as Token["kind"], text: kind === "string" ? unescape(text) : text, at });
    at = PATTERN.lastIndex;
  }
  tokens.push({ kind: "end", text: "", at: source.length });
  return tokens;
}
