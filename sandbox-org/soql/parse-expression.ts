import type { Aggregate, FieldPath } from "./ast";
import type { TokenStream } from "./token-stream";

const AGGREGATES = new Set(["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX"]);
const WRAPPERS = new Set(["CALENDAR_YEAR", "CALENDAR_MONTH", "DAY_ONLY", "TOLABEL", "FORMAT"]);

function parsePath(tokens: TokenStream, wrapper: string | null): FieldPath {
  const token = tokens.name();
  return { path: token.text.split("."), wrapper, at: token.at };
}

/** A field, a dotted path to a field of a parent, a function of either, or an aggregate. */
export function parseExpression(tokens: TokenStream): FieldPath | Aggregate {
  if (tokens.peek(1).text !== "(" || tokens.peek().kind !== "name") return parsePath(tokens, null);
  const token = tokens.name();
  const name = token.text.toUpperCase();
  if (!AGGREGATES.has(name) && !WRAPPERS.has(name)) throw tokens.unexpectedToken(token);
  tokens.expect("(");
  if (WRAPPERS.has(name)) {
    const path = parsePath(tokens, name);
    tokens.expect(")");
    return path;
  }
  const of = name === "COUNT" && tokens.isNext(")") ? null : parsePath(tokens, null);
  tokens.expect(")");
  return { name: name as Aggregate["name"], of, at: token.at };
}
