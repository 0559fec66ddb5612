import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { hasScope } from "@/lib/operation";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The parameter by which a request about several kinds of records names them. */
export function objectsInput<Name extends ResourceName>(known: readonly Name[]) {
  const fault = `\`objects\` must be names separated by commas, each one of ${known.join(", ")}.`;
  return z
    .string(fault)
    .max(200, fault)
    .transform((given) => given.split(",").map((name) => name.trim()))
    .pipe(z.array(z.enum(known, fault)))
    .exactOptional()
    .describe(`Only these kinds, separated by commas: ${known.join(", ")}. Absent: all that the token may read.`);
}

/**
 * The kinds that a request is about: those that it names, each once, or all of `known` that its token may read. Throws
 * `insufficient_scope` for one that it names and may not read; `purpose` begins the sentence: "To search".
 */
export function askedKinds<Name extends ResourceName>(
  context: Context,
  known: readonly Name[],
  named: readonly Name[] | undefined,
  purpose: string,
): Name[] {
  if (!named) return known.filter((name) => mayRead(context, name));
  const refused = named.find((name) => !mayRead(context, name));
  if (refused === undefined) return [...new Set(named)];
  const scopes = ENTITIES[refused].readScopes.join(" or ");
  const kind = refused.replaceAll("_", " ");
  throw new AppError("insufficient_scope", `${purpose} ${kind}, this needs the scope ${scopes}.`);
}

/** Whether a token may read a kind of record. */
export function mayRead(context: Context, name: ResourceName): boolean {
  return ENTITIES[name].readScopes.some((scope) => hasScope(context, scope));
}
