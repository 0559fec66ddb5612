import type { Json } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import { isAggregate, type Comparison, type Condition, type Literal, type Query } from "./ast";
import { comparable, toOperand, type Operand } from "./literal";
import type { Resolved } from "./resolve";

export type Test = (ordinal: number) => boolean;

/** How a condition finds its fields, and the values of a semi-join. */
export interface Names {
  readonly query: Query;
  resolve(expression: Comparison["field"]): Resolved;
  semiJoin(query: Query): ReadonlySet<Json>;
}

/** Turns a condition into a function of the ordinal that reads only the fields the condition names. */
export function compile(names: Names, condition: Condition): Test {
  if (condition.kind === "not") {
    const inner = compile(names, condition.part);
    return (ordinal) => !inner(ordinal);
  }
  if (condition.kind === "comparison") return compileComparison(names, condition);
  const tests = condition.parts.map((part) => compile(names, part));
  return condition.kind === "and"
    ? (ordinal) => tests.every((test) => test(ordinal))
    : (ordinal) => tests.some((test) => test(ordinal));
}

function compileComparison(names: Names, comparison: Comparison): Test {
  const resolved = names.resolve(comparison.field);
  if (resolved.field && !resolved.field.filterable && !isAggregate(comparison.field)) {
    throw new ApiError(400, "INVALID_FIELD", `field '${resolved.name}' can not be filtered in a query call`);
  }
  const { type, read } = resolved;
  const accepts = acceptor(names, comparison, resolved);
  return (ordinal) => accepts(comparable(type, read(ordinal)));
}

function acceptor(names: Names, comparison: Comparison, resolved: Resolved): (value: Json) => boolean {
  const { operator, values, semiJoin } = comparison;
  switch (operator) {
    case "IN":
    case "NOT IN": {
      const accepted = semiJoin
        ? names.semiJoin(semiJoin)
        : new Set(values.map((value) => single(toOperand(resolved, value))));
      return operator === "IN" ? (value) => accepted.has(value) : (value) => !accepted.has(value);
    }
    case "INCLUDES":
    case "EXCLUDES": {
      const wanted = values.map((value) => textOf(value).toLowerCase().split(";"));
      const includes = (value: Json): boolean =>
        typeof value === "string" && wanted.some((all) => all.every((one) => value.split(";").includes(one)));
      return operator === "INCLUDES" ? includes : (value) => !includes(value);
    }
    case "LIKE": {
      const pattern = likePattern(textOf(values[0]));
      return (value) => typeof value === "string" && pattern.test(value);
    }
    default:
      return orderAcceptor(operator, toOperand(resolved, values[0] ?? { kind: "null" }));
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

/** `%` any characters, `_` any one, a backslash in front takes them literally; case does not matter. */
function likePattern(like: string): RegExp {
  const source = like.toLowerCase().replace(/\\?[\s\S]/gu, (part) => {
    if (part === "%") return ".*";
    if (part === "_") return ".";
    return (part.length === 2 && part.startsWith("\\") ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "su");
}

type Order = "=" | "!=" | "<" | "<=" | ">" | ">=";

function orderAcceptor(operator: Order, operand: Operand): (value: Json) => boolean {
  if (operand.kind === "span") return spanAcceptor(operator, operand.from, operand.to);
  const bound = operand.value;
  if (operator === "=") return (value) => value === bound;
  if (operator === "!=") return (value) => value !== bound;
  if (bound === null) return () => false;
  const compare: Record<"<" | "<=" | ">" | ">=", (value: NonNullable<Json>) => boolean> = {
    "<": (value) => value < bound,
    "<=": (value) => value <= bound,
    ">": (value) => value > bound,
    ">=": (value) => value >= bound,
  };
  const holds = compare[operator];
  return (value) => value !== null && holds(value);
}

function spanAcceptor(operator: Order, from: string, to: string): (value: Json) => boolean {
  const within = (value: Json): boolean => typeof value === "string" && value >= from && value < to;
  const compare: Record<Order, (value: Json) => boolean> = {
    "=": within,
    "!=": (value) => !within(value),
    "<": (value) => typeof value === "string" && value < from,
    "<=": (value) => typeof value === "string" && value < to,
    ">": (value) => typeof value === "string" && value >= to,
    ">=": (value) => typeof value === "string" && value >= from,
  };
  return compare[operator];
}
