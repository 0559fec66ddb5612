import { AsyncLocalStorage } from "node:async_hooks";

import { isId } from "@/lib/ids";

/** Whose rows statements can see and change: those of the organization with this id, or those of all. */
export type OrganizationScope = string | typeof ACROSS_ORGANIZATIONS;

// Next evaluates modules once per bundle; one process must have one scope and one symbol for it.
export const ACROSS_ORGANIZATIONS: unique symbol = Symbol.for("crm: across organizations");

const holder = globalThis as typeof globalThis & { crmOrganizationScope?: AsyncLocalStorage<OrganizationScope> };

const scope = (holder.crmOrganizationScope ??= new AsyncLocalStorage());

/**
 * Runs `work` within one organization. Every statement that it sends, now or later, sees and changes only rows of that
 * organization, whatever its conditions are (`docs/decisions/0032-row-level-security.md`). Without a scope a statement
 * sees no organization's rows. An inner scope replaces the outer one.
 */
export function inOrganization<Result>(organizationId: string, work: () => PromiseLike<Result>): Promise<Result> {
  if (!isId(organizationId)) throw new Error("A scope needs the id of an organization.");
  return enter(organizationId, work);
}

/**
 * Runs `work` across organizations. Use it before the organization is known (tokens, sign-in, setup), or for all of
 * them (purging, finding abandoned work). It reaches only what `scripts/postgres/across-organizations.ts` opens, which
 * excludes records.
 */
export function acrossOrganizations<Result>(work: () => PromiseLike<Result>): Promise<Result> {
  return enter(ACROSS_ORGANIZATIONS, work);
}

/** Awaits within the scope: Prisma sends a statement only when its promise is awaited. */
async function enter<Result>(entered: OrganizationScope, work: () => PromiseLike<Result>): Promise<Result> {
  return scope.getStore() === entered ? work() : scope.run(entered, async () => await work());
}

/** The caller's scope; undefined outside of any. */
export function organizationScope(): OrganizationScope | undefined {
  return scope.getStore();
}
