import { z } from "zod";

/** What refuses other names in an input → the names among them that exist, but are the service's alone to set. It outlives `extend` and `omit`. */
const issuedNames = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/** An object that takes no name beyond its shape, as `z.strictObject` makes one, whose refusal of `issued` says why. */
export function strictInput<Shape extends z.ZodRawShape>(shape: Shape, issued: readonly string[]): z.ZodObject<Shape, z.core.$strict> {
  const nothingElse = z.never();
  issuedNames.set(nothingElse, new Set(issued));
  return z.object(shape).catchall(nothingElse);
}

/** Whether a name that the input refuses is one that the service sets. */
export function isIssued(input: z.ZodType, name: string): boolean {
  const rest = input instanceof z.ZodObject ? input.def.catchall : undefined;
  return rest !== undefined && issuedNames.get(rest)?.has(name) === true;
}
