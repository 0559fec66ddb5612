import { ApiError, malformed } from "../server/api-error";
import { isAggregate, type FieldPath, type OrderBy, type Query, type SelectItem } from "./ast";
import { parseCondition } from "./parse-condition";
import { parseExpression } from "./parse-expression";
import { TokenStream } from "./token-stream";

const CLAUSES = new Set([
  "FROM",
  "WHERE",
  "GROUP",
  "ORDER",
  "LIMIT",
  "OFFSET",
  "HAVING",
  "FOR",
  "USING",
  "WITH",
  "ALL",
]);
/** Maximum length of a statement (Salesforce: SOQL and SOSL limits). */
const MAX_LENGTH = 100_000;
const MAX_OFFSET = 2000;

/** Parses one SOQL statement, or throws Salesforce's MALFORMED_QUERY. */
export function parseSoql(source: string): Query {
  if (source.trim() === "") throw malformed("A query string has to be specified");
  if (source.length > MAX_LENGTH) throw malformed("SOQL statements cannot be longer than 100000 characters.");
  const tokens = new TokenStream(source);
  const query = parseQuery(tokens);
  if (tokens.peek().kind !== "end") throw tokens.unexpectedToken();
  return query;
}

function parseQuery(tokens: TokenStream): Query {
  tokens.expect("SELECT");
  const select = parseSelect(tokens);
  tokens.expect("FROM");
  const from = tokens.name();
  if (tokens.peek().kind === "name" && !CLAUSES.has(tokens.peek().text.toUpperCase())) tokens.next();
  if (tokens.accept("USING", "SCOPE")) tokens.name();
  const where = tokens.accept("WHERE") ? parseCondition(tokens, parseQuery) : null;
  const groupBy = tokens.accept("GROUP", "BY") ? parseGroupBy(tokens) : [];
  const having = tokens.accept("HAVING") ? parseCondition(tokens, parseQuery) : null;
  const orderBy = tokens.accept("ORDER", "BY") ? parseOrderBy(tokens) : [];
  return {
    source: tokens.source,
    select,
    from: from.text,
    fromAt: from.at,
    where,
    groupBy,
    having,
    orderBy,
    ...parseTail(tokens),
  };
}

function parseTail(tokens: TokenStream): Pick<Query, "limit" | "offset"> {
  const limit = tokens.accept("LIMIT") ? tokens.integer() : null;
  const offset = tokens.accept("OFFSET") ? tokens.integer() : 0;
  if (offset > MAX_OFFSET)
    throw new ApiError(400, "NUMBER_OUTSIDE_VALID_RANGE", `Maximum SOQL offset allowed is ${MAX_OFFSET}`);
  if (tokens.accept("FOR")) tokens.name();
  if (tokens.accept("ALL", "ROWS")) throw malformed("ALL ROWS not allowed in this context");
  return { limit, offset };
}

function parseSelect(tokens: TokenStream): SelectItem[] {
  const items = [parseItem(tokens)];
  while (tokens.accept(",")) items.push(parseItem(tokens));
  return items;
}

function parseItem(tokens: TokenStream): SelectItem {
  const { at } = tokens.peek();
  if (tokens.accept("(")) {
    const query = parseQuery(tokens);
    tokens.expect(")");
    return { kind: "children", query, at };
  }
  if (tokens.accept("FIELDS", "(")) {
    const which = tokens.name().text.toUpperCase();
    tokens.expect(")");
    return { kind: "fields", which, at };
  }
  if (tokens.isNext("FROM")) throw tokens.unexpectedToken();
  const expression = parseExpression(tokens);
  const next = tokens.peek();
  const alias = next.kind === "name" && !CLAUSES.has(next.text.toUpperCase()) ? tokens.next().text : null;
  return isAggregate(expression)
    ? { kind: "aggregate", aggregate: expression, alias }
    : { kind: "field", field: expression, alias };
}

function parseGroupBy(tokens: TokenStream): FieldPath[] {
  const fields: FieldPath[] = [];
  do {
    const expression = parseExpression(tokens);
    if (isAggregate(expression)) throw malformed("Grouping by an aggregate is not allowed");
    fields.push(expression);
  } while (tokens.accept(","));
  return fields;
}

function parseOrderBy(tokens: TokenStream): OrderBy[] {
  const orders: OrderBy[] = [];
  do {
    const by = parseExpression(tokens);
    const descending = tokens.accept("DESC") || (tokens.accept("ASC"), false);
    const last = tokens.accept("NULLS", "LAST");
    if (!last) tokens.accept("NULLS", "FIRST");
    orders.push({ by, descending, nullsFirst: !last });
  } while (tokens.accept(","));
  return orders;
}
