import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { idOrNull, MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { type OauthClient, oauthClient } from "@/lib/oauth/clients/client-schema";
import { defineOperation } from "@/lib/operation";
import { assertPreconditions } from "@/lib/preconditions";

type Row = Omit<OauthClient, "secrets" | "webhooks"> & { webhooks: WebhookRow[] };

type SecretRow = OauthClient["secrets"][number] & { client_id: string };

export interface WebhookRow {
  id: string;
  url: string;
}

/** For the row `c` of oauth_clients: how many access tokens open the API at this moment. */
export const LIVE_TOKENS = `
  (SELECT count(*)::int FROM oauth_tokens t
    JOIN memberships tm ON tm.organization_id = t.organization_id AND tm.user_id = t.user_id AND tm.disabled_at IS NULL
    WHERE t.client_id = c.id AND t.revoked_at IS NULL AND t.expires_at > now())`;

/**
 * The active webhooks whose endpoint a client has set, for anybody or for `user`, an SQL expression of the person's id.
 */
export function webhooksOf(client: string, user?: string): string {
  const through = user === undefined ? "" : ` AND w.url_set_by_id = ${user}`;
  return `(SELECT coalesce(json_agg(json_build_object('id', w.id, 'url', w.url) ORDER BY w.id), '[]') FROM webhooks w
    WHERE w.organization_id = $1 AND w.url_client_id = ${client}${through} AND w.active)`;
}

/** Only the host: the rest of an address may hold a token. */
export function hostsOf(webhooks: readonly WebhookRow[]): OauthClient["webhooks"] {
  return webhooks.map(({ id, url }) => ({ id, host: new URL(url).host }));
}

const SELECT = `
  SELECT c.id, c.client_id, c.name, c.redirect_uris, c.scopes, u.email AS created_by,
    ${isoText("c.created_at")} AS created_at, c.version, ${isoText("c.last_used_at")} AS last_used_at,
    ${LIVE_TOKENS} AS live_tokens,
    (SELECT count(*)::int FROM oauth_grants g WHERE g.client_id = c.id) AS allowed_by,
    ${webhooksOf("c.id")} AS webhooks
  FROM oauth_clients c LEFT JOIN users u ON u.id = c.created_by_id
  WHERE c.organization_id = $1 AND c.revoked_at IS NULL`;

const SELECT_SECRETS = `
  SELECT client_id, id, ${isoText("created_at")} AS created_at, ${isoText("expires_at")} AS expires_at
  FROM oauth_client_secrets
  WHERE client_id = ANY ($1) AND (expires_at IS NULL OR expires_at > now()) ORDER BY id DESC`;

/**
 * A client that is not revoked. Throws `not_found`, also for a client of another organization. `database` is the
 * connection of the transaction that has changed the client, if any.
 */
export async function findClientView(
  organizationId: string,
  id: string,
  database: Pick<PoolClient, "query"> = pool(),
): Promise<OauthClient> {
  const { rows } = await database.query<Row>(`${SELECT} AND c.id = $2`, [organizationId, idOrNull(id)]);
  const [view] = await withSecrets(rows, database);
  if (!view) throw noSuchClient();
  return view;
}

/** Clients below a cursor, newest first. */
async function findClientViews(
  organizationId: string,
  cursor: string | undefined,
  limit: number,
): Promise<OauthClient[]> {
  const text = `${SELECT} AND c.id < $2 ORDER BY c.id DESC LIMIT $3`;
  const { rows } = await pool().query<Row>(text, [organizationId, cursor ?? MAX_UUID, limit]);
  return withSecrets(rows, pool());
}

function noSuchClient(): AppError {
  return new AppError("not_found", "There is no API client with this id, or it has been revoked.");
}

async function withSecrets(rows: readonly Row[], database: Pick<PoolClient, "query">): Promise<OauthClient[]> {
  const found = await database.query<SecretRow>(SELECT_SECRETS, [rows.map(({ id }) => id)]);
  const secretsOf = Map.groupBy(found.rows, ({ client_id }) => client_id);
  return rows.map((row) => ({
    ...row,
    webhooks: hostsOf(row.webhooks),
    secrets: (secretsOf.get(row.id) ?? []).map(({ client_id: _client, ...secret }) => secret),
  }));
}

export const getClient = defineOperation({
  name: "get_api_client",
  summary: "One API client.",
  scopes: [],
  people: "admins",
  // `last_used_at` and `live_tokens` change without a new version.
  volatile: true,
  input: z.strictObject({ id: pathId("API client") }),
  output: oauthClient,
  run: (context, { id }) => findClientView(context.organizationId, id),
});

export const listClients = defineOperation({
  name: "list_api_clients",
  summary: "List the organization's API clients, newest first.",
  scopes: [],
  people: "admins",
  input: z.strictObject(pageInput),
  output: pageOutput(oauthClient),
  async run(context, { limit, cursor }) {
    return cutPage(await findClientViews(context.organizationId, cursor, limit + 1), limit, ({ id }) => id);
  },
});

/** A locked client: what an admin may change, and its version. */
interface LockedClient {
  id: string;
  version: number;
  name: string;
  redirect_uris: string[];
}

const LOCK = `
  SELECT id, version, name, redirect_uris FROM oauth_clients
  WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL FOR UPDATE`;

/**
 * Locks a client that is not revoked until the transaction ends, so that changes by two admins follow each other.
 * Throws `not_found`, and `precondition_failed` if the request expects another version.
 */
export async function lockClient(
  client: PoolClient,
  { organizationId, preconditions }: Pick<Context, "organizationId" | "preconditions">,
  id: string,
): Promise<LockedClient> {
  const { rows } = await client.query<LockedClient>(LOCK, [organizationId, idOrNull(id)]);
  const [locked] = rows;
  if (!locked) throw noSuchClient();
  assertPreconditions(preconditions, locked);
  return locked;
}
