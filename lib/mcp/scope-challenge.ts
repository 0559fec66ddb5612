import type { ScopeChallenge } from "@modelcontextprotocol/server";

import type { Context, Scope } from "@/lib/context";
import type { Tool } from "@/lib/mcp/tool";
import { hasScope } from "@/lib/operation";
import { ENTITIES, isResource } from "@/lib/records/schema/registry";

/**
 * What a token lacks for a request, or undefined. Each element of `needed` are scopes of which one is enough. Asks for
 * the missing scope beside those of the token, so that the new token can do no less (RFC 6750 §3.1). Does not ask for
 * what no token of the client can have, or hosts would open one sign-in after the other: the operation refuses that.
 */
function challenge(context: Context, needed: readonly (readonly Scope[])[]): ScopeChallenge | undefined {
  const missing = needed.find((scopes) => !scopes.some((scope) => hasScope(context, scope)));
  const grantable = missing?.find((scope) => mayHaveScope(context, scope));
  if (!missing || !grantable) return undefined;
  const wanted = new Set<string>([...context.scopes, grantable]);
  if (wanted.has("crm:write")) wanted.delete("crm:read");
  return {
    scopes: [...wanted] as [string, ...string[]],
    errorDescription: `This needs the scope ${missing.join(" or ")}.`,
  };
}

/** Whether a token of the caller's client can have this scope, if its person allows it. */
export function mayHaveScope({ clientScopes, scopes }: Context, scope: Scope): boolean {
  return hasScope({ scopes: clientScopes ?? scopes }, scope);
}

/** What a token lacks to call a tool with these arguments, which are not checked yet. */
export function toolChallenge(context: Context, { scopes, readsKinds }: Tool, args: unknown) {
  const { object, objects } = (args ?? {}) as { object?: unknown; objects?: unknown };
  return challenge(context, [scopes, ...(readsKinds ? readScopes([object, objects].flat()) : [])]);
}

/** What a token lacks to read a record of this kind. */
export function recordChallenge(context: Context, object: string) {
  return challenge(context, readScopes([object]));
}

function readScopes(kinds: readonly unknown[]): (readonly Scope[])[] {
  return kinds.flatMap((kind) => (typeof kind === "string" && isResource(kind) ? [ENTITIES[kind].readScopes] : []));
}
