/** A field of the object or of one of its parents, perhaps inside a function. */
export interface FieldPath {
  readonly path: readonly string[];
  /** `CALENDAR_YEAR`, `TOLABEL`, … in upper case. */
  readonly wrapper: string | null;
  readonly at: number;
}

export interface Aggregate {
  readonly name: "COUNT" | "COUNT_DISTINCT" | "SUM" | "AVG" | "MIN" | "MAX";
  /** Null for `COUNT()`. */
  readonly of: FieldPath | null;
  readonly at: number;
}

export type SelectItem =
  | { readonly kind: "field"; readonly field: FieldPath; readonly alias: string | null }
  | { readonly kind: "aggregate"; readonly aggregate: Aggregate; readonly alias: string | null }
  | { readonly kind: "fields"; readonly which: string; readonly at: number }
  | { readonly kind: "children"; readonly query: Query; readonly at: number };

export type Literal =
  | { readonly kind: "null" }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "date"; readonly value: string }
  | { readonly kind: "datetime"; readonly value: string }
  | { readonly kind: "period"; readonly name: string; readonly count: number };

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "LIKE" | "IN" | "NOT IN" | "INCLUDES" | "EXCLUDES";

export interface Comparison {
  readonly kind: "comparison";
  readonly field: FieldPath | Aggregate;
  readonly operator: Operator;
  readonly values: readonly Literal[];
  /** The query of `IN (SELECT …)`. */
  readonly semiJoin: Query | null;
}

export type Condition =
  | Comparison
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition };

export interface OrderBy {
  readonly by: FieldPath | Aggregate;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface Query {
  readonly source: string;
  readonly select: readonly SelectItem[];
  readonly from: string;
  readonly fromAt: number;
  readonly where: Condition | null;
  readonly groupBy: readonly FieldPath[];
  readonly having: Condition | null;
  readonly orderBy: readonly OrderBy[];
  readonly limit: number | null;
  readonly offset: number;
}

export function isAggregate(expression: FieldPath | Aggregate): expression is Aggregate {
  return "of" in expression;
}
