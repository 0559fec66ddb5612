import { type Context, SCOPES } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { newId } from "@/lib/ids";
import { addClientSecret } from "@/lib/oauth/clients/client-secrets";
import { registerClient } from "@/lib/oauth/clients/register-client";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import { createReady } from "@/tests/migration/support/ready-migration";
import { createAccessToken, createContext, createSession, createUser, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { fieldInput } from "@/lib/records/schema/field-schema";

/** One organization with its admin, as it calls the API: with an access token of all scopes, or from the settings. */
export interface Side {
  /** A word that is in every text of the organization, and in no other's. */
  marker: string;
  context: Context;
  organizationId: string;
  userId: string;
  bearer: Record<string, string>;
  admin: Record<string, string>;
}

async function createSide(marker: string): Promise<Side> {
  const context = await createContext();
  const { organizationId, userId } = context;
  await pool().query("UPDATE users SET name = $2, email = $3 WHERE id = $1", [
    userId,
    marker,
    `${marker}-${userId}@example.com`,
  ]);
  const session = await createSession({ organizationId, userId });
  const admin = { cookie: `${SESSION_COOKIE}=${await sealSessionId(session)}`, origin: "http://localhost:3000" };
  return {
    marker,
    context,
    organizationId,
    userId,
    bearer: { authorization: `Bearer ${await createAccessToken(context)}` },
    admin,
  };
}

/** Us, and those whose records we must not see. */
export async function createSides(): Promise<{ ours: Side; theirs: Side }> {
  return { ours: await createSide("oursqx"), theirs: await createSide("theirsqx") };
}

/** The texts of a record, each with the marker in it; those that must be unique are. */
export function markedTexts({ marker }: Side, resource: ResourceName): Record<string, string> {
  const texts = Object.entries<Field>((ENTITIES[resource] satisfies Entity).fields).filter(
    ([name, { kind }]) => kind === "text" && name !== "case_number",
  );
  return Object.fromEntries(
    texts.map(([name, field]) => [
      name,
      textFor(field, field.unique ? `${marker} ${newId()}` : `${marker} ${name}`, marker),
    ]),
  );
}

/** E-mail addresses and currencies have a form. */
function textFor(field: Field, text: string, marker: string): string {
  const input = fieldInput(field);
  return [text, `${marker}@example.com`, "EUR"].find((candidate) => input.safeParse(candidate).success) ?? text;
}

/** A record with a text in every text field, without references unless they are given. A case comment gets a case. */
export async function makeRecord(
  side: Side,
  resource: ResourceName,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const parent =
    resource === "case_comments" && !("case_id" in fields) ? { case_id: await makeRecord(side, "cases") } : {};
  const owned = { owner_id: side.userId, ...(resource === "case_comments" && { author_id: side.userId }) };
  return insertRecord(resource, side.organizationId, {
    ...markedTexts(side, resource),
    ...owned,
    ...parent,
    ...fields,
  });
}

/** Another member of the organization. */
export function makeMember({ organizationId, marker }: Side): Promise<string> {
  return createUser(organizationId, "member", `${marker}-${newId()}@example.com`);
}

/** An API client with two secrets, of which the older one is about to end. */
export async function makeClient({ context, marker }: Side): Promise<{ id: string; secret_id: string }> {
  const input = {
    name: `${marker} client`,
    redirect_uris: [`https://${marker}.example/callback`],
    scopes: [...SCOPES],
  };
  const { id } = await inOrganization(context.organizationId, () => registerClient(context, input));
  const soon =
    "UPDATE oauth_client_secrets SET expires_at = now() + interval '1 day' WHERE client_id = $1 RETURNING id";
  const { rows } = await pool().query<{ id: string }>(soon, [id]);
  await inOrganization(context.organizationId, () => addClientSecret(id));
  return { id, secret_id: rows[0]?.id ?? "" };
}

/** What the admin has allowed an app. */
export async function makeGrant({ context, marker }: Side): Promise<string> {
  await createAccessToken(context);
  const newest = "SELECT id, client_id FROM oauth_grants WHERE user_id = $1 ORDER BY id DESC LIMIT 1";
  const { rows } = await pool().query<{ id: string; client_id: string }>(newest, [context.userId]);
  await pool().query("UPDATE oauth_clients SET name = $2 WHERE id = $1", [rows[0]?.client_id, `${marker} app`]);
  return rows[0]?.id ?? "";
}

const LINE =
  "INSERT INTO migration_objects (organization_id, migration_id, object, position) VALUES ($1, $2, 'Account', 0)";
const SEARCH = `
  INSERT INTO duplicate_searches
    (organization_id, id, migration_id, object, purpose, run_number, choices, mapping, status, ignored, created_at)
  VALUES ($1, $2, $3, 'Account', 'run', 1, '{"action":"update"}', '{}', 'done',
    jsonb_build_array(jsonb_build_object('rule', 0, 'value', $4::text, 'records', 101)), now())`;
const MEMBER = `
  INSERT INTO duplicate_records (organization_id, search_id, member, is_source, cluster_id, rank, shown)
  VALUES ($1, $2, $3, true, $4, $5, $6)`;
const KEPT = `
  INSERT INTO migration_undo_kept (organization_id, id, migration_id, resource, record_id, ext_id, code)
  VALUES ($1, $2, $3, 'accounts', $2, $4, 'edited_here')`;
const HISTORY = `
  INSERT INTO migration_history
    (organization_id, id, migration_id, created_at, event, run_number, run_kind, details)
  VALUES ($1, $2, $3, now(), 'paused', 1, 'full', jsonb_build_object('reason', $4::text))`;
const CONFLICT = `
  INSERT INTO migration_conflicts
    (organization_id, id, migration_id, object, resource, record_id, ext_id, edits, ours, source, created_at)
  VALUES ($1, $2, $3, 'Account', 'accounts', $4, $5, 1, jsonb_build_object('name', $5::text),
    '{"name": "Salesforce"}', now())`;
const ISSUE = `
  INSERT INTO migration_record_issues
    (organization_id, id, migration_id, object, ext_id, outcome, code, reason, created_at)
  VALUES ($1, $2, $3, 'Account', $4, 'failed', 'too_old', $5, now())`;

/** The address of the org from which a side migrates. */
export function instanceUrlOf(marker: string): string {
  return `https://${marker}.my.salesforce.com`;
}

/** A migration that has been analyzed, with records that were left out. */
export async function makeMigration({ context, organizationId, marker }: Side, issues = 1): Promise<string> {
  const id = await createReady(context);
  const named = "UPDATE connections SET source_org_name = $2, ext_instance_url = $3 WHERE organization_id = $1";
  await pool().query(named, [organizationId, `${marker} org`, instanceUrlOf(marker)]);
  await pool().query(
    `UPDATE migrations SET report = report || $3::jsonb, configuration = '{"objects":{}}' WHERE organization_id = $1
      AND id = $2`,
    [organizationId, id, { org: `${marker} org` }],
  );
  await pool().query(LINE, [organizationId, id]);
  await makeCluster({ organizationId, marker }, id);
  for (let index = 0; index < issues; index += 1) await makeIssue({ organizationId, marker }, id);
  return id;
}

/** Accounts of the source that a run has merged. */
async function makeCluster({ organizationId, marker }: Pick<Side, "organizationId" | "marker">, migrationId: string) {
  const search = newId();
  await pool().query(SEARCH, [organizationId, search, migrationId, `${marker} value`]);
  for (const cluster of [newId(), newId(), newId()])
    for (const rank of [0, 1]) {
      const shown = { name: `${marker} account` };
      await pool().query(MEMBER, [organizationId, search, `${marker} ${newId()}`, cluster, rank, shown]);
    }
}

/** A conflict of a migration. Its record does not exist. */
async function makeConflict({ organizationId, marker }: Pick<Side, "organizationId" | "marker">, migrationId: string) {
  await pool().query(CONFLICT, [organizationId, newId(), migrationId, newId(), `${marker} ${newId()}`]);
}

/** The id of a conflict of a migration, whosever it is. */
export async function conflictOf(migrationId: string): Promise<string> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM migration_conflicts WHERE migration_id = $1", [
    migrationId,
  ]);
  return rows[0]?.id ?? newId();
}

const FILE = `
  INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, content_type, size, sha256)
  VALUES ($1, $2, now(), 'cases', $3, $4, $5, 'text/plain', $6, 'digest')`;

/** A file of a case, with its content. */
export async function makeFile({ organizationId, marker }: Side, caseId: string): Promise<string> {
  const id = newId();
  const content = Buffer.from(`${marker} content`);
  await openStorage().write(contentKey(organizationId, id), toAsync(content));
  await pool().query(FILE, [organizationId, id, caseId, `${marker} ${id}`, `${marker}.txt`, content.byteLength]);
  return id;
}

async function* toAsync(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** A source record that a migration left out, a record that an undo of it kept, and one to decide about. */
export async function makeIssue(
  { organizationId, marker }: Pick<Side, "organizationId" | "marker">,
  migrationId: string,
): Promise<void> {
  await pool().query(ISSUE, [organizationId, newId(), migrationId, `${marker} ${newId()}`, `${marker} is why`]);
  await pool().query(KEPT, [organizationId, newId(), migrationId, `${marker} ${newId()}`]);
  await pool().query(HISTORY, [organizationId, newId(), migrationId, `${marker} paused`]);
  await makeConflict({ organizationId, marker }, migrationId);
}
