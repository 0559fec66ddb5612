import type { PoolClient } from "pg";

import type { role } from "@/lib/generated/prisma/enums";
import type { Preconditions } from "@/lib/preconditions";

/** What an access token may do. `crm:write` implies `crm:read` (`hasScope`); `erp:read` alone reads products only. */
export const SCOPES = ["crm:read", "crm:write", "erp:read"] as const;

export type Scope = (typeof SCOPES)[number];

/** The header in which our own pages say whom they show as signed in; `lib/http/api/authenticate.ts` compares it. */
export const SHOWN_PERSON = "shown-person";

/** The caller, the organization, and the scopes: the first argument of every operation. */
export interface Context {
  requestId: string;
  organizationId: string;
  userId: string;
  role: role;
  /** The session of a signed-in browser; absent for an access token. */
  sessionId?: string;
  /** The OAuth client's row id, or null for a signed-in browser. */
  clientId: string | null;
  scopes: ReadonlySet<Scope>;
  /** What the OAuth client was created with, the most that a token of it can have; absent without a client. */
  clientScopes?: ReadonlySet<Scope>;
  /** The network address of the caller, for the audit log; null outside of a request. */
  address: string | null;
  /** The request's preconditions. Only an operation that declares `conditional` checks them. */
  preconditions?: Preconditions;
  /**
   * Keeps the answer to a request with an `Idempotency-Key` within the transaction that does its work; see
   * `lib/database/transactions.ts`.
   */
  keepAnswer?: (client: PoolClient, result: unknown) => Promise<void>;
}
