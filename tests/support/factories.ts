import { type Context, type Scope, SCOPES } from "@/lib/context";
import { importedId, newId, timeOf } from "@/lib/ids";
import { columnsOf } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { randomSecret, sha256 } from "@/lib/security/crypto";
import { startSession } from "@/lib/sessions/browser-sessions/session-store";
import type { role } from "@/lib/generated/prisma/enums";
import { pool, prisma } from "@/tests/support/owner";

/** Inserts an organization and returns its id. */
export async function createOrganization(name = "Alpine Tools"): Promise<string> {
  const id = newId();
  await pool().query("INSERT INTO organizations (id, name, created_at) VALUES ($1, $2, now())", [id, name]);
  return id;
}

/**
 * Inserts a user who is a member of the organization, and returns the user's id. Without a password, nobody can sign in
 * as this user.
 */
export async function createUser(
  organizationId: string,
  role: role = "admin",
  email = `${newId()}@example.com`,
): Promise<string> {
  const id = newId();
  await pool().query("INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, 'Ada Example', now())", [
    id,
    email,
  ]);
  await pool().query(
    "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, now())",
    [organizationId, id, role],
  );
  return id;
}

/** Starts a session of a member and returns its id. */
export async function createSession({
  organizationId,
  userId,
}: Pick<Context, "organizationId" | "userId">): Promise<string> {
  const id = await startSession({
    organizationId,
    userId,
    address: "192.0.2.1",
    browser: "Firefox on Linux",
    method: "oidc",
  });
  if (id === null) throw new Error("This user is no enabled member.");
  return id;
}

interface ContextOptions {
  organizationId?: string;
  scopes?: readonly Scope[];
  /** What its client was created with: `scopes`, unless given. */
  clientScopes?: readonly Scope[];
  role?: role;
}

/**
 * The context of a request by a new user, of a new organization unless one is given, with every scope unless some are
 * given.
 */
export async function createContext(options: ContextOptions = {}): Promise<Context> {
  const organizationId = options.organizationId ?? (await createOrganization());
  const role = options.role ?? "admin";
  const userId = await createUser(organizationId, role);
  return {
    requestId: newId(),
    organizationId,
    userId,
    role,
    clientId: null,
    scopes: new Set(options.scopes ?? SCOPES),
    ...(options.clientScopes && { clientScopes: new Set(options.clientScopes) }),
    address: null,
  };
}

/** Inserts an OAuth client with a valid access token for the context's user and scopes, and returns the token. */
export async function createAccessToken(context: Context): Promise<string> {
  const token = randomSecret();
  const { organizationId: organization_id, userId: user_id } = context;
  const scopes = [...context.scopes];
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + 3_600_000);
  const client = {
    id: newId(),
    client_id: `crm_${newId()}`,
    name: "Test client",
    redirect_uris: ["https://client.example/callback"],
  };
  await prisma().oauth_clients.create({
    data: {
      ...client,
      organization_id,
      scopes: [...(context.clientScopes ?? scopes)],
      created_by_id: user_id,
      created_at,
    },
  });
  const granted = {
    id: newId(),
    organization_id,
    user_id,
    client_id: client.id,
    scopes,
    created_at,
    last_allowed_at: created_at,
  };
  await prisma().oauth_grants.create({ data: granted });
  const codeId = newId();
  const owned = [granted.client_id, user_id, organization_id, scopes, created_at, expires_at];
  await pool().query(
    `INSERT INTO oauth_codes (id, grant_id, code_hash, redirect_uri, code_challenge, resource, client_id, user_id,
                              organization_id, scopes, created_at, expires_at)
     VALUES ($1, $2, $3, $4, 'none', '{}', $5, $6, $7, $8, $9, $10)`,
    [codeId, granted.id, sha256(newId()), client.redirect_uris[0], ...owned],
  );
  await pool().query(
    `INSERT INTO oauth_tokens (id, code_id, token_hash, resource, client_id, user_id, organization_id, scopes,
                               created_at, expires_at)
     VALUES ($1, $2, $3, '{}', $4, $5, $6, $7, $8, $9)`,
    [newId(), codeId, sha256(token), ...owned],
  );
  return token;
}

/** The required fields of a record, per resource. A case comment needs a `case_id` too. */
export const NEEDED: Record<ResourceName, Record<string, unknown>> = {
  accounts: { name: "Alpine Tools" },
  contacts: { last_name: "Example" },
  cases: { subject: "It does not work" },
  case_comments: { body: "Have you tried it again?" },
  activities: { type: "task", subject: "Call back" },
  leads: { last_name: "Example" },
  opportunities: { name: "Hundred drills", stage: "prospecting", close_date: "2026-12-31" },
  products: { name: "Drill" },
};

/** Inserts a record and returns its id. `created_at` is the millisecond in the id, whichever of the two is given. */
export async function insertRecord(
  resource: ResourceName,
  organizationId: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const id = idFor(fields);
  const times = { created_at: timeOf(id), updated_at: timeOf(id) };
  const number = resource === "cases" ? { case_number: id } : {};
  const position = resource === "case_comments" ? { position: 1 } : {};
  const record: Record<string, unknown> = { ...times, ...number, ...position, ...NEEDED[resource], ...fields, id };
  const columns = columnsOf(ENTITIES[resource]).filter(({ name }) => record[name] !== undefined);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const types = columns.map(({ name, sqlType }) => `"${name}" ${sqlType}`).join(", ");
  await pool().query(
    `INSERT INTO ${resource} (organization_id, ${names}) SELECT $1::uuid, ${names}
      FROM json_to_record($2::json) AS record (${types})`,
    [organizationId, JSON.stringify(record)],
  );
  return id;
}

function idFor(fields: Record<string, unknown>): string {
  if (typeof fields.id === "string") return fields.id;
  const { created_at: createdAt } = fields;
  return createdAt === undefined ? newId() : importedId(newId(), newId(), new Date(createdAt as string | Date));
}
