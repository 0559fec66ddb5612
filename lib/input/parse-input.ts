import { z } from "zod";

import { AppError, type Fault, MAX_FAULTS } from "@/lib/errors";
import { type Suggest, boundedSuggest, didYouMean, truncateName } from "@/lib/input/suggest";
import { faultCode, faultSentence } from "@/lib/input/zod-faults";

/**
 * Stands for a value that the path has given already. No schema accepts it, so it is refused along with all other
 * faults.
 */
export const GIVEN_IN_PATH = Symbol("given in the path");

/**
 * Parses input from outside. Throws `invalid_request` with `detail` and a fault per invalid field; `/admin/email`
 * points to one. A caller that parses many inputs of one request passes one bounded `suggest` for all.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  detail: string,
  suggest?: Suggest,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: () => NO_MESSAGE });
  if (parsed.success) return parsed.data;
  const given = { schema, input, suggest: suggest ?? boundedSuggest() };
  const errors = withoutFollowUps(parsed.error.issues).flatMap((issue) => faultsOf(issue, given));
  throw new AppError("invalid_request", detail, { errors });
}

/** The names that an input accepts. */
export function inputNames(input: z.ZodType): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : [];
}

/**
 * A JSON pointer (RFC 6901): `/a/0/b`, with `~` and `/` escaped. A name longer than any of ours is truncated, so that a
 * refusal does not repeat a megabyte.
 */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${escapePointer(truncateName(String(part)))}`).join("");
}

/** A name as a reference token of a JSON pointer (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The name of a reference token of a JSON pointer (RFC 6901 §4). */
export function unescapePointer(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Marks an issue whose schema has no message of its own; {@link faultSentence} writes one from the whole issue. */
const NO_MESSAGE = "";

/** Drops the other issues of a value of the wrong type: that a list is "too short" for a text means nothing. */
function withoutFollowUps(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const ofWrongType = new Set(
    issues.flatMap((issue) => (issue.code === "invalid_type" ? [pointerTo(issue.path)] : [])),
  );
  return issues.filter((issue) => issue.code === "invalid_type" || !ofWrongType.has(pointerTo(issue.path)));
}

interface Parsed {
  schema: z.ZodType;
  input: unknown;
  suggest: Suggest;
}

function faultsOf(issue: z.core.$ZodIssue, { schema, input, suggest }: Parsed): Fault[] {
  if (issue.code === "unrecognized_keys") {
    const object = objectAt(schema, input, issue.path);
    const known = object ? Object.keys(object.shape) : [];
    const keys = issue.keys.slice(0, MAX_FAULTS);
    const describe = (key: string) =>
      object && isReadOnlyName(object, key)
        ? `\`${key}\` is set by the service; leave it out.`
        : `\`${truncateName(key)}\` is not known here${didYouMean(suggest(key, known))}`;
    return keys.map((key) => ({
      pointer: pointerTo([...issue.path, key]),
      code: "unknown_field",
      detail: describe(key),
    }));
  }
  const value = valueAt(input, issue.path);
  if (value === GIVEN_IN_PATH) return [repeated(issue.path)];
  return [
    {
      pointer: pointerTo(issue.path),
      code: faultCode(issue, value),
      detail: issue.message || faultSentence(issue, value, suggest),
    },
  ];
}

function repeated(path: readonly PropertyKey[]): Fault {
  return {
    pointer: pointerTo(path),
    code: "unknown_field",
    detail: `\`${String(path.at(-1))}\` is in the path; leave it out here.`,
  };
}

/** The value at a path of the input; undefined where there is none. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (Object.hasOwn(Object(value), part) ? (value as Record<PropertyKey, unknown>)[part] : undefined),
    input,
  );
}

/** The object that the schema expects at a path of the input; undefined where it expects another kind of value. */
function objectAt(schema: unknown, input: unknown, path: readonly PropertyKey[]): z.ZodObject | undefined {
  // One that may be absent or null, or has a default, wraps the other.
  if (schema instanceof z.ZodType && "innerType" in schema.def) return objectAt(schema.def.innerType, input, path);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const kind = valueAt(input, [discriminator]);
    const option = schema.options.find(
      (one) => one instanceof z.ZodObject && z.safeParse(one.shape[discriminator], kind).success,
    );
    return objectAt(option, input, path);
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  const [name, ...rest] = path;
  return name === undefined ? schema : objectAt(schema.shape[String(name)], valueAt(input, [name]), rest);
}

/**
 * From the schema that refuses other names to those among them that only the service sets. It survives `extend` and
 * `omit`.
 */
const readOnlyNames = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/**
 * An object that accepts no other names, as `z.strictObject` makes. Its refusal of a name in `issued` says that the
 * service sets it.
 */
export function strictInput<Shape extends z.ZodRawShape>(
  shape: Shape,
  issued: readonly string[],
): z.ZodObject<Shape, z.core.$strict> {
  const nothingElse = z.never();
  readOnlyNames.set(nothingElse, new Set(issued));
  return z.object(shape).catchall(nothingElse);
}

/** Whether a name that the input refuses is one that the service sets. */
function isReadOnlyName(input: z.ZodType, name: string): boolean {
  const rest = input instanceof z.ZodObject ? input.def.catchall : undefined;
  return rest !== undefined && readOnlyNames.get(rest)?.has(name) === true;
}
