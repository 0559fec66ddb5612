import { AsyncLocalStorage } from "node:async_hooks";

import { isId } from "@/lib/ids";

/** Whose rows PostgreSQL lets statements see and change: the organization of that id, or those of all. */
export type OrganizationScope = string | typeof ACROSS_ORGANIZATIONS;

// Next evaluates modules once per bundle; one process must have one scope, and one word for it.
export const ACROSS_ORGANIZATIONS: unique symbol = Symbol.for("crm: across organizations");

const holder = globalThis as typeof globalThis & { crmOrganizationScope?: AsyncLocalStorage<OrganizationScope> };

const scope = (holder.crmOrganizationScope ??= new AsyncLocalStorage());

/**
 * Does `work` within one organization: every statement that it sends, at once or later, sees and changes rows of that
 * organization alone, whatever its conditions are (`docs/decisions/0032-row-level-security.md`). Without a scope a
 * statement sees no organization's rows. A scope within another replaces it.
 */
export function inOrganization<Result>(organizationId: string, work: () => PromiseLike<Result>): Promise<Result> {
  if (!isId(organizationId)) throw new Error("A scope is entered with the id of an organization.");
  return enter(organizationId, work);
}

/**
 * Does `work` across organizations, which is for what happens before the organization is known (tokens, sign-in, setup)
 * or for all of them (what forgets, what finds forgotten work). It reaches only what
 * `scripts/postgres/across-organizations.ts` opens: no records.
 */
export function acrossOrganizations<Result>(work: () => PromiseLike<Result>): Promise<Result> {
  return enter(ACROSS_ORGANIZATIONS, work);
}

/** Waits within the scope: what Prisma gives is sent only when somebody waits for it. */
async function enter<Result>(entered: OrganizationScope, work: () => PromiseLike<Result>): Promise<Result> {
  return scope.getStore() === entered ? work() : scope.run(entered, async () => await work());
}

/** The scope that the caller works in; undefined outside of any. */
export function organizationScope(): OrganizationScope | undefined {
  return scope.getStore();
}
