import type { Context } from "@/lib/context";
import { prisma } from "@/lib/database/db";
import { AppError, type ErrorCode } from "@/lib/errors";
import { openConnection } from "@/lib/migration/connections/open-source";
import { connectionRow } from "@/lib/migration/connections/stored-connection";
import { AUTOMATIC_OBJECTS, objectName, OPTIONAL_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { SMALL } from "@/lib/salesforce/answer-bounds";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { instanceOrigin } from "@/lib/salesforce/instance-url";
import { identifyOrg, interactiveTimeouts, probeOrg } from "@/lib/salesforce/probe";
import { query, select } from "@/lib/salesforce/query";
import { nullWhenRefused } from "@/lib/salesforce/refusals";

type ConnectionRow = ReturnType<typeof connectionRow>;

/** A connection that works: a row that is not stored yet, or the id of a stored connection. */
export type Connected = { row: ConnectionRow; id: string } | { row: null; id: string };

/** What no access token contains, and no header can: visible ASCII is all that is left. */
const FOREIGN = /[^\x21-\x7e]/u;

/** What is wrong with the text of an access token: mistakes of copying. */
function tokenFault(accessToken: string): string | null {
  const [foreign] = FOREIGN.exec(accessToken) ?? [];
  if (accessToken !== "" && foreign === undefined) return null;
  const again = "Copy it again, from its beginning to its end.";
  if (foreign === undefined) return `The access token is empty. ${again}`;
  if (/\s/u.test(foreign)) return `The access token contains spaces or line breaks. ${again}`;
  const code = (foreign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return (
    `The access token contains the character U+${code}, and no access token does: it consists of letters, digits and ` +
    `signs of ASCII. ${again}`
  );
}

/**
 * Tests an access token: the host answers and is Salesforce, the token is accepted, the API is enabled, and at least
 * one of the objects that a migration imports is readable. Stores nothing. Throws the `source_*` error with cause and
 * remedy.
 */
export async function connectByToken(
  context: Context,
  input: { ext_instance_url: string; ext_access_token: string },
): Promise<Connected> {
  const instanceUrl = instanceOrigin(input.ext_instance_url);
  const accessToken = input.ext_access_token.trim();
  const detail = tokenFault(accessToken);
  if (detail !== null) {
    throw new AppError("source_token_refused", detail, {
      errors: [{ pointer: "/ext_access_token", code: "source_token_refused", detail }],
    });
  }
  const timeouts = interactiveTimeouts();
  const org = await probeOrg(instanceUrl, accessToken, timeouts).catch(withPointer);
  await assertReadable(openClient({ instanceUrl, accessToken, apiVersion: org.apiVersion, ...timeouts }));
  const row = connectionRow(context, org, { accessToken, loginUrl: null });
  return { row, id: row.id };
}

/** The input field that an error is about, for forms. */
const POINTERS: Partial<Record<ErrorCode, string>> = {
  source_url_invalid: "/ext_instance_url",
  source_not_salesforce: "/ext_instance_url",
  source_unreachable: "/ext_instance_url",
  source_token_refused: "/ext_access_token",
};

function withPointer(error: unknown): never {
  const pointer = error instanceof AppError ? POINTERS[error.code] : undefined;
  if (!(error instanceof AppError) || pointer === undefined) throw error;
  throw new AppError(error.code, error.message, {
    errors: [{ pointer, code: error.code, detail: error.message }],
    cause: error,
  });
}

/**
 * Tests a stored connection and updates what is known of its org. Throws as {@link connectByToken} does, or
 * `not_found`.
 */
export async function reconnect(context: Context, connectionId: string): Promise<Connected> {
  const client = await openConnection(context.organizationId, connectionId, interactiveTimeouts());
  const org = await identifyOrg(client);
  await assertReadable(client);
  await prisma().connections.update({
    where: { organization_id_id: { organization_id: context.organizationId, id: connectionId } },
    data: {
      source_org_id: org.orgId,
      source_org_name: org.orgName,
      source_user_id: org.userId,
      source_username: org.username,
      updated_at: new Date(),
    },
  });
  return { row: null, id: connectionId };
}

/**
 * Queries object by object; in most orgs the first answers. The list of all objects has megabytes, too much for the web
 * process.
 */
async function assertReadable(client: SalesforceClient): Promise<void> {
  const objects = AUTOMATIC_OBJECTS.filter((name) => !OPTIONAL_OBJECTS.has(name));
  for (const from of objects) {
    if (await query(client, select({ fields: ["Id"], from, limit: 1 }), { bound: SMALL }).catch(nullWhenRefused))
      return;
  }
  throw new SalesforceError(
    "source_access_denied",
    `The Salesforce user can read none of ${objects.map(objectName).join(", ")}. Give the user “Read” and ` +
      "“View All” for them (Setup › Permission Sets › Object Settings), or connect as another user.",
  );
}
