import type { Json } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import { isAggregate, type Comparison, type Condition, type Literal, type Query } from "./ast";
import { comparable, toOperand, type Operand } from "./literal";
import type { Resolved } from "./resolve";

export type Test = (ordinal: number) => boolean;

/** Resolves the fields of a condition, and the values of a semi-join. */
export interface ConditionContext {
  readonly query: Query;
  resolve(expression: Comparison["field"]): Resolved;
  semiJoin(query: Query): ReadonlySet<Json>;
}

/** Compiles a condition to a function of the ordinal that reads only the fields in the condition. */
export function compile(context: ConditionContext, condition: Condition): Test {
  if (condition.kind === "not") {
    const inner = compile(context, condition.part);
    return (ordinal) => !inner(ordinal);
  }
  if (condition.kind === "comparison") return compileComparison(context, condition);
  const tests = condition.parts.map((part) => compile(context, part));
  return condition.kind === "and"
    ? (ordinal) => tests.every((test) => test(ordinal))
    : (ordinal) => tests.some((test) => test(ordinal));
}

function compileComparison(context: ConditionContext, comparison: Comparison): Test {
  const resolved = context.resolve(comparison.field);
  if (resolved.field && !resolved.field.filterable && !isAggregate(comparison.field)) {
    throw new ApiError(400, "INVALID_FIELD", `field '${resolved.name}' can not be filtered in a query call`);
  }
  const { type, read } = resolved;
  const matches = matcher(context, comparison, resolved);
  return (ordinal) => matches(comparable(type, read(ordinal)));
}

function matcher(context: ConditionContext, comparison: Comparison, resolved: Resolved): (value: Json) => boolean {
  const { operator, values, semiJoin } = comparison;
  switch (operator) {
    case "IN":
    case "NOT IN": {
      const accepted = semiJoin
        ? context.semiJoin(semiJoin)
        : new Set(values.map((value) => single(toOperand(resolved, value))));
      return operator === "IN" ? (value) => accepted.has(value) : (value) => !accepted.has(value);
    }
    case "INCLUDES":
    case "EXCLUDES": {
      const groups = values.map((value) => textOf(value).toLowerCase().split(";"));
      const includes = (value: Json): boolean =>
        typeof value === "string" && groups.some((all) => all.every((one) => value.split(";").includes(one)));
      return operator === "INCLUDES" ? includes : (value) => !includes(value);
    }
    case "LIKE": {
      const pattern = likePattern(textOf(values[0]));
      return (value) => typeof value === "string" && pattern.test(value);
    }
    default:
      return comparisonMatcher(operator, toOperand(resolved, values[0] ?? { kind: "null" }));
  }
}

function single(operand: Operand): Json {
  if (operand.kind === "span") throw malformed("Date literals are not allowed in a list");
  return operand.value;
}

function textOf(literal: Literal | undefined): string {
  if (literal?.kind !== "string")
    throw new ApiError(400, "INVALID_QUERY_FILTER_OPERATOR", "invalid operator for this type of value");
  return literal.value;
}

/** `%` matches any characters, `_` one character. A backslash escapes both. Case is ignored. */
function likePattern(like: string): RegExp {
  const source = like.toLowerCase().replace(/\\?[\s\S]/gu, (part) => {
    if (part === "%") return ".*";
    if (part === "_") return ".";
    return (part.length === 2 && part.startsWith("\\") ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "su");
}

type OrderOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";

function comparisonMatcher(operator: OrderOperator, operand: Operand): (value: Json) => boolean {
  if (operand.kind === "span") return spanMatcher(operator, operand.from, operand.to);
  const bound = operand.value;
  if (operator === "=") return (value) => value === bound;
  if (operator === "!=") return (value) => value !== bound;
  if (bound === null) return () => false;
  const comparisons: Record<"<" | "<=" | ">" | ">=", (value: NonNullable<Json>) => boolean> = {
    "<": (value) => value < bound,
    "<=": (value) => value <= bound,
    ">": (value) => value > bound,
    ">=": (value) => value >= bound,
  };
  const compare = comparisons[operator];
  return (value) => value !== null && compare(value);
}

function spanMatcher(operator: OrderOperator, from: string, to: string): (value: Json) => boolean {
  const within = (value: Json): boolean => typeof value === "string" && value >= from && value < to;
  const comparisons: Record<OrderOperator, (value: Json) => boolean> = {
    "=": within,
    "!=": (value) => !within(value),
    "<": (value) => typeof value === "string" && value < from,
    "<=": (value) => typeof value === "string" && value < to,
    ">": (value) => typeof value === "string" && value >= to,
    ">=": (value) => typeof value === "string" && value >= from,
  };
  return comparisons[operator];
}
