import type { Comparison, Condition, Literal, Operator, Query } from "./ast";
import { parseExpression } from "./parse-expression";
import type { TokenStream } from "./token-stream";
import type { Token } from "./tokenize";

const SIMPLE: Readonly<Record<string, Operator>> = {
  "=": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  LIKE: "LIKE",
};

export type ParseQuery = (tokens: TokenStream) => Query;

/** AND, OR and NOT. Like Salesforce, requires parentheses where AND and OR are mixed. */
export function parseCondition(tokens: TokenStream, parseQuery: ParseQuery): Condition {
  const first = parseUnit(tokens, parseQuery);
  const word = tokens.isNext("AND") ? "AND" : tokens.isNext("OR") ? "OR" : null;
  if (word === null) return first;
  const parts = [first];
  while (tokens.accept(word)) parts.push(parseUnit(tokens, parseQuery));
  if (tokens.isNext("AND") || tokens.isNext("OR")) throw tokens.unexpectedToken();
  return { kind: word === "AND" ? "and" : "or", parts };
}

function parseUnit(tokens: TokenStream, parseQuery: ParseQuery): Condition {
  if (tokens.accept("NOT")) return { kind: "not", part: parseUnit(tokens, parseQuery) };
  if (tokens.accept("(")) {
    const inner = parseCondition(tokens, parseQuery);
    tokens.expect(")");
    return inner;
  }
  return parseComparison(tokens, parseQuery);
}

function parseComparison(tokens: TokenStream, parseQuery: ParseQuery): Comparison {
  const field = parseExpression(tokens);
  const operator = parseOperator(tokens);
  if (operator === "IN" || operator === "NOT IN" || operator === "INCLUDES" || operator === "EXCLUDES") {
    tokens.expect("(");
    const semiJoin = tokens.isNext("SELECT") ? parseQuery(tokens) : null;
    const values = semiJoin ? [] : parseList(tokens);
    tokens.expect(")");
    return { kind: "comparison", field, operator, values, semiJoin };
  }
  return { kind: "comparison", field, operator, values: [parseLiteral(tokens)], semiJoin: null };
}

function parseOperator(tokens: TokenStream): Operator {
  if (tokens.accept("NOT", "IN")) return "NOT IN";
  for (const word of ["IN", "INCLUDES", "EXCLUDES"] as const) if (tokens.accept(word)) return word;
  const operator = SIMPLE[tokens.peek().text.toUpperCase()];
  if (operator === undefined || tokens.peek().kind === "string") throw tokens.unexpectedToken();
  tokens.next();
  return operator;
}

function parseList(tokens: TokenStream): Literal[] {
  const values = [parseLiteral(tokens)];
  while (tokens.accept(",")) values.push(parseLiteral(tokens));
  return values;
}

const UNITS = "WEEK|MONTH|QUARTER|YEAR|90_DAYS|N_DAYS|N_WEEKS|N_MONTHS|N_YEARS";
const PERIOD = new RegExp(`^(TODAY|YESTERDAY|TOMORROW|(LAST|THIS|NEXT)_(${UNITS})|N_DAYS_AGO)$`);

function parseLiteral(tokens: TokenStream): Literal {
  const token = tokens.next();
  if (token.kind === "string" || token.kind === "date" || token.kind === "datetime")
    return { kind: token.kind, value: token.text };
  if (token.kind === "number") return { kind: "number", value: Number(token.text) };
  if (token.kind !== "name") throw tokens.unexpectedToken(token);
  return parseWord(tokens, token);
}

function parseWord(tokens: TokenStream, token: Token): Literal {
  const word = token.text.toUpperCase();
  if (word === "NULL") return { kind: "null" };
  if (word === "TRUE" || word === "FALSE") return { kind: "boolean", value: word === "TRUE" };
  const [name = "", count = "0"] = word.split(":");
  if (!PERIOD.test(name)) throw tokens.unexpectedToken(token);
  return { kind: "period", name, count: Number(count) };
}
